"""Benchmarks: items, prompts and tasks."""
