"""The real clock and real randomness."""

import secrets
import time
import uuid


class SystemClock:
    """See ``ports.clock.Clock``."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Let that much time pass."""
        time.sleep(seconds)


class RandomIds:
    """See ``ports.clock.Ids``."""

    def request_id(self) -> str:
        """A random UUID."""
        return str(uuid.uuid4())

    def token(self) -> str:
        """128 random bits, as text."""
        return secrets.token_hex(16)
