"""The Blobs contract."""
