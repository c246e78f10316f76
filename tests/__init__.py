"""Tests, one folder a tier."""
