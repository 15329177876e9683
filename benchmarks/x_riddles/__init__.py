"""X-Riddles: xiehouyu matching, explaining and creating."""
