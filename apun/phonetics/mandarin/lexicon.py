"""Lists of Chinese words that installed packages hold, read as data: no segmenter is built and no cache is written.

jieba's dictionary (349,046 words with counts) and pypinyin's phrases (47,111 words with their readings), both MIT;
nothing of them is shipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from apun.errors import PhoneticError
from apun.phonetics.mandarin.pinyin import parse
from apun.registry import optional, package_folder


@dataclass(frozen=True, slots=True)
class Entry:
    """A word with its count in jieba's corpus and its part of speech (empty where it has none)."""

    word: str
    count: int
    part: str


@lru_cache(maxsize=1)
def dictionary() -> tuple[Entry, ...]:
    """jieba's words, in its order.

    Raises:
        MissingDependency: jieba is not installed (extra ``zh``).
    """
    text = (package_folder("jieba", "zh") / "dict.txt").read_text(encoding="utf-8")
    cells = (line.split(" ") for line in text.splitlines())
    return tuple(Entry(word, int(count), part[0] if part else "") for word, count, *part in cells)


@lru_cache(maxsize=1)
def phrases() -> Mapping[str, tuple[str, ...]]:
    """pypinyin's phrases with each character's syllable and tone digit; empty where the list has a slip or no syllable.

    Raises:
        MissingDependency: pypinyin is not installed (extra ``zh``).
    """
    listed = optional("pypinyin.phrases_dict", "zh", "pypinyin").phrases_dict.items()
    return {
        word: tuple(_numbered(options[0]) for options in syllables)
        for word, syllables in listed
        if len(word) == len(syllables)
    }


@lru_cache(maxsize=4_096)
def _numbered(spelled: str) -> str:
    try:
        syllables = parse(spelled)
    except PhoneticError:
        return ""
    return syllables[0].numbered if len(syllables) == 1 else ""
