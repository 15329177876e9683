"""Speech recognition: clips in, transcripts with word times out. One small file an engine.

``asr.catalogue.RECOGNISERS`` names what there is, ``asr.catalogue.load`` loads it.
"""
