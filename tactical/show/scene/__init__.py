"""What to draw: shapes with roles, no colours."""
