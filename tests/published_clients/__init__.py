"""The published clients, unchanged, against our service: black boxes in environments of their own."""
