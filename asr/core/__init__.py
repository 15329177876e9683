"""What recognisers share: the body of one, suspicions about a transcript, transcripts kept on disk."""
