"""The place and the bodies in it."""
