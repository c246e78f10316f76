"""A tenant's settings."""
