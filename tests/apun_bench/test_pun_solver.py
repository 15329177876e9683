"""The reasoner's rules, one at a time; it knows no gold."""

from __future__ import annotations

import pytest

from apun.prompts import MAIN, Prompt
from apun.tasks import Conditions
from benchmarks.apun_bench import solver
from benchmarks.apun_bench.items import PunItem
from benchmarks.apun_bench.solver import neighbours
from benchmarks.apun_bench.tasks import chain, inference, listening, location, recognition


def heard(transcript: str, **fields: str) -> Prompt:
    return Prompt("q", "apun.location", (), (), {**fields, "transcripts": {MAIN: transcript}})


def test_neighbours_by_sound() -> None:
    flour = neighbours("flour")
    assert flour.same[0] == "flower"
    assert "hour" not in flour.same
    seal = neighbours("seal")
    assert {"deal", "feel", "zeal"} <= set(seal.near)
    assert "seals" not in seal.near  # a form of the same word
    assert neighbours("zzyzxq") == neighbours("qqqq")


def test_a_near_neighbour_is_one_segment_away_by_brute_force() -> None:
    """The index finds what comparing with every word of the lexicon finds."""
    from rapidfuzz.distance import Levenshtein

    from apun.phonetics.english.dictionary import variants
    from benchmarks.apun_bench.solver import _index, lemmas

    _, readings = _index()
    for word in ("seal", "night", "porpoise", "thread", "a", "colonel"):
        own = variants(word)
        brute = {
            other
            for other, said in readings.items()
            if other != word
            and not lemmas(other) & lemmas(word)
            and min(Levenshtein.distance(a, b) for a in own for b in said) <= 1
        }
        found = neighbours(word)
        assert {*found.same, *found.near} == brute


@pytest.mark.parametrize(
    ("transcript", "word"),
    [
        ("The baker gives his children everything they knead", "knead"),
        ("The knight shift starts late", "knight"),  # an odd spelling outweighs a later place
        ("The cook peeled potatoes with it", "potatoes"),  # function words are passed over
        ("", ""),
        ("of the", "the"),
    ],
)
def test_location(transcript: str, word: str) -> None:
    assert solver.locate_pun(heard(transcript)) == word


@pytest.mark.parametrize(
    ("transcript", "verdict"),
    [
        ("The drummer keeps a steady beet", "pun"),
        ("The beet and the potatoes published a report", "non-pun"),  # too early to be a punchline
        ("The committee published a report on Tuesday", "non-pun"),
        ("", "non-pun"),
    ],
)
def test_recognition(transcript: str, verdict: str) -> None:
    assert solver.recognise(heard(transcript)) == verdict


def test_inference() -> None:
    assert solver.infer(heard("x", pun_word="flour", wanted="word")) == "flower"
    assert solver.infer(heard("x", pun_word="zzyzxq", wanted="word")) == "none"
    assert solver.infer(heard("x", pun_word="bark", wanted="meanings")) == solver.NO_SENSES


def test_it_says_that_it_has_no_senses_and_gets_no_credit_for_it(ask, sample: list[PunItem]) -> None:
    scores = ask(inference.TASK, sample, lambda question: inference.TASK.solve(question.prompt))
    own = [score for score in scores if score.labels["type"] == "homographic"]
    assert {score.status for score in own} == {"unparsed"}


def test_choice_follows_the_transcript() -> None:
    fields = {"first": "money", "second": "honey"}
    assert solver.choose(heard("the bees want only honey", **fields)) == "honey"
    assert solver.choose(heard("the bees want only money", **fields)) == "money"
    assert solver.choose(heard("the bees want only sunny", **fields)) in ("honey", "money")
    assert solver.choose(heard("拳", **fields)) in ("honey", "money")


def test_it_reads_nothing_but_the_transcript(sample: list[PunItem]) -> None:
    """The same transcript under another item gives the same answer."""
    from dataclasses import replace

    for task in (recognition.TASK, location.TASK, chain.TASK):
        for item in sample[:20]:
            other = replace(item, id="other", is_pun=False, type="negative", pun_word="", pun_index=-1)
            other = replace(other, alternatives=(), meanings=(), swap_word="")
            mine, theirs = (
                [task.solve(q.prompt) for q in task.ask([one], Conditions(modality="text"), None)]
                for one in (item, other)
            )
            assert theirs in (mine, [])


def test_what_it_reaches_on_the_sample(ask, metrics, sample: list[PunItem]) -> None:
    """It hears homophones well and cannot tell senses: the reference line's shape, with room to change."""
    by_task = {
        task.name: metrics(task, ask(task, sample, lambda question, task=task: task.solve(question.prompt)))
        for task in (recognition.TASK, location.TASK, inference.TASK, listening.TASK)
    }
    assert by_task["apun.inference"]["hop"] > 0.8
    assert 0.05 < by_task["apun.inference"]["het"] < 0.5
    assert by_task["apun.inference"]["hog"] == 0.0
    assert by_task["apun.location"]["coarse"] > 0.6
    assert 0.5 < by_task["apun.recognition"]["accuracy"] < 0.9
    assert by_task["apun.listening"]["moves"] == 1.0
