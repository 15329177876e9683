"""What the engines share: from utterances to a split of clips that may be kept."""
