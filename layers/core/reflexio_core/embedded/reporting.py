"""Errors of the engine as the command line shows them."""

from collections.abc import Iterator
from contextlib import contextmanager

from reflexio.cli.failures import BadInput, CommandFailed
from reflexio_core.errors import InvalidInput, ReflexioError


@contextmanager
def reported() -> Iterator[None]:
    """Turn the engine's errors inside the block into failures of the command."""
    try:
        yield
    except InvalidInput as error:
        raise BadInput(str(error)) from error
    except ReflexioError as error:
        failure = CommandFailed(str(error))
        failure.kind = error.code
        raise failure from error
