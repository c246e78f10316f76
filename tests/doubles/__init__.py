"""Stand-ins for the ports, faithful enough that an engine test means the same as on the real adapters."""
