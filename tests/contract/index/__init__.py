"""What every Index promises."""
