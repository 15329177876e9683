"""The harness: run, log, score, compare, report. Holds no model code."""

__version__ = "1.0.0"
