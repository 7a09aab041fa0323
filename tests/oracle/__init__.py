"""A brute-force movement oracle: dictionaries, sets, heapq and Fractions, sharing no code with the engine.

It reads the same plain mappings as the map scenarios and follows the text at the head of ``scenarios.yaml`` alone.
It is slow and simple on purpose: where it and the engine differ, one of the two is wrong.
"""
