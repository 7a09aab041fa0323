"""What a command does to the table."""
