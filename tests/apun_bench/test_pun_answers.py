"""Replies as models write them, and what is read from each: one reading, or none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.apun_bench import answers

VERDICTS = [
    # reply, read when asked "a pun?", read when asked "a non-pun?"
    ("pun", "pun", "pun"),
    ("Pun.", "pun", "pun"),
    ("non-pun", "non-pun", "non-pun"),
    ("Non pun", "non-pun", "non-pun"),
    ("**Non-pun**", "non-pun", "non-pun"),
    ("nonpun", "non-pun", "non-pun"),
    ("The audio is a pun.", "pun", "pun"),
    ("This is not a pun.", "non-pun", "non-pun"),
    ("It isn't a pun", "non-pun", "non-pun"),
    ("The sentence does not contain a pun.", "non-pun", "non-pun"),
    ("There is no pun here.", "non-pun", "non-pun"),
    ("Yes", "pun", "non-pun"),
    ("No.", "non-pun", "pun"),
    ("Yes, this is a pun.", "pun", None),
    ("No, this sentence does not contain a pun. It is a literal statement.", "non-pun", "non-pun"),
    ("No, it is a pun.", None, "pun"),
    ("No, this is not a non-pun.", None, "pun"),
    ("It isn't a non-pun", "pun", "pun"),
    ("This doesn't contain a pun.", "non-pun", "non-pun"),
    ("I don’t think this is a pun.", "non-pun", "non-pun"),
    ("There is no clear pun here.", "non-pun", "non-pun"),
    ("It is not only a pun but a good one.", "pun", "pun"),
    ("This pun is not obvious.", "pun", "pun"),
    ("Yes, it is not a pun.", "non-pun", "non-pun"),
    ("Answer: non-pun", "non-pun", "non-pun"),
    ("The word 'bark' could be a pun or not a pun.\nAnswer: pun", "pun", "pun"),
    ("It could be a pun, but it is not a pun.", None, None),
    ("pun or non-pun", None, None),
    ("yes or no", None, None),
    ("Yes/No", None, None),
    ("<yes or no>", None, None),
    ("This is not a homophone but a pun.", "pun", "pun"),
    ("I did not hear all of it, it is a pun though.", "pun", "pun"),
    ("This does not appear to me to contain any kind of a pun.", "non-pun", "non-pun"),
    ("punctuation", None, None),
    ("I cannot hear the audio", None, None),
    ("", None, None),
]


@pytest.mark.parametrize(("reply", "pun", "nonpun"), VERDICTS)
def test_verdicts(reply: str, pun: str | None, nonpun: str | None) -> None:
    assert answers.verdict(reply, "pun") == pun
    assert answers.verdict(reply, "non-pun") == nonpun


WORDS = [
    ("honey", "honey"),
    ("Honey.", "Honey"),
    ('"honey"', "honey"),
    ("**honey**", "honey"),
    ("‘honey’", "honey"),
    ("honey comb", "honey comb"),
    ("The pun word is honey.", "honey"),
    ('The word that carries the pun is "honey".', "honey"),
    ("Answer: honey", "honey"),
    ("Answer: **honey**", "honey"),
    ("It plays on two meanings of it.\nAnswer: honey", "honey"),
    ("The bees want something sweet, which sounds like cash.\n\nhoney", "honey"),
    ("Answer:\nhoney", "honey"),
    ("I think the word is **honey**, which sounds like **money**.", "honey"),
    ("The punning word is honey because bees make it", "honey"),
    ("Answer: honey - it sounds like money", "honey"),
    ("The key word is 'honey' (like 'money').", "honey"),
    ("honey, bees", None),
    ("honey/bees", None),
    ("honey (money)", None),
    ('Either "honey" or "bees".', None),
    ("The bees want it for the thing they make all day", None),
    ("none", None),
    ("None.", None),
    ("", None),
    ("???", None),
    ("don't", "don't"),
    ("knot", "knot"),
    ("never", "never"),
    ('{"answer": "honey"}', "honey"),
    ('```json\n{"word": "honey"}\n```', "honey"),
    ('{"answer": ""}', None),
    ("{}", None),
    ("I don't know.", None),
    ("I’m not sure", None),
    ("Sorry, no idea", None),
    ("No idea at all", None),
    ("Not honey", None),
    ("The answer is not honey.", None),
]


@pytest.mark.parametrize(("reply", "word"), WORDS)
def test_words(reply: str, word: str | None) -> None:
    assert answers.word(reply) == word


MEANINGS = [
    ("sound of a dog AND skin of a tree", ("sound of a dog", "skin of a tree")),
    ("Sure! Here are the meanings:\nsound of a dog AND skin of a tree", ("sound of a dog", "skin of a tree")),
    ("1. sound of a dog\n2. skin of a tree", ("sound of a dog", "skin of a tree")),
    ("1) sound of a dog 2) skin of a tree", ("sound of a dog", "skin of a tree")),
    ("- sound of a dog\n- skin of a tree", ("sound of a dog", "skin of a tree")),
    ("Here they are:\n1. sound of a dog\n2. skin of a tree", ("sound of a dog", "skin of a tree")),
    ("sound of a dog; skin of a tree", ("sound of a dog", "skin of a tree")),
    ("sound of a dog and skin of a tree", ("sound of a dog", "skin of a tree")),
    ("First meaning: sound of a dog\nSecond meaning: skin of a tree", ("sound of a dog", "skin of a tree")),
    ("Answer: sound of a dog AND skin of a tree", ("sound of a dog", "skin of a tree")),
    ("sound of a dog", None),
    ("one AND two AND three", None),
    ("a noise", None),
    ("AND", None),
    ("", None),
]


@pytest.mark.parametrize(("reply", "meanings"), MEANINGS)
def test_meanings(reply: str, meanings: tuple[str, str] | None) -> None:
    assert answers.meanings(reply) == meanings


def test_chain_lines() -> None:
    reply = "**Pun:** yes\n- Word: honey\nMeaning: money\nThat is all."
    assert answers.chain(reply) == {"pun": "yes", "word": "honey", "meaning": "money"}
    assert answers.chain("Word: honey") is None


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=300))
def test_no_reply_crashes_a_reader(reply: str) -> None:
    assert answers.verdict(reply, "pun") in ("pun", "non-pun", None)
    word = answers.word(reply)
    assert word is None or (word and len(word.split()) <= 3)
    found = answers.meanings(reply)
    assert found is None or all(found)
    answers.chain(reply)


@pytest.mark.parametrize("piece", ["not a ", "pun ", '"x" ', "1. a 2. b ", "Answer: ", "AND ", "\n", "'a' ", "no "])
def test_long_hostile_replies_are_read_in_no_time(piece: str) -> None:
    reply = piece * (200_000 // len(piece))
    start = time.process_time()
    answers.verdict(reply, "pun")
    answers.word(reply)
    answers.meanings(reply)
    answers.chain(reply)
    assert time.process_time() - start < 2.0
