"""The edit mode of the window: facts painted on the ground, figures placed, doors set, saved over the untouched file.

`brushes` are what can be painted, `drawing` what was done to a map, step by step, `saving` its way to disk, `palette`
the panel, `editor` what mouse and keys do.  Only `editor` knows pygame.
"""
