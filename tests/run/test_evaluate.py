"""The runner, end to end on the toy benchmark: statuses, resume, keys, refusals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_benchmark import BENCHMARK

from apun import registry
from apun.clips import Clip
from apun.errors import DataError, UsageError
from apun.models import Generation, LoadOptions, ModelInfo
from apun.prompts import Prompt
from apun.replies import Consumed, Reply
from apun.run.data import Data, Selection
from apun.run.evaluate import Outcome, Request, evaluate
from apun.run.folder import read_scores, read_summary
from apun.run.log import ReplyLog
from apun.run.summary import score_folder
from apun.tasks import Conditions, Subset


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")


def go(tmp_path: Path, model: str = "mock:perfect", modality: str = "text", **changes: object) -> Outcome:
    selection = Selection("toy", conditions=Conditions(modality=modality))  # type: ignore[arg-type]
    return evaluate(replace(Request(selection, model, out=tmp_path / "run"), **changes))  # type: ignore[arg-type]


def metric(outcome: Outcome, name: str = "accuracy") -> dict[str, float]:
    return outcome.summary["tasks"]["toy.parity"]["metrics"][name]


def test_perfect_model_scores_one_and_every_item_counts(tmp_path: Path) -> None:
    outcome = go(tmp_path)
    assert metric(outcome)["value"] == 1.0 and metric(outcome)["n"] == 20
    assert metric(outcome, "odd")["n"] == 10
    assert outcome.summary["tasks"]["toy.parity"]["failure_rate"] == 0.0


def test_constant_answer_scores_half_and_unparsed_answers_count_as_wrong(tmp_path: Path) -> None:
    assert metric(go(tmp_path, "mock:always=odd"))["value"] == 0.5
    babble = go(tmp_path / "b", "mock:always=who knows")
    part = babble.summary["tasks"]["toy.parity"]
    assert part["counts"] == {"unparsed": 20} and part["failure_rate"] == 1.0 and metric(babble)["value"] == 0.0


def test_interval_holds_the_value_and_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = go(tmp_path / "a", "mock:always=odd"), go(tmp_path / "b", "mock:always=odd")
    assert metric(one)["low"] <= 0.5 <= metric(one)["high"]
    assert (one.folder / "summary.json").read_bytes() == (two.folder / "summary.json").read_bytes()


def test_a_second_run_asks_nothing_and_gives_the_same_summary(tmp_path: Path) -> None:
    log = tmp_path / "asked"
    options = LoadOptions(args={"log": str(log)})
    first = go(tmp_path, load=options)
    second = go(tmp_path, load=options)
    assert (first.asked, second.asked, second.kept) == (20, 0, 20)
    assert len(log.read_text().split()) == 20
    assert first.summary == second.summary


class Scripted:
    """A model whose behaviour a test chooses."""

    def __init__(self, behave: object, **info: object) -> None:
        self.behave = behave
        self.info = replace(ModelInfo("scripted", "test", "1", True, None, max_batch=4), **info)  # type: ignore[arg-type]
        self.calls: list[int] = []

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        self.calls.append(len(prompts))
        return [self.behave(prompt) for prompt in prompts]  # type: ignore[operator]

    def close(self) -> None:
        pass


def heard(prompt: Prompt, **consumed: object) -> Reply:
    full = {"clips": len(prompt.audios), "seconds": prompt.seconds, "audio_tokens": 8}
    return Reply(status="ok", text="odd", answer="odd", consumed=Consumed(**{**full, **consumed}))  # type: ignore[arg-type]


def ask(tmp_path: Path, model: Scripted, modality: str = "audio", **changes: object) -> Outcome:
    selection = Selection("toy", conditions=Conditions(modality=modality))  # type: ignore[arg-type]
    request = replace(Request(selection, "scripted", out=tmp_path / "run"), **changes)  # type: ignore[arg-type]
    return evaluate(request, load=lambda name, options: model)


@pytest.mark.parametrize(
    ("consumed", "said"),
    [
        ({"clips": 0}, "0 of 1 clips"),
        ({"audio_tokens": 0}, "no audio token"),
        ({"seconds": 0.1}, "heard 0.10 s of 0.30 s"),
    ],
)
def test_audio_that_was_not_heard_is_an_error_never_a_wrong_answer(
    tmp_path: Path, consumed: dict[str, object], said: str
) -> None:
    outcome = ask(tmp_path, Scripted(lambda prompt: heard(prompt, **consumed)))
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"error": 20}
    line = json.loads((outcome.folder / "replies.jsonl").read_text().splitlines()[0])
    assert said in line["reason"] and "answer" not in line and line["text"] == "odd"


def test_whole_hearing_passes(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Scripted(heard))
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"scored": 20}


def test_a_model_without_ears_gets_errors_in_the_audio_modality(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Scripted(heard, audio=False))
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"error": 20}


def test_an_exception_in_a_batch_costs_one_prompt_not_the_batch(tmp_path: Path) -> None:
    def behave(prompt: Prompt) -> Reply:
        if "n00003" in prompt.id:
            raise RuntimeError("out of cheese")
        return heard(prompt)

    outcome = ask(tmp_path, Scripted(behave))
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"error": 1, "scored": 19}
    assert "out of cheese" in (outcome.folder / "replies.jsonl").read_text()


def test_errors_are_asked_again_and_good_replies_are_not(tmp_path: Path) -> None:
    ask(tmp_path, Scripted(lambda prompt: Reply.error("later") if "n00003" in prompt.id else heard(prompt)))
    model = Scripted(heard)
    outcome = ask(tmp_path, model)
    assert (outcome.asked, outcome.kept) == (1, 19)
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"scored": 20}


def test_a_changed_revision_asks_everything_again(tmp_path: Path) -> None:
    ask(tmp_path, Scripted(heard))
    assert ask(tmp_path, Scripted(heard, revision="2")).asked == 20


def test_too_few_replies_from_an_adapter_are_errors(tmp_path: Path) -> None:
    class Short(Scripted):
        def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
            return []

    outcome = ask(tmp_path, Short(heard))
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"error": 20}
    assert "0 replies to 1 prompts" in (outcome.folder / "replies.jsonl").read_text()


def test_batches_respect_both_limits(tmp_path: Path) -> None:
    model = Scripted(heard)
    ask(tmp_path, model, batch_size=3)
    assert max(model.calls) == 3 and sum(model.calls) == 20
    wide = Scripted(heard)
    ask(tmp_path / "w", wide, batch_size=100)
    assert max(wide.calls) == 4


def test_a_folder_with_another_run_is_refused_by_field_and_fresh_sets_it_aside(tmp_path: Path) -> None:
    go(tmp_path)
    with pytest.raises(UsageError, match=r"holds another run: max_new_tokens was None and is now 7"):
        go(tmp_path, max_new_tokens=7)
    go(tmp_path, max_new_tokens=7, fresh=True)
    assert len(list(tmp_path.glob("run.old-*"))) == 1


def test_rescoring_rebuilds_everything_from_the_replies(tmp_path: Path) -> None:
    outcome = go(tmp_path, "mock:always=odd")
    before = (outcome.folder / "scores.jsonl").read_bytes()
    (outcome.folder / "scores.jsonl").unlink()
    (outcome.folder / "summary.json").unlink()
    assert score_folder(outcome.folder) == outcome.summary
    assert (outcome.folder / "scores.jsonl").read_bytes() == before
    assert [score.status for score in read_scores(outcome.folder)] == ["scored"] * 20


def test_questions_without_a_reply_are_counted_as_missing(tmp_path: Path) -> None:
    outcome = go(tmp_path)
    log = outcome.folder / "replies.jsonl"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:15]))
    part = score_folder(outcome.folder)["tasks"]["toy.parity"]
    assert (part["n"], part["missing"]) == (15, 5)


def test_a_damaged_line_is_named_and_a_torn_last_one_is_repaired(tmp_path: Path) -> None:
    outcome = go(tmp_path)
    log = outcome.folder / "replies.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:10]) + lines[10][:30])
    again = go(tmp_path)
    assert (again.kept, again.asked) == (10, 10) and again.summary == outcome.summary
    lines[16] = "{broken\n"
    log.write_text("".join(lines))
    with pytest.raises(DataError, match=r"replies\.jsonl:17: damaged line"):
        go(tmp_path)


def test_two_writers_on_one_folder_are_refused_with_the_first_ones_pid(tmp_path: Path) -> None:
    import os

    with ReplyLog(tmp_path), pytest.raises(UsageError, match=f"pid {os.getpid()} on"):
        ReplyLog(tmp_path).__enter__()


def test_fresh_does_not_pull_the_folder_from_under_a_running_run(tmp_path: Path) -> None:
    folder = go(tmp_path).folder
    with ReplyLog(folder), pytest.raises(UsageError, match="is being written by pid"):
        go(tmp_path, fresh=True)
    assert (folder / "summary.json").is_file() and [path.name for path in tmp_path.iterdir()] == [folder.name]
    assert go(tmp_path, fresh=True).asked == 20


def test_a_run_with_replies_survives_a_model_that_no_longer_loads(tmp_path: Path) -> None:
    def broken(name: str, options: LoadOptions) -> Scripted:
        raise UsageError("no weights")

    folder = ask(tmp_path, Scripted(heard)).folder
    request = Request(Selection("toy"), "scripted", out=folder)
    with pytest.raises(UsageError, match="no weights"):
        evaluate(request, load=broken)
    assert len((folder / "replies.jsonl").read_text().splitlines()) == 20 and (folder / "run.json").is_file()


@pytest.mark.parametrize(
    ("key", "value"), [("model", None), ("selection", None), ("selection", []), ("selection", {"benchmark": "toy"})]
)
def test_a_run_whose_settings_are_damaged_is_refused_in_one_sentence(tmp_path: Path, key: str, value: object) -> None:
    folder = go(tmp_path).folder
    record = json.loads((folder / "run.json").read_text())
    record["asked"] = {k: v for k, v in {**record["asked"], key: value}.items() if v is not None}
    (folder / "run.json").write_text(json.dumps(record))
    with pytest.raises(DataError, match=r"run\.json: field 'asked': (lacks|cannot be used)"):
        score_folder(folder)


def test_a_damaged_summary_says_how_to_rebuild_it(tmp_path: Path) -> None:
    folder = go(tmp_path).folder
    for text in ("{", "[]", "{}"):
        (folder / "summary.json").write_text(text)
        with pytest.raises(DataError, match="Rebuild it: apun score"):
            read_summary(folder)


def test_duplicate_questions_are_refused(tmp_path: Path) -> None:
    items = [*BENCHMARK.load(Subset("sample")), *BENCHMARK.load(Subset("sample"))[:1]]
    data = Data(BENCHMARK, tuple(BENCHMARK.tasks.values()), items, None, Conditions("text"), "x")
    with pytest.raises(UsageError, match="occurs twice"):
        list(data.questions())


def test_unknown_names_are_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean parity"):
        evaluate(Request(Selection("toy", tasks=("party",)), "mock:perfect", out=tmp_path))
    with pytest.raises(UsageError, match="no item called 'n1'"):
        evaluate(Request(Selection("toy", ids=("n1",)), "mock:perfect", out=tmp_path))
    with pytest.raises(UsageError, match="whisper"):
        go(tmp_path, "wisper-base+smollm2")


def test_a_clip_that_cannot_be_read_is_that_questions_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import toy_benchmark

    monkeypatch.setattr(
        toy_benchmark, "tone", lambda value: Clip(tmp_path / "none.wav") if value == 4 else Clip(samples=_noise(value))
    )
    outcome = ask(tmp_path, Scripted(heard))
    assert outcome.summary["tasks"]["toy.parity"]["counts"] == {"error": 1, "scored": 19}
    assert "none.wav: audio file is missing" in (outcome.folder / "replies.jsonl").read_text()


def _noise(value: int) -> np.ndarray:
    return np.random.default_rng(value).normal(0, 0.1, 4_800).astype(np.float32)


def test_every_line_of_the_log_says_what_was_sent_and_consumed(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Scripted(heard))
    record = json.loads((outcome.folder / "replies.jsonl").read_text().splitlines()[0])
    assert record["sent"][0]["content"][0]["audio"] and "odd or even" in record["sent"][0]["content"][1]["text"]
    assert record["consumed"] == {"clips": 1, "seconds": 0.3, "audio_tokens": 8}
    run = json.loads((outcome.folder / "run.json").read_text())
    assert run["environment"]["packages"]["numpy"] and run["model"]["revision"] == "1"


def test_who_spoke_stands_in_the_signature_of_what_was_heard(tmp_path: Path) -> None:
    def signature(modality: str, voices: str) -> str:
        selection = Selection("toy", conditions=Conditions(modality=modality), voices=voices)  # type: ignore[arg-type]
        request = Request(selection, "scripted", out=tmp_path / f"{modality}-{voices}")
        outcome = evaluate(request, load=lambda name, options: Scripted(heard))
        return str(outcome.summary["tasks"]["toy.parity"]["signature"])

    assert "|voices:kokoro:alto|" in signature("audio", "kokoro:alto") and "voices" not in signature("audio", "default")
    assert signature("text", "kokoro:alto") == signature("text", "default")


def test_signature_names_what_the_number_depends_on(tmp_path: Path) -> None:
    signature = go(tmp_path).summary["tasks"]["toy.parity"]["signature"]
    for part in ("apun:1.0.0", "bench:toy.parity", "v:1", "subset:sample", "model:mock:perfect@1", "n:20", "temp:0"):
        assert part in signature.split("|"), signature
