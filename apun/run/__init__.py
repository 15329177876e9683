"""Running: log, cache, runner and engines."""
