"""Metrics and statistics, free of any model: one module a question (``location``, ``inference``, ``wer`` …)."""
