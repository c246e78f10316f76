"""One suite a port, run on each of its adapters."""
