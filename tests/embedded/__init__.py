"""The service in one process: started, stopped, killed, and found whole again."""
