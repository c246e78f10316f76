"""The schema, driven with generated requests."""
