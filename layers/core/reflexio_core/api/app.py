"""The application: layers, routes and schema, put together."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from reflexio_core import __version__
from reflexio_core.api import (
    health,
    routes_admin,
    routes_erase,
    routes_learnings,
    routes_listing,
    routes_publish,
    routes_search,
)
from reflexio_core.api.access import Authenticator, refuse_unsafe_listen, standalone_authenticator
from reflexio_core.api.access_layer import AccessLayer
from reflexio_core.api.body_limit import BodyLimit
from reflexio_core.api.capacity import Slots, make_capacity
from reflexio_core.api.data_routes import Service
from reflexio_core.api.declared import body_schemas
from reflexio_core.api.envelope import CORRELATION_HEADER, Envelope, Traffic
from reflexio_core.api.errors import add_error_handlers
from reflexio_core.api.limits import NoRateLimits, ProcessRateLimiter, RateLimiter
from reflexio_core.api.settings import AccessSettings, ApiSettings
from reflexio_core.engine.context import Engine

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]

LOOPBACK_ORIGINS = r"https?://(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?"


def create_app(
    engine: Engine,
    access: AccessSettings,
    settings: ApiSettings | None = None,
    *,
    authenticator: Authenticator | None = None,
    rate_limiter: RateLimiter | None = None,
    lifespan: Lifespan | None = None,
) -> FastAPI:
    """The HTTP application over an engine.

    ``authenticator`` and ``rate_limiter`` replace the standalone ones. Raises ``UnsafeListen`` if ``access`` would
    open the data to the network without a key.
    """
    settings = settings or ApiSettings()
    if authenticator is None:
        refuse_unsafe_listen(access.host, access.api_key)
        authenticator = standalone_authenticator(access)
    traffic = Traffic()
    app = FastAPI(
        title="Reflexio",
        version=__version__,
        lifespan=lifespan,
        redirect_slashes=False,  # clients do not follow a redirect with a body
        separate_input_output_schemas=False,
        middleware=_layers(settings, authenticator, traffic),
    )
    add_error_handlers(app)
    capacity = make_capacity(
        search=Slots("search", settings.search_slots, settings.search_queue_seconds),
        publish=Slots("publish", settings.publish_slots, settings.publish_queue_seconds),
    )
    limiter = rate_limiter or _rate_limiter(settings, access)
    service = Service(engine, limiter, capacity, app.router)
    health.add_routes(app.router, engine, access.tenant, capacity, traffic)
    routes_publish.add_routes(service, resolve_image_hosts=settings.block_private_urls)
    routes_search.add_routes(service)
    routes_listing.add_routes(service)
    routes_learnings.add_routes(service)
    routes_erase.add_routes(service)
    routes_admin.add_routes(service)
    app.openapi = lambda: _schema(app, service)  # type: ignore[method-assign]
    return app


def _layers(settings: ApiSettings, authenticator: Authenticator, traffic: Traffic) -> list[Middleware]:
    """From the outside in."""
    return [
        Middleware(Envelope, traffic=traffic),
        Middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_origin_regex=LOOPBACK_ORIGINS,
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", CORRELATION_HEADER],
            expose_headers=[CORRELATION_HEADER, "Retry-After"],
        ),
        Middleware(AccessLayer, authenticator=authenticator),
        Middleware(BodyLimit, max_bytes=settings.max_body_bytes),
    ]


def _rate_limiter(settings: ApiSettings, access: AccessSettings) -> RateLimiter:
    limited = settings.rate_limits if settings.rate_limits is not None else access.api_key is not None
    return ProcessRateLimiter() if limited else NoRateLimits()


def _schema(app: FastAPI, service: Service) -> dict[str, Any]:
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
        components = schema["components"]
        components["securitySchemes"] = {"BearerAuth": {"type": "http", "scheme": "bearer"}}
        components["schemas"] = {**components["schemas"], **body_schemas(service.bodies)}
        app.openapi_schema = schema
    return app.openapi_schema
