"""Which model answers, where it is and with whose key: a pure function of the environment and the tenant's settings.

In order: the tenant's custom endpoint; a model named by the tenant's configuration; one named by ``REFLEXIO_MODEL``;
the first family that the tenant has a key for; the first family that the environment has a key for.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reflexio_core.adapters.litellm.families import BY_NAME, FAMILIES, Family
from reflexio_core.ports.llm import LlmSettings

MODEL_VARIABLE = "REFLEXIO_MODEL"
OFFLINE_MODEL = "offline-rules"
"""Named as the model, it chooses the offline learner even where a provider has a key."""

_DEPLOYMENT_VARIABLES = ("AZURE_OPENAI_DEPLOYMENT", "AZURE_DEPLOYMENT_NAME")
_AZURE_API_VERSION = "2024-10-21"  # the first that is not a preview and knows JSON schemas
# Servers on one's own machine rarely check a key, but their protocol wants one.
_NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class Target:
    """A model to call, by its LiteLLM name. ``wanted`` names the setting that is missing, if one is.

    ``own_server`` is true where nobody named a model and the address is not the provider's: what the server offers
    has to be asked.
    """

    model: str
    api_key: str | None = field(default=None, repr=False)
    api_base: str | None = None
    api_version: str | None = None
    max_tokens: int | None = None
    wanted: str | None = None
    own_server: bool = False


@dataclass(frozen=True, slots=True)
class _Access:
    """What is known of a family: a key, an address and, at Azure, version and deployment."""

    family: Family
    api_key: str | None = field(default=None, repr=False)
    api_base: str | None = None
    api_version: str | None = None
    deployment: str | None = None

    @property
    def usable(self) -> bool:
        return self.api_key is not None and (self.family.name != "azure" or self.api_base is not None)


def choose(role: str, environ: Mapping[str, str], settings: LlmSettings) -> Target | None:
    """The model for ``role`` ("generation" or "should_run"); None if no provider is configured or offline is named."""
    tenant = settings.api_keys or {}
    if endpoint := tenant.get("custom_endpoint"):
        return Target(_prefixed("openai", endpoint["model"]), endpoint["api_key"], endpoint["api_base"])
    own_choice = settings.should_run_model if role == "should_run" else settings.generation_model
    name = (own_choice or "").strip() or environ.get(MODEL_VARIABLE, "").strip()
    if name == OFFLINE_MODEL:
        return None
    if name:
        return _by_name(name, environ, tenant)
    access = next((access for access in _accesses(environ, tenant) if access.usable), None)
    return None if access is None else _target(access, access.deployment or access.family.default_model(role), False)


def configured(environ: Mapping[str, str], settings: LlmSettings) -> bool:
    """Whether a provider's model is to answer; the offline learner is to otherwise."""
    return choose("generation", environ, settings) is not None


def _by_name(name: str, environ: Mapping[str, str], tenant: Mapping[str, Any]) -> Target:
    """A named model: its prefix says the family, else the name's beginning, else whoever is configured.

    A prefix that is no family of ours is LiteLLM's own affair, with the variables that it documents.
    """
    accesses = list(_accesses(environ, tenant))
    prefix, _, rest = name.partition("/")
    if rest:
        if prefix not in BY_NAME:
            return Target(name)
        own = [access for access in accesses if access.family.name == prefix]
        return _target(next((access for access in own if access.usable), own[-1]), rest, True)
    by_stem = [access for access in accesses if name.lower().startswith(access.family.stems or ("/",))]
    usable = next((access for access in (*by_stem, *accesses) if access.usable), None)
    if usable is not None:
        return _target(usable, name, True)
    return _target(by_stem[-1], name, True) if by_stem else Target(name)


def _accesses(environ: Mapping[str, str], tenant: Mapping[str, Any]) -> Iterator[_Access]:
    """The tenant's access to each family, then the environment's."""
    for family in FAMILIES:
        yield _tenant_access(family, environ, tenant)
    for family in FAMILIES:
        yield _environment_access(family, environ)


def _tenant_access(family: Family, environ: Mapping[str, str], tenant: Mapping[str, Any]) -> _Access:
    if family.name == "azure":
        azure = (tenant.get("openai") or {}).get("azure_config") or {}
        return _Access(
            family, azure.get("api_key"), azure.get("endpoint"), azure.get("api_version"), azure.get("deployment_name")
        )
    own = tenant.get(family.name) or {}
    # The environment may say where a family is reached; a key of the environment never goes to a tenant's address.
    return _Access(family, own.get("api_key") or None, own.get("api_base") or _first(environ, family.bases))


def _environment_access(family: Family, environ: Mapping[str, str]) -> _Access:
    azure = family.name == "azure"
    return _Access(
        family,
        api_key=_first(environ, family.keys),
        api_base=_first(environ, family.bases),
        api_version=(_first(environ, family.versions) or _AZURE_API_VERSION) if azure else None,
        deployment=_first(environ, _DEPLOYMENT_VARIABLES) if azure else None,
    )


def _target(access: _Access, name: str, named: bool) -> Target:
    family = access.family
    local = family.name == "openai" and access.api_base is not None
    key = access.api_key or (_NO_KEY if local else None)
    wanted = None
    if key is None:
        wanted = family.keys[0]
    elif family.name == "azure" and access.api_base is None:
        wanted = family.bases[0]
    return Target(
        model=_prefixed(family.name, name),
        api_key=key,
        api_base=access.api_base,
        api_version=access.api_version,
        max_tokens=family.max_tokens,
        wanted=wanted,
        own_server=local and not named,
    )


def _prefixed(family: str, model: str) -> str:
    return model if model.startswith(f"{family}/") else f"{family}/{model}"


def _first(environ: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := environ.get(name, "").strip())), None)
