"""The wire: every body that travels between a client and the service."""
