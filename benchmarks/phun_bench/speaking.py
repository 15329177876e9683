"""What is spoken for each kind of item, every reading forced.

A question can be spoken in three forms:

* ``whole``: one clip asks everything (paper §5.4.3, Figure 29);
* ``clips``: the question is text, each word a clip of its own;
* ``clips_only``: there is no text at all; the instruction is a clip too.

Option letters are never spoken ("the first … the fourth" are), so that pinyin can force the whole clip.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apun.errors import PhoneticError
from apun.phonetics.mandarin import han, numbered, readings
from apun.prompts import MAIN
from apun.registry import unknown
from apun.speech import Utterance
from benchmarks.phun_bench.items import (
    HOMOPHONE,
    CharItem,
    GroupItem,
    HomophoneItem,
    PhunItem,
    PunItem,
    Reading,
    RhymeItem,
    SimilarityItem,
)

WHOLE, ASK, REFERENCE = "whole", "ask", "ref"
CANDIDATES = ("a", "b", "c", "d")
WORDS = (REFERENCE, *CANDIDATES)
SPOKEN = ("default", "all", "whole", "clips", "clips_only")

_ORDINALS = ("第一个", "第二个", "第三个", "第四个")
_SIMILARITY_ASK = "请先听一个词，再听四个词。四个词里，哪一个的读音和先听到的词最接近？请回答是第几个。"
_SIMILARITY_WHOLE = "请听题。四个词里，哪一个的读音和这个词最接近？这个词是，"
_DICTATION_ASK = "请听四个音节，写出读音相同的成语。"
_DICTATION_WHOLE = "请听题。写出读音和下面四个音节相同的成语。这四个音节是，"

Said = tuple[str, Reading]


@lru_cache(maxsize=64)
def _fixed(text: str) -> Said:
    return text, readings(text)


def _utterance(item: PhunItem, part: str, *said: Said, key_words: tuple[str, ...] = ()) -> Utterance:
    text = "".join(words for words, _ in said)
    reading = numbered(tuple(syllable for _, syllables in said for syllable in syllables))
    return Utterance(item.id, text, "zh", part, {"pinyin": reading}, must_force=True, key_words=key_words)


def utterances(item: PhunItem, form: str = "default") -> Sequence[Utterance]:
    """What must be spoken for an item.

    Args:
        item: any item of the benchmark.
        form: ``whole``, ``clips`` or ``clips_only`` for one form; ``default`` or ``all`` for the clips of all.

    Raises:
        UsageError: there is no such form.
    """
    if form not in SPOKEN:
        raise unknown("spoken form of phun", form, SPOKEN)
    if isinstance(item, SimilarityItem):
        return _similarity(item, form)
    if isinstance(item, HomophoneItem):
        return _homophone(item, form) if item.perturbation == HOMOPHONE else ()
    if isinstance(item, CharItem):
        return (_utterance(item, MAIN, (item.text, (item.syllable,)), key_words=(item.text,)),)
    if isinstance(item, GroupItem):
        return (_utterance(item, MAIN, (item.chars[0], (item.syllable,)), key_words=(item.chars[0],)),)
    return (_sentence(item),)


def _similarity(item: SimilarityItem, form: str) -> Sequence[Utterance]:
    words: list[Said] = [(item.text, item.reading), *zip(item.candidates, item.readings, strict=True)]
    apart = [_utterance(item, part, said, key_words=(said[0],)) for part, said in zip(WORDS, words, strict=True)]
    options: list[Said] = []
    for ordinal, (word, reading) in zip(_ORDINALS, words[1:], strict=True):
        options += [_fixed(f"{ordinal}，"), (f"{word}。", reading)]
    whole = _utterance(
        item, WHOLE, _fixed(_SIMILARITY_WHOLE), (f"{item.text}。", item.reading), *options,
        key_words=(item.text, *item.candidates),
    )  # fmt: skip
    return _of_form(form, whole, apart, _utterance(item, ASK, _fixed(_SIMILARITY_ASK)))


def _homophone(item: HomophoneItem, form: str) -> Sequence[Utterance]:
    alone = _utterance(item, MAIN, (item.text, item.reading), key_words=(item.text,))
    whole = _utterance(item, WHOLE, _fixed(_DICTATION_WHOLE), (f"{item.text}。", item.reading), key_words=(item.text,))
    return _of_form(form, whole, [alone], _utterance(item, ASK, _fixed(_DICTATION_ASK)))


def _of_form(form: str, whole: Utterance, apart: list[Utterance], ask: Utterance) -> list[Utterance]:
    forms = {"whole": [whole], "clips": apart, "clips_only": [ask, *apart]}
    return forms.get(form, [ask, *apart, whole])


def _sentence(item: PunItem | RhymeItem) -> Utterance:
    """A whole sentence, read in context, the pun word as its gold reading says; unforced where it holds letters."""
    key_words = (item.pun,) if isinstance(item, PunItem) else ()
    try:
        syllables = list(readings(item.text))
    except PhoneticError:
        return Utterance(item.id, item.text, "zh", MAIN, key_words=key_words)
    if isinstance(item, PunItem):
        start = len(han(item.text[: item.text.index(item.pun)]))
        syllables[start : start + len(item.reading)] = item.reading
    return _utterance(item, MAIN, (item.text, tuple(syllables)), key_words=key_words)
