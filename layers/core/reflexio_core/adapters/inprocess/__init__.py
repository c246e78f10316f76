"""Hints between threads of one process."""

from reflexio_core.adapters.inprocess.queue import LocalQueue

__all__ = ["LocalQueue"]
