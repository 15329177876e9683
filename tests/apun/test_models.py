"""Models: arguments of loading, what a model need not say, and who is shown gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apun.errors import UsageError
from apun.models import BaseModel, Generation, LoadOptions, Model, ModelInfo, Scripted, show
from apun.prompts import Message, Prompt, Text
from apun.replies import Reply
from apun.run import answering
from apun.tasks import Question

INFO = ModelInfo("toy", "toy", "1", audio=True, max_clips=None, max_batch=2)
OUTSIDE = """
from apun.models import BaseModel, ModelInfo, Scripted
from apun.replies import Reply

class Greedy(BaseModel, Scripted):
    '''A third party's model that asks for the gold in every way there is.'''
    info = ModelInfo("greedy", "greedy", "1", audio=True, max_clips=None, max_batch=2)
    seen, prepared = [], []
    def see(self, questions): self.seen.extend(questions)
    def prepare(self, prompts): self.prepared.extend(prompts)
    def generate(self, prompts, generation): return [Reply("ok", text="a", answer="a") for _ in prompts]

class Plain:
    info = ModelInfo("plain", "plain", "1", audio=True)
    closed = False
    def generate(self, prompts, generation): return [Reply("ok", text="a", answer="a") for _ in prompts]
    def close(self): Plain.closed = True

def greedy(name, options): return Greedy()
def plain(name, options): return Plain()
"""


def questions(count: int) -> list[Question]:
    prompts = [Prompt(f"q{i}", "t.t", (Message("user", (Text("?"),)),)) for i in range(count)]
    return [Question(p.id, "t.t", SimpleNamespace(id=p.id), "p0", p) for p in prompts]  # type: ignore[arg-type]


class Knows(BaseModel, Scripted):
    """A scripted model."""

    def __init__(self) -> None:
        self.info = INFO
        self.seen: list[str] = []

    def see(self, questions: Sequence[Question]) -> None:
        self.seen += [question.id for question in questions]

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        return [Reply("ok", text="a", answer="a") for _ in prompts]


class Looks:
    """Has a method of that name, and no more."""

    def see(self, questions: Sequence[Question]) -> None:
        raise AssertionError("was shown the gold")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside_models.py").write_text(OUTSIDE)
    info = tmp_path / "outside-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[apun.models]\ngreedy = outside_models:greedy\nplain = outside_models:plain\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def answered(model: Any) -> list[Reply]:
    return [one.reply for one in answering.InProcess(model, 2).run(questions(5), lambda _: Generation(), lambda: False)]


def test_scripted_models_are_shown_the_questions_and_others_are_not() -> None:
    knows = Knows()
    assert [reply.status for reply in answered(knows)] == ["ok"] * 5
    assert knows.seen == [f"q{i}" for i in range(5)]
    show(Looks(), questions(1))
    show(object(), questions(1))


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", ["greedy", "plain"])
def test_a_third_partys_model_answers_and_is_never_handed_gold(name: str) -> None:
    from audio_models.catalogue import load

    model = load(name)
    assert isinstance(model, Model) and not isinstance(model, Scripted) and model.info.name == name
    assert [reply.answer for reply in answered(model)] == ["a"] * 5
    import outside_models  # type: ignore[import-not-found]

    assert outside_models.Greedy.seen == []
    if name == "greedy":
        assert [prompt.id for prompt in outside_models.Greedy.prepared] == ["q2", "q3", "q4"]
    else:
        model.close()
        assert outside_models.Plain.closed
    outside_models.Greedy.prepared.clear()


@pytest.mark.usefixtures("site")
def test_nor_is_it_as_the_second_stage_of_a_cascade() -> None:
    from audio_models.catalogue import load

    cascade = load("gold+greedy", LoadOptions(args={"cache": "off"}))
    assert isinstance(cascade, Scripted)
    import outside_models

    before = list(outside_models.Greedy.seen)
    show(cascade.model, questions(2))  # type: ignore[attr-defined]
    assert outside_models.Greedy.seen == before == []


def test_our_own_models_have_every_name_the_engine_calls() -> None:
    from audio_models.catalogue import load

    for name in ("mock:perfect", "solver", "gold+solver"):
        model = load(name)
        assert isinstance(model, Model), name
        model.prepare([])
        model.close()


@pytest.mark.parametrize("text", ["nan", "-1", "0", "inf", "many", ""])
def test_numbers_that_must_be_positive(text: str) -> None:
    with pytest.raises(UsageError, match=r"--model-arg timeout=.* is not a (positive )?number"):
        LoadOptions(args={"timeout": text}).number("timeout", 1, positive=True)


def test_arguments_are_read_by_kind() -> None:
    options = LoadOptions(args={"a": "2.5", "b": "3", "c": "Yes", "d": "0", "e": "maybe"})
    assert (options.number("a", 1), options.number("z", 1), options.whole("b", 1), options.whole("z", 7)) == (
        2.5,
        1,
        3,
        7,
    )
    assert (options.switch("c"), options.switch("d", True), options.switch("z", True)) == (True, False, True)
    with pytest.raises(UsageError, match=r"a='2\.5' is not a whole number"):
        options.whole("a", 1)
    with pytest.raises(UsageError, match="e='maybe' must be yes or no"):
        options.switch("e")
