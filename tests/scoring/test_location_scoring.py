"""Coarse location: equations 1-3 and what the paper leaves open."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apun.errors import UsageError
from apun.phonetics import Sound, english, ipa, sounds
from apun.phonetics.english import dictionary
from apun.scoring import location as location_module
from apun.scoring.location import locate
from apun.scoring.phonetic import closeness, edit_similarity, same_sound, similarity, symbols, vector

CLAYMORE = "When asked to picture the perfect modern defensive weapon the Claymore springs to mine."


def test_the_sounding_alternative_finds_the_pun_word() -> None:
    found = locate("mind", CLAYMORE)
    assert (found.index, found.word) == (13, "mine")
    assert found.table[13].similarity == found.similarity == found.edit + found.cosine
    assert len(found.table) == 14
    assert not found.exact


def test_equations_by_hand() -> None:
    # mind m a ɪ n d, mine m a ɪ n: one deletion in five symbols
    found = locate("mind", "mine")
    assert found.edit == pytest.approx(1 - 1 / 5)
    table = ipa.feature_table()
    vowels = [table.values[table.index[s]] for s in ("a", "ɪ")]
    consonants = [table.values[table.index[s]] for s in ("m", "n")]
    longer = [*consonants, table.values[table.index["d"]]]
    a = np.concatenate([np.sum(vowels, axis=0), np.sum(longer, axis=0)]).astype(float)
    b = np.concatenate([np.sum(vowels, axis=0), np.sum(consonants, axis=0)]).astype(float)
    assert found.cosine == pytest.approx(a @ b / math.sqrt((a @ a) * (b @ b)), abs=1e-6)


def test_ties_and_repeated_words_go_to_the_later_position() -> None:
    assert locate("the", "the cat the dog").index == 2
    found = locate("there", "there over their house")
    assert (found.index, found.similarity) == (2, 2.0)


def test_hits_counts_a_repeated_word_wherever_it_stands() -> None:
    found = locate("time", "Time flies, but time heals")
    assert found.index == 3
    assert found.hits(3)
    assert found.hits(0)
    assert not found.hits(1)
    assert not found.hits(99)
    homophone = locate("there", "there over their house")
    assert not homophone.hits(0)


def test_phrases() -> None:
    found = locate("sweaty palms", "He had sweaty psalms, very sweaty psalms.")
    assert (found.start, found.index, found.word) == (5, 6, "sweaty psalms")
    assert found.covers(5)
    assert found.covers(6)
    assert not found.covers(3)
    one = locate("not see", "It was a nazi joke")
    assert (one.start, one.index, one.word) == (3, 3, "nazi")
    assert locate("well known", "a well-known fact").word == "well known"


@pytest.mark.parametrize(
    ("word", "text", "reason"),
    [
        ("", "some words", "holds no word"),
        ("...", "some words", "holds no word"),
        ("🎉", "some words", "cannot be read"),
        ("one two three four five", "some words", "5 words"),
        ("x" * 300, "some words", "300 characters"),
        ("word", "", "no word"),
        ("word", "— … !", "no word"),
        ("word", "🎉 你好", "sounds at all like"),
    ],
)
def test_nothing_is_located_for_a_reason(word: str, text: str, reason: str) -> None:
    found = locate(word, text)
    assert found.index is None
    assert found.start is None
    assert found.similarity == 0
    assert reason in found.reason
    assert len(found.table) == len(found.words)


def test_unreadable_words_stay_in_the_table() -> None:
    found = locate("cat", "the 猫 cat")
    assert [row.word for row in found.table] == ["the", "猫", "cat"]
    assert found.table[1].similarity == 0
    assert found.table[1].problem
    assert found.index == 2


def test_tokens_are_counted_as_given() -> None:
    tokens = ["'", "'", "I", "'", "m", "halfway", ",", "Tom", "alleged", "."]
    assert locate("ledge", tokens).index == 8
    assert locate("ledge", " ".join(tokens)).index == 4


def test_variants_take_the_best_pair() -> None:
    # "read" is said like "red" and like "reed"
    assert locate("red", "I like to read").exact
    assert locate("reed", "I like to read").exact


def test_mandarin_and_japanese() -> None:
    pytest.importorskip("pypinyin")
    found = locate("鱼", "年年有余", "zh")
    assert (found.index, found.word, found.exact) == (3, "余", True)
    # the tone counts: 雨 has the sound of 余 in another tone
    assert 1 < locate("雨", "年年有余", "zh").similarity < 2
    assert locate("有鱼", "年年有余", "zh").word == "有余"
    pytest.importorskip("sudachipy")
    assert locate("橋", "箸を渡る", "ja").word == "箸"


def test_unknown_language() -> None:
    with pytest.raises(UsageError, match="'de'"):
        locate("a", "b", "de")


def test_memory_is_given_back_and_results_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    before = locate("mind", CLAYMORE)
    monkeypatch.setattr(location_module, "_MOST_READINGS", 10)
    locate("mind", CLAYMORE)
    assert locate("mind", CLAYMORE) == before
    locate("kneaded", "the baker needed money and then some dough for bread and more words beyond")
    monkeypatch.setattr(location_module, "_MOST_READINGS", 200_000)
    assert locate("mind", CLAYMORE) == before


def test_a_changed_backend_leaves_no_stale_reading() -> None:
    pytest.importorskip("phonemizer")
    pytest.importorskip("espeakng_loader")
    assert not dictionary.variants("syzygy")
    found = {}
    try:
        for backend in ("letters", "espeak"):
            english.use_backend(backend)
            found[backend] = locate("syzygy", ["scissors"])
            assert found[backend].similarity == sum(similarity(sounds("syzygy"), sounds("scissors")))
    finally:
        english.use_backend("letters")
    assert found["letters"] != found["espeak"]
    assert locate("syzygy", ["scissors"]) == found["letters"]


def test_threads_get_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(w, f"the {w} of {v} and {w}") for w, v in zip(WORDS[:150], WORDS[150:300], strict=True)]
    alone = [locate(*pair).index for pair in pairs]
    monkeypatch.setattr(location_module, "_MOST_READINGS", 50)  # forgotten over and over
    with ThreadPoolExecutor(8) as pool:
        assert [found.index for found in pool.map(lambda pair: locate(*pair), pairs * 3)] == alone * 3


WORDS = [w for w in dictionary.all_words() if w.isalpha()][::50]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)


@given(st.sampled_from(WORDS), SENTENCES)
@settings(deadline=None, max_examples=200)
def test_the_located_word_has_the_largest_similarity_and_all_lie_in_range(word: str, sentence: list[str]) -> None:
    found = locate(word, " ".join(sentence))
    rows = found.table
    assert [row.word for row in rows] == sentence
    for row in rows:
        assert 0 <= row.edit <= 1
        assert 0 <= row.cosine <= 1
        assert row.similarity == row.edit + row.cosine
    best = max(row.similarity for row in rows)
    if found.index is None:
        assert best == 0
        return
    assert found.similarity == best
    assert all(row.similarity < best for row in rows[found.index + 1 :])


@given(st.sampled_from(WORDS), st.sampled_from(WORDS))
@settings(deadline=None, max_examples=400)
def test_similarity_is_symmetric_and_two_exactly_for_the_same_sounds(a: str, b: str) -> None:
    first, second = sounds(a), sounds(b)
    there, back = similarity(first, second), similarity(second, first)
    assert sum(there) == pytest.approx(sum(back), abs=1e-6)
    assert (sum(there) == 2.0) == same_sound(first, second)
    assert closeness(first, second) == pytest.approx(closeness(second, first))
    assert 0 <= closeness(first, second) <= 1
    assert (closeness(first, second) == 1.0) == same_sound(first, second)
    located = locate(a, [b])
    if located.index is not None:
        assert located.similarity == pytest.approx(sum(there), abs=1e-6)


@given(st.sampled_from(WORDS))
@settings(deadline=None, max_examples=100)
def test_a_word_sounds_like_itself(word: str) -> None:
    assert similarity(sounds(word), sounds(word)) == (1.0, 1.0)
    assert locate(word, ["other", word, "word"]).exact


segments = st.lists(st.sampled_from(sorted(ipa.feature_table().index)[::40]), min_size=1, max_size=8).map(tuple)


@given(segments, segments)
@settings(deadline=None, max_examples=300)
def test_any_segments_keep_the_range(a: tuple[str, ...], b: tuple[str, ...]) -> None:
    one, two = Sound(a), Sound(b)
    edit, cosine = similarity([one], [two])
    assert 0 <= edit <= 1
    assert 0 <= cosine <= 1
    assert (edit + cosine == 2.0) == (symbols(one) == symbols(two))
    assert 0 <= closeness([one], [two]) <= 1


@given(segments)
@settings(deadline=None)
def test_vectors_are_sums_of_vowels_and_of_consonants(a: tuple[str, ...]) -> None:
    table = ipa.feature_table()
    rows = [table.values[table.index[segment]].astype(int) for segment in a]
    vowels = sum((row for row in rows if row[0] > 0), np.zeros(24, dtype=int))
    consonants = sum((row for row in rows if row[0] <= 0), np.zeros(24, dtype=int))
    assert vector(a).tolist() == [*vowels, *consonants]


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_edit_similarity_against_a_plain_levenshtein(a: str, b: str) -> None:
    assume(a or b)
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    assert edit_similarity(a, b) == pytest.approx(1 - row[-1] / max(len(a), len(b)))


@given(st.text(max_size=30), st.text(max_size=60))
@settings(deadline=None, max_examples=300)
def test_no_text_crashes(word: str, text: str) -> None:
    found = locate(word, text)
    assert (found.index is None) == bool(found.reason)
    assert len(found.table) == len(found.words)


def test_a_negative_cosine_counts_as_none() -> None:
    """Few sounds have one: t͡ʃ and w differ in most of what either has."""
    assert float(vector(["t͡ʃ"]) @ vector(["w"])) < 0
    assert similarity([Sound(("t͡ʃ",), ())], [Sound(("w",), ())]) == (0.0, 0.0)
