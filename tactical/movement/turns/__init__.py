"""What one turn, and several, can reach and what they leave."""
