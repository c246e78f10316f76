"""What one adapter alone promises."""
