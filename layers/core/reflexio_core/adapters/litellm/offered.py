"""Ask an OpenAI-protocol server which model it offers, where an address is configured and no model is named."""

import http.client
import json
import urllib.request
from typing import Any

from reflexio_core.adapters.litellm.target import Target

_TIMEOUT_SECONDS = 5.0
_MOST_BYTES = 1_000_000
_NOT_FOR_CHAT = ("embed", "rerank", "whisper", "tts", "moderation", "dall-e", "bge-", "e5-", "minilm")


def offered_model(target: Target) -> str | None:
    """LiteLLM's name of the server's first chat model; None if the target's own is there or the server does not say."""
    wanted = target.model.removeprefix("openai/")
    names = _listed(target)
    if wanted in names:
        return None
    chat = [name for name in names if not any(word in name.lower() for word in _NOT_FOR_CHAT)]
    return f"openai/{chat[0]}" if chat else None


def _listed(target: Target) -> list[str]:
    address = f"{(target.api_base or '').rstrip('/')}/models"
    if not address.lower().startswith(("http://", "https://")):
        return []
    request = urllib.request.Request(  # noqa: S310 - the scheme is checked above
        address, headers={"Authorization": f"Bearer {target.api_key}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as response:  # noqa: S310
            body: Any = json.loads(response.read(_MOST_BYTES))
    except (OSError, http.client.HTTPException, ValueError):
        return []  # the question itself will tell what is wrong with the server
    entries = body.get("data") if isinstance(body, dict) else None
    if not isinstance(entries, list):
        return []
    return [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
