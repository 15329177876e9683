"""What recognisers share: the body of one, and suspicions about a transcript."""
