"""Audio models that pin other libraries, each in an environment and a process of its own.

``model.py`` is apun's side. The rest is read by path inside the other environment and never imported from here:
``chat.py`` is the handler that ``apun.environments.server`` loads, each other file is one family's program. They see
their environment's libraries and the standard library, no apun, and keep to Python 3.9, which SALMONN's libraries need.

A family's file has ``load(options) -> model`` with

* ``controls``: texts that its template would not read as text; those of a ``tokenizer`` it has are known;
* ``generate(messages, clips, settings) -> dict``: the answer and what was consumed; or, for a model that is asked one
  question about one clip, ``ask(question, clip, settings)`` with its ``title`` and its ``longest`` clip in seconds;
* ``model``, ``dtype`` and ``device``, which are logged, and optionally ``info() -> dict`` with more;
* optionally ``wants_files`` (clips are given as paths of 16 kHz float WAV files) and ``samples`` (temperatures above 0
  are honoured).

Messages are ``{"role": …, "content": [{"text": …} | {"audio": number of a clip}]}``. Settings are ``max_new_tokens``,
``temperature``, ``seed`` and ``arguments``, the keyword arguments for transformers' ``generate`` that follow from them.
The answer holds ``text``, ``seconds`` (audio taken in, all clips together), ``clips``, ``audio_tokens``, ``tokens_in``,
``tokens_out``, ``ended`` (whether it ended by itself; None where that cannot be known) and ``generation`` (the
arguments the answer was generated with).
"""
