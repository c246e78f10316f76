"""The Inference contract."""
