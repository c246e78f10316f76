"""What the HTTP application promises, tested without a socket."""
