"""The search: it knows no map; arrays in, arrays out."""
