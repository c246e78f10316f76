"""The protocols between the engine and the world. One module a port; the adapters live in ``adapters``."""
