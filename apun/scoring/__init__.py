"""Metrics and statistics, free of any model."""
