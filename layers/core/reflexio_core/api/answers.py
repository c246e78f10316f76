"""JSON answers: engine results are JSON-ready already and are written as they are."""

import json
from typing import Any

from starlette.responses import Response


class JsonAnswer(Response):
    """A JSON body. Numbers that JSON cannot hold raise ``ValueError``; a lone surrogate is written as ``?``."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """See ``starlette.responses.Response``."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")
