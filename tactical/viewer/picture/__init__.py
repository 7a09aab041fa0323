"""The map as it is painted, apart from who plays."""
