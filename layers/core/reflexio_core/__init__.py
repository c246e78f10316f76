"""The engine of Reflexio, serverless: domain, ports, adapters and the HTTP app."""

__version__ = "0.1.0"
