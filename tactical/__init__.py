"""tactical: movement on tabletop battle maps."""
