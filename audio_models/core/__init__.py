"""What model families share: checkpoints, inputs, batches, generation settings, services."""
