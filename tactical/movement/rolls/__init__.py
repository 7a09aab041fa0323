"""What the dice make of a way: stretches, chances, what failing costs."""
