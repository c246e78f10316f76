"""How long a provider asks to wait (RFC 9110, section 10.2.3)."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any


def retry_after(error: Exception) -> float | None:
    """Seconds to wait by the failed answer's headers; None if they do not say. Never negative."""
    for headers in _headers(error):
        milliseconds = _number(headers.get("retry-after-ms"))
        if milliseconds is not None:
            return max(milliseconds / 1000, 0.0)
        given = headers.get("retry-after")
        seconds = _number(given)
        if seconds is None and given:
            seconds = _until(given)
        if seconds is not None:
            return max(seconds, 0.0)
    return None


def _headers(error: Exception) -> Iterator[Mapping[str, Any]]:
    for headers in (
        getattr(getattr(error, "response", None), "headers", None),
        getattr(error, "litellm_response_headers", None),
    ):
        if isinstance(headers, Mapping):
            yield {str(name).lower(): value for name, value in headers.items()}


def _number(given: Any) -> float | None:
    try:
        return float(given)
    except (TypeError, ValueError):
        return None


def _until(given: str) -> float | None:
    try:
        moment = parsedate_to_datetime(given)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - datetime.now(UTC)).total_seconds()
