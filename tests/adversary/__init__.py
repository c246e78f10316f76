"""Attacks on a running service over HTTP: what must hold whatever callers send, in whatever order, at once."""
