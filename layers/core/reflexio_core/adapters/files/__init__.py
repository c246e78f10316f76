"""Blobs in a folder."""

from reflexio_core.adapters.files.blobs import FileBlobs

__all__ = ["FileBlobs"]
