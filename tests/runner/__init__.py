"""Runs the tests and says what ran: counts for each tier and adapter, the slowest tests, and skips nobody reviewed."""
