"""How each task asks: which items, in which forms, with which prompt file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from apun.prompts import MAIN
from apun.registry import unknown
from apun.tasks import Conditions
from benchmarks.phun_bench.asking import SPOKEN_DEFAULT, Form, Plan
from benchmarks.phun_bench.items import (
    HOMOPHONE,
    CharItem,
    GroupItem,
    HomophoneItem,
    PunItem,
    RhymeItem,
    SimilarityItem,
    marked,
)
from benchmarks.phun_bench.load import LEGACY
from benchmarks.phun_bench.speaking import ASK, WHOLE, WORDS

Concerns = Callable[[Any, Conditions], bool]


def _kind(kind: type) -> Concerns:
    return lambda item, conditions: isinstance(item, kind)


def _homophone(item: Any, conditions: Conditions) -> bool:
    return isinstance(item, HomophoneItem) and item.perturbation == HOMOPHONE


def _perturbed(item: Any, conditions: Conditions) -> bool:
    """Homophone Recall proper, or one of the release's legacy quasi-homophone sets (text only)."""
    wanted = conditions.options.get("perturbation", HOMOPHONE)
    if wanted not in (HOMOPHONE, *LEGACY):
        raise unknown("perturbation", wanted, (HOMOPHONE, *LEGACY))
    if conditions.modality == "audio":
        wanted = HOMOPHONE
    return isinstance(item, HomophoneItem) and item.perturbation == wanted


def _text(item: Any, conditions: Conditions) -> Mapping[str, str]:
    return {MAIN: item.text}


def query(item: GroupItem, conditions: Conditions) -> str:
    """The character of a group that char2char shows; drawn by seed and item. By ear there is none."""
    if conditions.modality == "audio":
        return ""
    digest = hashlib.sha256(f"query:{conditions.seed}:{item.id}".encode()).digest()
    return item.chars[int.from_bytes(digest[:4], "big") % len(item.chars)]


def _query_text(item: GroupItem, conditions: Conditions) -> Mapping[str, str]:
    return {MAIN: query(item, conditions)}


def _words(item: SimilarityItem, conditions: Conditions) -> Mapping[str, str]:
    return dict(zip(WORDS, (item.text, *item.candidates), strict=True))


def _pinyin(item: SimilarityItem, conditions: Conditions) -> Mapping[str, str]:
    return dict(zip(WORDS, map(marked, (item.reading, *item.readings)), strict=True))


def _written(stem: str) -> Mapping[str, Form]:
    """Text alone: everything the prompt shows is a field."""
    return {"word": Form(stem)}


def _single(stem: str) -> Mapping[str, Form]:
    """One clip, or its text."""
    return {"word": Form(stem, texts=_text)}


def _clip(stem: str) -> Mapping[str, Form]:
    return {"clips": Form(stem, (MAIN,))}


CHAR2PINYIN = Plan("phun.char2pinyin", _kind(CharItem), _single("char2pinyin"), _clip("char2pinyin"))
CHAR2CHAR = Plan(
    "phun.char2char",
    _kind(GroupItem),
    {"word": Form("char2char", texts=_query_text)},
    _clip("char2char"),
    lambda item, conditions: {"query": query(item, conditions)},
)
PINYIN2CHAR = Plan(
    "phun.pinyin2char",
    _kind(GroupItem),
    _written("pinyin2char"),
    {},
    lambda item, conditions: {"pinyin": item.syllable.pinyin},
)
HOMOPHONE_RECALL = Plan("phun.homophone_recall", _perturbed, _single("homophone_recall"), _clip("homophone_recall"))
WORD2PINYIN = Plan("phun.word2pinyin", _homophone, _single("word2pinyin"), _clip("word2pinyin"))
PINYIN2WORD = Plan(
    "phun.pinyin2word",
    _homophone,
    _written("pinyin2word"),
    {},
    lambda item, conditions: {"pinyin": marked(item.target_reading)},
)
CONTEXTUAL = Plan(
    "phun.contextual_homophone", _kind(PunItem), _single("contextual_homophone"), _clip("contextual_homophone")
)
CONTEXTUAL_WORD2PINYIN = Plan(
    "phun.contextual_word2pinyin",
    _kind(PunItem),
    _written("contextual_word2pinyin"),
    {},
    lambda item, conditions: {"sentence": item.text, "word": item.pun},
)
CONTEXTUAL_PINYIN2WORD = Plan(
    "phun.contextual_pinyin2word",
    _kind(PunItem),
    _written("contextual_pinyin2word"),
    {},
    lambda item, conditions: {"pinyin": marked(item.reading)},
)
RHYME_1 = Plan("phun.rhyme_1", _kind(RhymeItem), _single("rhyme_1"), _clip("rhyme_1"))
RHYME_2 = Plan("phun.rhyme_2", _kind(RhymeItem), _single("rhyme_2"), _clip("rhyme_2"))
SIMILARITY = Plan(
    "phun.similarity",
    _kind(SimilarityItem),
    {"word": Form("similarity", texts=_words), "pinyin": Form("similarity_pinyin", texts=_pinyin)},
    {
        "whole": Form("similarity_whole", (WHOLE,)),
        "clips": Form("similarity", WORDS),
        "clips_only": Form("similarity_clips_only", (ASK, *WORDS)),
    },
    spoken_default=SPOKEN_DEFAULT,
)
DICTATION = Plan(
    "phun.dictation",
    _homophone,
    _single("dictation"),
    {
        "clips": Form("dictation", (MAIN,)),
        "whole": Form("dictation_whole", (WHOLE,)),
        "clips_only": Form("dictation_clips_only", (ASK, MAIN)),
    },
    spoken_default=SPOKEN_DEFAULT,
)
