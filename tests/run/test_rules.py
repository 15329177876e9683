"""The rules of the runner one by one: what was heard, keys, the log's latest word, samples, batches, signatures."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun import registry
from apun.clips import Clip
from apun.errors import UsageError
from apun.models import Generation, ModelInfo
from apun.prompts import Audio, Message, Prompt, Text
from apun.replies import Consumed, Reply
from apun.run import answering
from apun.run.answering import check_heard
from apun.run.data import Selection, choose
from apun.run.evaluate import Request, evaluate
from apun.run.log import ReplyLog, build_index, question_key
from apun.tasks import Conditions, Question

INFO = ModelInfo("m", "test", "1", True, None, settings={"dtype": "float32"})


def clip(seed: int, seconds: float = 1.0) -> Clip:
    return Clip(samples=np.random.default_rng(seed).normal(0, 0.1, int(16_000 * seconds)).astype(np.float32))


def prompt(*parts: Text | Audio, form: str = "") -> Prompt:
    text_form = (Message("user", (Text(form),)),) if form else ()
    return Prompt("t/i/p0", "t", (Message("user", parts),), text_form)


def question(asked: Prompt, id: str = "t/i/p0") -> Question:
    return Question(id, "t", SimpleNamespace(id="i"), "p0", asked)  # type: ignore[arg-type]


@given(st.text(max_size=20), st.text(max_size=20))
@settings(deadline=None)
def test_a_reply_comes_back_from_the_log_as_it_was(text: str, answer: str) -> None:
    reply = Reply(status="ok", text=text, answer=answer)
    assert Reply.from_json(reply.to_json()) == reply


def test_an_empty_answer_is_an_answer_that_counts_as_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")
    request = Request(Selection("toy", conditions=Conditions("text")), "mock:always=", out=tmp_path / "run")
    part = evaluate(request).summary["tasks"]["toy.parity"]
    assert part["counts"] == {"unparsed": 20} and part["metrics"]["accuracy"]["value"] == 0.0
    assert evaluate(request).asked == 0


TWO = prompt(Audio(clip(1)), Audio(clip(2), "other"))


@pytest.mark.parametrize("status", ["ok", "truncated"])
@pytest.mark.parametrize(
    ("consumed", "said"),
    [
        (Consumed(1, 2.0, 50), "took in 1 of 2 clips"),
        (Consumed(2, 1.85, 50), "heard 1.85 s of 2.00 s"),
        (Consumed(2, 2.0, 0), "no audio token"),
    ],
)
def test_whatever_was_not_heard_whole_is_an_error(status: str, consumed: Consumed, said: str) -> None:
    ok = Reply(status="ok", text="x", answer="x", consumed=consumed)
    reply = ok if status == "ok" else replace(ok, status="truncated", answer=None, reason="no end")
    checked = check_heard(TWO, reply, INFO)
    assert checked.status == "error" and said in str(checked.reason) and checked.text == "x"


def test_clips_in_another_order_were_not_heard_as_asked() -> None:
    hashes = [audio.clip.sha256 for audio in TWO.audios]
    reply = Reply(status="ok", answer="x", consumed=Consumed(2, 2.0, 50), extra={"heard": hashes})
    assert check_heard(TWO, reply, INFO) is reply
    swapped = check_heard(TWO, replace(reply, extra={"heard": hashes[::-1]}), INFO)
    assert swapped.status == "error" and "other clips" in str(swapped.reason)


def test_everything_that_is_sent_enters_the_key() -> None:
    generation = Generation(64, 0.0, 0)
    base = question(prompt(Text("a"), Audio(clip(1)), form="read"))
    keys = [
        question_key(base, INFO, generation),
        question_key(replace(base, id="t/j/p0"), INFO, generation),
        question_key(question(prompt(Text("b"), Audio(clip(1)), form="read")), INFO, generation),
        question_key(question(prompt(Text("a"), Audio(clip(2)), form="read")), INFO, generation),
        question_key(question(prompt(Text("a"), Audio(clip(1)), form="reread")), INFO, generation),
        question_key(question(prompt(Audio(clip(1)), Text("a"), form="read")), INFO, generation),
        question_key(base, replace(INFO, revision="2"), generation),
        question_key(base, replace(INFO, settings={"dtype": "bfloat16"}), generation),
        *(question_key(base, INFO, other) for other in (Generation(65, 0.0, 0), Generation(64, 0.5, 0))),
        question_key(base, INFO, Generation(64, 0.0, 1)),
    ]
    assert len(set(keys)) == len(keys)
    again = question(prompt(Text("a"), Audio(clip(1)), form="read"))
    assert question_key(again, INFO, generation) == keys[0]


def test_a_good_reply_outlives_a_later_error_under_the_same_key_only(tmp_path: Path) -> None:
    good, bad = Reply(status="ok", text="x", answer="x"), Reply.error("later")
    with ReplyLog(tmp_path) as log:
        for name, key in (("same", "k"), ("other", "k2")):
            log.append(name, "k", good)
            log.append(name, key, bad)
    index = build_index(tmp_path / "replies.jsonl")
    assert index["same"].status == "ok" and (index["other"].status, index["other"].key) == ("error", "k2")


def test_a_sample_follows_the_seed_and_not_the_order_of_the_file() -> None:
    items = [SimpleNamespace(id=f"i{number}") for number in range(60)]
    shuffled = random.Random(5).sample(items, len(items))

    def ids(order: Sequence[SimpleNamespace], seed: int) -> set[str]:
        return {item.id for item in choose(order, 10, (), seed)}

    assert ids(items, 0) == ids(shuffled, 0) and len(ids(items, 0)) == 10
    assert ids(items, 0) != ids(items, 1)
    with pytest.raises(UsageError, match="exclude each other"):
        choose(items, 10, ("i1",), 0)


def test_a_batch_never_mixes_settings() -> None:
    window = [question(prompt(Text("q")), f"t/i{number}/p0") for number in range(12)]
    room = {asked.id: Generation(8 if number % 3 else 64) for number, asked in enumerate(window)}
    cut = list(answering.batches(window, lambda asked: room[asked.id], 5))
    assert all(len({room[asked.id] for asked in batch}) == 1 for batch in cut)
    assert sorted(asked.id for batch in cut for asked in batch) == sorted(asked.id for asked in window)
    assert max(map(len, cut)) == 5


def test_a_kept_transcript_has_no_latency() -> None:
    @dataclass
    class Kept:
        cached: bool
        info: ModelInfo = INFO

        def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
            extra = {"asr_cached": True} if self.cached else {}
            return [Reply(status="ok", answer="x", extra=extra) for _ in prompts]

        def close(self) -> None:
            pass

    asked = [question(prompt(Text("q")))]
    assert "total" not in answering.answer(Kept(True), asked, Generation(8))[0].seconds
    assert answering.answer(Kept(False), asked, Generation(8))[0].seconds["total"] >= 0


def test_task_options_and_own_prompts_stand_in_the_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")
    own = tmp_path / "mine.toml"
    own.write_text("x = 1\n")
    signatures = set()
    for number, changes in enumerate(({}, {"options": {"shots": "3"}}, {"prompts": own}, {"seed": 1})):
        selection = Selection("toy", conditions=Conditions("text", **changes))  # type: ignore[arg-type]
        outcome = evaluate(Request(selection, "mock:perfect", out=tmp_path / str(number)))
        signatures.add(outcome.summary["tasks"]["toy.parity"]["signature"])
    assert len(signatures) == 4


def test_a_line_separator_in_an_answer_ends_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "toy_benchmark:BENCHMARK")
    request = Request(
        Selection("toy", conditions=Conditions("text")), "mock:always=\u2028odd\x85", out=tmp_path / "run"
    )
    assert evaluate(request).summary["tasks"]["toy.parity"]["n"] == 20
    assert evaluate(request).kept == 20
    from apun.run.folder import read_scores

    assert len(list(read_scores(tmp_path / "run"))) == 20
