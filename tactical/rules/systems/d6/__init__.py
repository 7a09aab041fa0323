"""Both D6 texts: what the editions share, and a file for each."""
