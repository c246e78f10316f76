"""The words of the product as data: records as stored, identities, and rules over them. Pure; no ports."""
