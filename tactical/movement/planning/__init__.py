"""Ways to a goal, over waypoints and turns."""
