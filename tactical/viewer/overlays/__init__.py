"""What lies over the map, and what it is painted from."""
