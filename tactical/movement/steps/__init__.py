"""A single step: what its price is made of, and why one cannot be made."""
