"""Learnings written by people."""
