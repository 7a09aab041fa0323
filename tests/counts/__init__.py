"""Exhaustive counts in plain text: how many cells each band of a reach holds, counted by hand or by the oracle."""
