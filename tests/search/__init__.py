"""Search over the embedded index, and what the index keeps in memory."""
