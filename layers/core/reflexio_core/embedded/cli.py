"""The groups that this package adds to the command line."""

from reflexio_core.embedded.model_commands import app as model
from reflexio_core.embedded.service_commands import app as services

__all__ = ["model", "services"]
