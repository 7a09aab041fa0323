"""Maps and games on disk, as the window shows them."""
