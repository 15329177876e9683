"""The frame of asking: ids, wordings, clips and texts, and what is spoken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apun.asking import Case, Plan, condition_of, heard, item_of
from apun.clips import Clip
from apun.errors import DataError, UsageError
from apun.prompts import MAIN
from apun.replies import Reply
from apun.scores import Score
from apun.speech import Utterance
from apun.tasks import Benchmark, Conditions, Option, Question, Task, check_options


@dataclass(frozen=True)
class Item:
    id: str
    text: str
    cluster: str = "c"
    language: str = "zh"


ITEMS = [Item("a", "one"), Item("b", "two")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.toml").write_text(
        'version = 1\n[variants.p0]\nuser = "{audio} {claim}?"\nuser_text = "Text {transcript}: {claim}?"\n'
        '[variants.p1]\nuser = "p1 {audio} {claim}"\n[variants.own]\nuser = "own {claim}"\n'
    )
    return tmp_path


def cases(items: Sequence[Item], conditions: Conditions, variant: str) -> Iterator[Case]:
    for item in items:
        for claim in ("x", "y"):
            yield Case(item, "t.toml", {"claim": claim}, f".{claim}", clips={MAIN: "said"}, texts={MAIN: item.text})


def spoken(item: Item, conditions: Conditions) -> list[Utterance]:
    return [Utterance(item.id, item.text, "zh", part) for part in ("said", "other")]


class Speech:
    def __init__(self, *missing: str) -> None:
        self.missing = missing

    def clip(self, item: str, part: str = MAIN) -> Clip:
        if item in self.missing:
            raise DataError(f"no recording of {item}")
        return Clip(samples=np.full(1600, 0.1, dtype=np.float32))

    def parts(self, item: str) -> tuple[str, ...]:
        return () if item in self.missing else ("said",)

    def row(self, item: str, part: str = MAIN) -> Mapping[str, Any]:
        return {"speaker": "anna", "snr_db": 10, "words": [["one", 0.0, 0.1]], "text": "gold"}


def test_ids_variants_and_order(folder: Path) -> None:
    plan = Plan("t.task", folder, cases)
    written = Conditions(modality="text")
    assert [q.id for q in plan.ask(ITEMS, written, None)] == [
        f"t.task/{item}/p0.{claim}" for item in "ab" for claim in "xy"
    ]
    both = Conditions(modality="text", variants=("p1", "p0"))
    assert [q.variant for q in plan.ask(ITEMS[:1], both, None)] == ["p1.x", "p1.y", "p0.x", "p0.y"]


def test_in_writing_and_by_ear(folder: Path) -> None:
    plan = Plan("t.task", folder, cases)
    (first, *_) = plan.ask(ITEMS, Conditions(modality="text"), None)
    assert first.prompt.rendered()[0]["content"] == [{"text": "Text one: x?"}]
    assert (heard(first.prompt), condition_of(first), item_of(first, Item)) == ("one", "x", ITEMS[0])
    (first, *_) = plan.ask(ITEMS, Conditions(), Speech())
    assert [audio.name for audio in first.prompt.audios] == [MAIN]
    assert heard(first.prompt) is None
    fields = first.prompt.fields
    assert (fields["voice"], fields["snr_db"], fields["language"]) == ("anna", "10", "zh")
    assert fields["word_times"] == [["one", 0.0, 0.1]]
    assert "gold" not in repr(fields)


def test_no_speech_a_missing_clip_and_skipping(folder: Path) -> None:
    plan = Plan("t.task", folder, cases)
    with pytest.raises(UsageError, match="needs clips"):
        list(plan.ask(ITEMS, Conditions(), None))
    with pytest.raises(DataError, match="no recording of a"):
        list(plan.ask(ITEMS, Conditions(), Speech("a")))
    skipping = Plan("t.task", folder, cases, skip_unheard=True)
    assert {q.item.id for q in skipping.ask(ITEMS, Conditions(), Speech("a"))} == {"b"}


def test_items_are_asked_by_ear_by_what_the_split_has_of_them(folder: Path) -> None:
    known = Plan("t.task", folder, cases, audible=bool)
    assert {q.item.id for q in known.ask(ITEMS, Conditions(), Speech("a"))} == {"b"}
    whole = Plan("t.task", folder, cases, audible=lambda parts: {"said", "other"} <= set(parts))
    assert not list(whole.ask(ITEMS, Conditions(), Speech()))
    assert len(list(whole.ask(ITEMS, Conditions(modality="text"), None))) == 4
    with pytest.raises(UsageError, match="needs clips"):
        list(whole.ask(ITEMS, Conditions(), None))


def test_only_what_is_played_is_spoken(folder: Path) -> None:
    plan = Plan("t.task", folder, cases, spoken)
    assert [u.part for u in plan.speech(ITEMS[0], Conditions())] == ["said"]
    silent = Plan("t.task", folder, lambda items, conditions, variant: (Case(item, "t.toml") for item in items), spoken)
    assert plan.speech(ITEMS[0], Conditions()) and not silent.speech(ITEMS[0], Conditions())


def test_a_users_file_a_wording_and_a_ready_text(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('version = 1\n[variants.p0]\nuser = "mine {claim}"\n')
    plan = Plan("t.task", folder, cases)
    (first, *_) = plan.ask(ITEMS, Conditions(modality="text", prompts=own), None)
    assert first.prompt.rendered()[0]["content"] == [{"text": "mine x"}]

    def other(items: Sequence[Item], conditions: Conditions, variant: str) -> Iterator[Case]:
        yield Case(items[0], "t.toml", {"claim": "z"}, wording="own")
        yield Case(items[0], ready="As {it} stands.", suffix=".ready")

    own_wording, ready = Plan("t.task", folder, other).ask(ITEMS, Conditions(), Speech())
    assert own_wording.prompt.rendered()[0]["content"] == [{"text": "own z"}]
    assert (own_wording.id, ready.id) == ("t.task/a/p0", "t.task/a/p0.ready")
    assert ready.prompt.rendered()[0]["content"] == [{"text": "As {it} stands."}]
    with pytest.raises(UsageError, match="no prompt variant 'p9'"):
        list(plan.ask(ITEMS, Conditions(modality="text", variants=("p9",)), None))


def test_an_item_of_another_kind(folder: Path) -> None:
    (first, *_) = Plan("t.task", folder, cases).ask(ITEMS, Conditions(modality="text"), None)
    with pytest.raises(TypeError, match="expected a str, got a Item"):
        item_of(first, str)


def checked(text: str) -> None:
    if not text.isdigit():
        raise UsageError("tau is a number")


TAU, FORM = Option("tau", "threshold", default="3", check=checked), Option("form", "how", ("one", "two"))


def benchmark(options: Sequence[Option] | None) -> Benchmark:
    return Benchmark("b", "B", 1, "", {}, {}, lambda subset: [], lambda item, form: [], lambda runs: [], options)


def test_options_are_declared_once_and_checked_once() -> None:
    assert (TAU.of(Conditions()), FORM.of(Conditions())) == ("3", "one")
    assert FORM.of(Conditions(options={"form": "two"})) == "two"
    check_options(benchmark([TAU, FORM]), {"form": "two", "tau": "7"})
    check_options(benchmark(None), {"anything": "goes"})
    for options, says in (
        ({"from": "two"}, "no option of b called 'from'. Did you mean form"),
        ({"form": "tow"}, "no value of form called 'tow'. Did you mean two"),
        ({"tau": "x"}, "tau is a number"),
    ):
        with pytest.raises(UsageError, match=says):
            check_options(benchmark([TAU, FORM]), options)


def test_question_is_a_question(folder: Path) -> None:
    (first, *_) = Plan("t.task", folder, cases).ask(ITEMS, Conditions(modality="text"), None)
    assert isinstance(first, Question)
    assert first.task == "t.task"


def test_a_plan_makes_its_task(folder: Path) -> None:
    def made(plan: Plan, **more: Any) -> Task:
        return plan.as_task("Title", score, (), lambda prompt: "", lambda question: "", **more)

    def score(question: Question, reply: Reply) -> Score:
        return Score.of(question, reply, None, {})

    plan = Plan("t.task", folder, cases, spoken, ("p0", "p1"))
    own = made(plan)
    assert (own.name, own.title, own.version, own.variants) == ("t.task", "Title", 1, ("p0", "p1"))
    assert own.score is score and own.ask == plan.ask and own.speech == plan.speech
    assert [u.part for u in plan.speech(ITEMS[0], Conditions())] == ["said"]
    assert made(Plan("t.task", folder, cases)).speech is None  # the benchmark says what is spoken
    other = made(plan, version=2, modalities=("text",), max_new_tokens=9)
    assert (other.version, other.modalities, other.max_new_tokens) == (2, ("text",), 9)
