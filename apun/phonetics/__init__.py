"""Words to sounds: English, Mandarin, Japanese."""
