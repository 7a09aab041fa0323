"""Why not: who refuses, in whose words."""
