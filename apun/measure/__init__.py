"""Timing of models and word errors of recognisers: what ``apun.latency`` and ``apun.wer`` call."""
