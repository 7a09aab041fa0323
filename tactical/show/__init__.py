"""Showing: what there is to draw as shapes with roles, and the drawers that give them their looks."""
