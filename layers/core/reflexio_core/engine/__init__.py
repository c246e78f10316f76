"""What the service does, over the ports. Every function takes the engine and a tenant first."""
