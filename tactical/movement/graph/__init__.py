"""How the edges of the state graph are made."""
