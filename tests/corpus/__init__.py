"""Conversations with what should, and what must not, be learned from them. See README.md for the format."""
