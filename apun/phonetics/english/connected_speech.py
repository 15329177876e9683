"""How English words sound in running speech, in ARPABET with stress: for voices that are fed phonemes.

CMUdict lists a word's pronunciations without saying when each is used, and gives dictionary forms of
words that are weak in running speech. Here weak forms (Ladefoged & Johnson, A Course in Phonetics, 7th
ed., ch. 5) come from ``weak_forms.tsv``, homographs are told apart by the word before
(``homographs.tsv``), and everything else is the front end's first reading. Letter-to-sound is always
ours, whatever backend the scorer was told to use: a voice says the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from apun.phonetics import table
from apun.phonetics.english import pronounced
from apun.phonetics.english.dictionary import Phones, is_vowel


def phones_in_context(words: Sequence[str]) -> list[Phones]:
    """Phones of each word of a phrase; a phrase ends at punctuation.

    Args:
        words: words as ``text.said`` gives them.
    """
    return [_in_context(words, index) for index in range(len(words))]


@lru_cache(maxsize=50_000)
def phones(word: str) -> Phones:
    """Phones of one word on its own."""
    return pronounced(word)[0].phones


@lru_cache(maxsize=1)
def weak_forms() -> Mapping[str, Phones]:
    """Phones of words that are weak in running speech."""
    return {row["word"]: tuple(row["phones"].split()) for row in table("english", "weak_forms")}


@lru_cache(maxsize=8)
def word_list(name: str) -> frozenset[str]:
    """Words ``before_a_verb``, ``before_a_noun``, or ``without_content`` beside the weak ones."""
    return next(frozenset(row["words"].split()) for row in table("english", "word_lists") if row["list"] == name)


def _in_context(words: Sequence[str], index: int) -> Phones:
    word = words[index]
    last = index == len(words) - 1
    if word in weak_forms() and not (last and word in _strong_at_the_end()):
        if word in ("the", "to") and not last and is_vowel(phones(words[index + 1])[0]):
            return ("DH", "IY0") if word == "the" else ("T", "UW0")
        return weak_forms()[word]
    if word in _homographs():
        noun, verb, usual = _homographs()[word]
        before = words[index - 1] if index else ""
        if before in word_list("before_a_verb"):
            return verb
        return noun if before in word_list("before_a_noun") or before.endswith("'s") else usual
    return phones(word)


@lru_cache(maxsize=1)
def _strong_at_the_end() -> frozenset[str]:
    return frozenset(row["word"] for row in table("english", "weak_forms") if row["at_the_end"] == "strong")


@lru_cache(maxsize=1)
def _homographs() -> Mapping[str, tuple[Phones, Phones, Phones]]:
    """Each homograph as a noun or adjective, as a verb, and as it is when nothing tells."""
    found = {}
    for row in table("english", "homographs"):
        noun, verb = tuple(row["noun"].split()), tuple(row["verb"].split())
        found[row["word"]] = (noun, verb, verb if row["usual"] == "verb" else noun)
    return found
