"""Readers of replies: what a model answered, read as a careful person would, or not at all.

One pipeline for every benchmark. ``thinking`` sets reasoning apart, ``text`` cleans the answer (width, fences, JSON,
boxes) and finds where in it an answer may stand, ``denials`` says what of it does not count (denied, supposed,
refused), ``one`` takes the one answer that is left; the rules themselves are words in ``rules.toml``. On these stand
the readers:

* ``choice``: an option, by its label, its place or its text;
* ``verdict``: pun or non-pun, yes or no;
* ``word``: an English word, a Chinese word; ``words``: a list of Chinese characters;
* ``reading``: pinyin, or the kana of a Japanese word or kanji;
* ``pair``: two meanings, a pun word and the word it stands for;
* ``lines``: a line of verse, lines with labels.

A reader is told what was asked (options, labels, language, length) and returns ``Parsed``: a value, or the cause why
there is none. None guesses, none raises on any text, and the time of each grows with the length of the reply, no
faster.
"""
