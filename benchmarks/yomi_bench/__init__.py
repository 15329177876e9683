"""YOMI-Bench: Japanese readings and rhymes."""
