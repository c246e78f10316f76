"""Listings page by page."""
