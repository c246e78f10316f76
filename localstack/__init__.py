"""What stands in for the cloud on one machine."""
