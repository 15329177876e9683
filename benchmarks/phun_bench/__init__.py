"""Phun-Bench: Mandarin phonological understanding."""
