"""The Store contract."""
