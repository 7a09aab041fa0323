"""What stands between two cells: barriers, and which steps they cut."""
