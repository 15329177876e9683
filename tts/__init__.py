"""Speech synthesis engines."""
