"""Audio models inside their own environments: read by path there, never imported from here.

``chat.py`` is the handler that ``apun.worker.server`` loads; each other file is one family's
program. They see their environment's libraries and the standard library, no apun, and keep to
Python 3.9, which SALMONN's libraries need.

A family's file has ``load(options) -> model`` with

* ``controls``: texts that its tokenizer or template would not read as text;
* ``generate(messages, clips, settings) -> dict``: the answer and what was consumed;
* optionally ``info() -> dict``, ``wants_files`` (clips are given as paths of 16 kHz float WAV files)
  and ``samples`` (temperatures above 0 are honoured).

Messages are ``{"role": …, "content": [{"text": …} | {"audio": number of a clip}]}``. The answer
holds ``text``, ``seconds`` (audio taken in, all clips together), ``clips``, ``audio_tokens``,
``tokens_in``, ``tokens_out``, ``ended`` (whether it ended by itself; None where that cannot be known)
and ``generation`` (the arguments the answer was generated with).
"""
