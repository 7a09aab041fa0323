"""Moving: the graph of all steps, the search over it, and what it answers: reach, route, price, odds, why not."""
