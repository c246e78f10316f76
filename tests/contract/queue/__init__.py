"""The Queue contract."""
