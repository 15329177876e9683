"""APUN-Bench: English spoken puns."""
