"""The version of this package, one number with ``pyproject.toml``."""

__version__ = "0.1.0"
