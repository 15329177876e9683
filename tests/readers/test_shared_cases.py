"""Small replies that went wrong, or must stay right, beside the checkout: what is read today must stay read.

``MISSING`` names the lines that are not read right yet; a change may only shorten it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apun.phonetics.japanese import same_reading
from apun.phonetics.mandarin import is_han
from apun.readers.choice import choice
from apun.readers.lines import verse
from apun.readers.pair import meanings, pair
from apun.readers.reading import kana, pinyin
from apun.readers.verdict import verdict, yes_no
from apun.readers.word import characters, chinese_word, word
from benchmarks.phun_bench.tasks.contextual import PUN_LABELS
from benchmarks.x_riddles.tasks.both_readings import is_reading, read_both
from benchmarks.x_riddles.tasks.explaining import _named, find_claims

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
MISSING = {
    "replies.jsonl": {
        64: "traditional script",
        69: "explaining: 念舅谐“念旧”, one word without quotes",
        70: "traditional script",
        104: "romaji: a doubled o may be う as well, in the conversion and not in the reader",
    },
    "replies_en.jsonl": {30: "an echo beside the word itself counts as two meanings: the scorer's to say"},
}


def cases(name: str) -> list[tuple[int, dict[str, Any]]]:
    file = CASES / name
    if not file.is_file():
        pytest.skip("the shared cases (../shared/cases) are not beside this checkout")
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    return [(number, json.loads(line)) for number, line in lines]


def numbered(reply: str) -> str:
    return " ".join(syllable.numbered for syllable in pinyin(reply).value or ())


def contextual(reply: str) -> bool:
    pun, original = pair(reply, *PUN_LABELS, sounding=True).value or ("", "")
    return bool(pun and original) and pun in "透柿眼" and original in "透视眼" and original not in "透柿眼"


def both(reply: str) -> bool:
    read = read_both(reply)
    return read is not None and read["literal"] == "念舅" and is_reading(read["intended"], "念旧", ["旧"])


RIGHT = {
    "char2pinyin": lambda reply: numbered(reply) == "lü3",
    "word2pinyin": lambda reply: numbered(reply) == "yuan2 yuan2 bu4 duan4",
    "homophone_recall": lambda reply: chinese_word(reply, 4).value == "源源不断",
    "contextual_homophone": contextual,
    "similarity": lambda reply: choice(reply, ("长线", "奉献", "文献", "光线")).value == 0,
    "rhyme_2": lambda reply: "".join(filter(is_han, verse(reply).value or "")) == "我在夜里轻轻想起技术",
    "pinyin2char": lambda reply: (characters(reply).value or [])[:5] == list("狈备辈惫邶"),
    "matching": lambda reply: choice(reply, ["念旧", "毕业", "改邪归正", "一言难尽"]).value == 0,
    "both_readings": both,
    "explaining": lambda reply: _named(reply, "舅", "旧", find_claims(reply)),
    "reading_multiple": lambda reply: kana(reply, kanji="覚", word="覚悟").value == ("かく",),
    "reading_single": lambda reply: any(
        same_reading(said, "しょう") for said in kana(reply, kanji="証", word="証明").value or ()
    ),
    "qa_multiple": lambda reply: yes_no(reply).value is False,
    "rhyme_selection_kanji": lambda reply: (
        choice(reply, ["過剰", "感想", "枚挙", "四季"], ["かじょう", "かんそう", "まいきょ", "しき"]).value == 3
    ),
    "rhyme_generation": lambda reply: kana(reply, given="ひじ").value == ("しき",),
}


def test_replies_get_the_credit_a_careful_person_gives() -> None:
    lines = cases("replies.jsonl")
    wrong = {number for number, case in lines if float(RIGHT[case["task"]](case["reply"])) != case["credit"]}
    assert len(lines) >= 105 and wrong == set(MISSING["replies.jsonl"])


def english(case: dict[str, Any]) -> bool:
    reply, task = case["reply"], case["task"]
    if task == "recognition":
        return verdict(reply, case["asked"]).value == case["verdict"]
    if task == "inference, meaning":
        found = meanings(reply).value
        return (None if found is None else list(found)) == (case["meanings"] if len(reply) < 1_000 else None)
    found_word = word(reply).value if task == "location" else word(reply, "other", case["pun_word"]).value
    return (found_word.casefold() if found_word else None) == case["word"]


def test_english_replies_are_read_as_a_careful_person_reads_them() -> None:
    lines = cases("replies_en.jsonl")
    wrong = {number for number, case in lines if not english(case)}
    assert len(lines) >= 32 and wrong == set(MISSING["replies_en.jsonl"])
