"""End-to-end audio models, text language models and cascades."""
