"""Overlap is the appendix's Jaccard index, and 1,000 creations against a whole list take no time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.x_riddles.data import known, novel
from benchmarks.x_riddles.lists import read_entries
from benchmarks.x_riddles.novelty import Corpus, jaccard

CHARS = st.text(alphabet="孔夫子搬家净是书输猫狗", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("a", "b", "score"),
    [
        ("孔夫子", "孔夫子", 1.0),
        ("孔夫子", "子夫孔孔", 1.0),
        ("孔夫子", "猫狗", 0.0),
        ("孔夫子搬", "孔夫猫狗", 2 / 6),
        ("书书书输", "输", 0.5),
        ("", "书", 0.0),
        ("", "", 0.0),
    ],
)
def test_hand_made_cases(a: str, b: str, score: float) -> None:
    assert jaccard(a, b) == jaccard(b, a) == score


def test_the_largest_overlap_and_all_that_reach_it() -> None:
    corpus = Corpus((("甲乙", "丙"), ("甲乙", "丁"), ("丁戊", "己"), ("乙甲", "丙丙")))
    found = corpus.overlap("甲乙", "丙戊")
    assert found.score == 3 / 4 and found.nearest == (0, 3) and not found.original
    assert corpus.overlap("甲", "戊己庚").score == 2 / 5
    assert corpus.overlap("甲", "戊己庚") == corpus.overlap("甲戊", "己庚")  # one string: the parts do not matter
    assert corpus.overlap("辛", "壬").score == 0.0 and corpus.overlap("辛", "壬").original


def test_half_is_a_possible_duplicate() -> None:
    corpus = Corpus((("甲乙", "丙"),))
    half = corpus.overlap("甲乙丙", "丁戊己")
    assert half.score == 0.5 and not half.original and half.nearest == (0,)
    below = corpus.overlap("甲乙丙", "丁戊己庚")
    assert below.score == 3 / 7 and below.original and below.nearest == ()


@given(st.lists(st.tuples(CHARS, CHARS), min_size=1, max_size=12), CHARS, CHARS)
@settings(deadline=None, max_examples=60)
def test_the_index_gives_the_definition(entries: list[tuple[str, str]], riddle: str, answer: str) -> None:
    scores = [jaccard(riddle + answer, r + a) for r, a in entries]
    found = Corpus(tuple(entries)).overlap(riddle, answer)
    assert found.score == max(scores)
    expected = tuple(i for i, score in enumerate(scores) if score == max(scores)) if max(scores) >= 0.5 else ()
    assert found.nearest == expected


def test_an_empty_corpus() -> None:
    assert Corpus(()).overlap("甲", "乙").original


def test_a_thousand_creations_against_14032_entries(shared_data: Path) -> None:
    path = shared_data / "xiehouyu" / "chinese-xinhua" / "data" / "xiehouyu.json"
    corpus = Corpus(tuple((entry.riddle, entry.answer) for entry in read_entries(path)))
    assert len(corpus.entries) == 14_032
    new = novel()
    created = [(new[i % 76].riddle, new[(i * 7 + i // 76) % 76].intended) for i in range(1000)]
    start = time.perf_counter()
    found = [corpus.overlap(riddle, answer) for riddle, answer in created]
    seconds = time.perf_counter() - start
    assert seconds <= 2.0, f"{seconds:.2f} s, the index included"
    for place in (0, 500, 999):
        riddle, answer = created[place]
        assert found[place].score == max(jaccard(riddle + answer, r + a) for r, a in corpus.entries)


def test_the_union_of_lists_leaves_parentheses_out(tmp_path: Path) -> None:
    (tmp_path / "vocabs.txt").write_text("孔夫子搬家　——　净是输（书）；尽是输（比喻总失败）\n", encoding="utf-8")
    added = known(str(tmp_path)).entries[len(known().entries) :]
    assert ("孔夫子搬家", "尽是输") in added and all("（" not in answer for _, answer in known(str(tmp_path)).entries)
