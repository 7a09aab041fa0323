"""Playing: commands in, events out; turns, rolls, undo, saved games and long journeys."""
