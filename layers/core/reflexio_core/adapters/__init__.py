"""What the ports mean outside: one package an outside thing, heavy imports inside it, no rule of the engine."""
