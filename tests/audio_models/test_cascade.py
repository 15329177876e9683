"""Cascades: stages, times, kept transcripts, errors, flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from apun import registry
from apun.clips import Clip
from apun.errors import UsageError
from apun.models import Generation, LoadOptions, ModelInfo, Transcript, Word
from apun.prompts import Audio, Message, Prompt, Slot, Text
from apun.replies import Reply
from audio_models.cascade import Cascade, create, stage_options
from audio_models.cascade.transcripts import RecogniserListener, TranscriptCache, key
from audio_models.catalogue import load


def tone(hertz: float, seconds: float = 1.0) -> Clip:
    time = np.arange(int(16_000 * seconds)) / 16_000
    return Clip(samples=(0.3 * np.sin(2 * np.pi * hertz * time)).astype(np.float32))


def prompt(name: str, *clips: Clip, language: str = "en") -> Prompt:
    parts = [Audio(clip, f"c{index}") for index, clip in enumerate(clips)]
    return Prompt(
        id=name,
        task="none.none",
        messages=(Message("user", (*parts, Text("Which word?"))),),
        text_form=(Message("user", (*(Slot(part.name) for part in parts), Text("\nWhich word?"))),),
        fields={"language": language},
    )


@dataclass
class Clock:
    """A clock that moves only when a stage works."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class ToyRecogniser:
    """Writes the clip's first hash digits; counts what it is asked."""

    clock: Clock = field(default_factory=Clock)
    cost: float = 1.0
    fail: str | None = None
    flags: tuple[str, ...] = ()
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    info: ModelInfo = field(
        default_factory=lambda: ModelInfo("toy", "toy", "1", audio=True, max_batch=2, settings={"beam_size": 1})
    )

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        assert len(clips) <= self.info.max_batch
        found = []
        for clip in clips:
            self.asked.append((clip.sha256, language))
            self.clock.now += self.cost
            if self.fail is not None:
                found.append(Transcript("", error=self.fail))
                continue
            text = clip.sha256[:8]
            found.append(Transcript(text, (Word(text, 0.0, 0.5),), clip.seconds, self.cost, self.flags))
        return found

    def close(self) -> None:
        pass


@dataclass
class ToyModel:
    """Repeats what it was told; remembers the prompts."""

    clock: Clock = field(default_factory=Clock)
    cost: float = 0.25
    prompts: list[Prompt] = field(default_factory=list)
    info: ModelInfo = field(default_factory=lambda: ModelInfo("llm", "toy", "7", audio=False, max_batch=8))

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        self.clock.now += self.cost * len(prompts)
        self.prompts += prompts
        return [
            Reply("ok", text="a", answer="a", seconds={"first_token": 0.1, "total": 9.0}, tokens_out=1) for _ in prompts
        ]

    def close(self) -> None:
        pass


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    import audio_models.cascade

    clock = Clock()
    monkeypatch.setattr(audio_models.cascade.time, "perf_counter", clock)
    return clock


def cascade(recogniser: ToyRecogniser, model: ToyModel, cache: TranscriptCache | None = None, **more: bool) -> Cascade:
    return Cascade("toy+llm", RecogniserListener(recogniser, cache), model, **more)


def test_the_model_reads_the_transcript_and_the_reply_keeps_it(clock: Clock) -> None:
    recogniser, model = ToyRecogniser(clock), ToyModel(clock)
    clip = tone(300)
    reply = cascade(recogniser, model).generate([prompt("q", clip)], Generation())[0]
    heard = clip.sha256[:8]
    assert model.prompts[0].audios == ()
    assert model.prompts[0].messages[0].parts == (Text(f"{heard}\nWhich word?"),)
    assert model.prompts[0].fields["transcripts"] == {"c0": heard}
    assert reply.transcripts == (heard,) and reply.words == (((heard, 0.0, 0.5),),)
    assert reply.consumed.clips == 1 and reply.consumed.seconds == clip.seconds
    assert reply.consumed.audio_tokens is None


def test_stages_add_up_to_the_total(clock: Clock) -> None:
    toy = cascade(ToyRecogniser(clock, cost=1.5), ToyModel(clock, cost=0.25))
    reply = toy.generate([prompt("q", tone(300))], Generation())[0]
    assert reply.seconds == pytest.approx({"asr": 1.5, "reasoning": 0.25, "first_token": 1.6, "total": 1.75})


def test_a_delay_in_one_stage_shows_in_that_stage_alone(clock: Clock) -> None:
    def seconds(asr: float, llm: float) -> dict[str, float]:
        toy = cascade(ToyRecogniser(clock, cost=asr), ToyModel(clock, cost=llm))
        return dict(toy.generate([prompt("q", tone(300))], Generation())[0].seconds)

    plain, slow_asr, slow_llm = seconds(0.2, 0.1), seconds(0.25, 0.1), seconds(0.2, 0.15)
    assert slow_asr["asr"] - plain["asr"] == pytest.approx(0.05)
    assert slow_asr["reasoning"] == pytest.approx(plain["reasoning"])
    assert slow_llm["reasoning"] - plain["reasoning"] == pytest.approx(0.05)
    assert slow_llm["asr"] == pytest.approx(plain["asr"])
    assert slow_asr["total"] - plain["total"] == pytest.approx(0.05)


def test_batches_share_time_by_what_they_took(clock: Clock) -> None:
    recogniser = ToyRecogniser(clock, cost=1.0)
    toy = cascade(recogniser, ToyModel(clock, cost=0.5))
    replies = toy.generate([prompt("a", tone(300), tone(400)), prompt("b", tone(500)), prompt("c")], Generation())
    assert [reply.seconds.get("asr") for reply in replies] == pytest.approx([2.0, 1.0, None])
    assert [reply.seconds["total"] for reply in replies] == pytest.approx([2.5, 1.5, 0.5])
    assert [len(reply.transcripts) for reply in replies] == [2, 1, 0]


def test_ten_models_over_one_recogniser_transcribe_once(tmp_path: Path, clock: Clock) -> None:
    recogniser = ToyRecogniser(clock)
    clips = [tone(hertz) for hertz in (300, 400, 500)]
    for number in range(10):
        cache = TranscriptCache(tmp_path)  # a new process each time, as it were
        toy = cascade(recogniser, ToyModel(clock), cache)
        replies = toy.generate([prompt(f"q{index}", clip) for index, clip in enumerate(clips)], Generation())
        assert [reply.transcripts[0] for reply in replies] == [clip.sha256[:8] for clip in clips]
        for reply in replies:
            kept = number > 0
            assert reply.extra.get("asr_cached", False) is kept
            assert ("asr" in reply.seconds) is not kept
            assert ("total" in reply.seconds) is not kept, "a kept transcript's time never enters a latency"
            assert ("first_token" in reply.seconds) is not kept
            assert "reasoning" in reply.seconds
        cache.close()
    assert len(recogniser.asked) == len(clips)


def test_one_clip_in_two_prompts_is_transcribed_once_and_charged_once(clock: Clock) -> None:
    recogniser = ToyRecogniser(clock)
    same = tone(300)
    first, second = cascade(recogniser, ToyModel(clock)).generate([prompt("a", same), prompt("b", same)], Generation())
    assert len(recogniser.asked) == 1
    assert "asr" in first.seconds and "asr" not in second.seconds
    assert first.transcripts == second.transcripts


def test_kept_transcripts_belong_to_recogniser_language_and_clip(tmp_path: Path) -> None:
    toy = ToyRecogniser()
    other_beam = ModelInfo("toy", "toy", "1", audio=True, settings={"beam_size": 5})
    other_weights = ModelInfo("toy", "toy", "2", audio=True, settings={"beam_size": 1})
    keys = {
        key(toy.info, "en", "c1"),
        key(toy.info, "en", "c2"),
        key(toy.info, "zh", "c1"),
        key(toy.info, None, "c1"),
        key(other_beam, "en", "c1"),
        key(other_weights, "en", "c1"),
    }
    assert len(keys) == 6
    cache = TranscriptCache(tmp_path)
    cache.put("k", Transcript("héard 听", (Word("héard", 0.1, 0.4),), 2.5, 7.0, ("low_confidence",)))
    cache.put("e", Transcript("", error="broken"))
    cache.close()
    again = TranscriptCache(tmp_path)
    assert again.get("k") == Transcript("héard 听", (Word("héard", 0.1, 0.4),), 2.5, 0.0, ("low_confidence",))
    assert again.get("e") is None, "errors are not kept"
    again.close()


def test_a_cache_that_cannot_be_used_does_not_stop_a_run(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "transcripts.sqlite").write_bytes(b"this is no database, " * 100)
    broken = TranscriptCache(tmp_path)
    assert "not kept on disk" in capsys.readouterr().err
    recogniser = ToyRecogniser(clock)
    toy = cascade(recogniser, ToyModel(clock), broken)
    for _ in range(2):
        assert toy.generate([prompt("q", tone(300))], Generation())[0].status == "ok"
    assert len(recogniser.asked) == 1, "memory still keeps them"
    (tmp_path / "file").write_text("")
    assert TranscriptCache(tmp_path / "file" / "below").get("k") is None


def test_a_damaged_row_is_made_anew(tmp_path: Path) -> None:
    import sqlite3

    cache = TranscriptCache(tmp_path)
    cache.put("good", Transcript("kept"))
    cache.close()
    with sqlite3.connect(tmp_path / "transcripts.sqlite") as database:
        database.execute("INSERT INTO transcripts VALUES ('half', '{\"text\": \"ke')")
        database.execute("INSERT INTO transcripts VALUES ('other', '{\"words\": [[1, 2]], \"flags\": []}')")
    again = TranscriptCache(tmp_path)
    assert again.get("half") is None and again.get("other") is None
    kept = again.get("good")
    assert kept is not None and kept.text == "kept"


def test_processes_share_a_cache(tmp_path: Path) -> None:
    import subprocess
    import sys

    program = (
        "import sys; from pathlib import Path\n"
        "from audio_models.cascade.transcripts import TranscriptCache; from apun.models import Transcript\n"
        "cache = TranscriptCache(Path(sys.argv[1]))\n"
        "for n in range(100): cache.put(f'{sys.argv[2]}-{n}', Transcript(f'text {n}'))"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name]) for name in ("a", "b", "c")]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    cache = TranscriptCache(tmp_path)
    assert all(cache.get(f"{name}-{n}") == Transcript(f"text {n}") for name in "abc" for n in range(100))


def test_the_language_is_told_not_guessed(clock: Clock) -> None:
    recogniser = ToyRecogniser(clock)
    cascade(recogniser, ToyModel(clock)).generate(
        [prompt("a", tone(300), language="zh"), prompt("b", tone(400)), prompt("c", tone(300))], Generation()
    )
    assert sorted(language or "" for _, language in recogniser.asked) == ["en", "en", "zh"]


def test_a_recogniser_error_is_that_prompts_error(clock: Clock, tmp_path: Path) -> None:
    model = ToyModel(clock)
    broken = cascade(ToyRecogniser(clock, fail="engine fell over"), model).generate(
        [prompt("a", tone(300)), prompt("b")], Generation()
    )
    assert broken[0].status == "error" and "engine fell over" in str(broken[0].reason)
    assert broken[0].answer is None and broken[0].consumed.clips == 0
    assert broken[1].status == "ok" and [p.id for p in model.prompts] == ["b"]
    missing = cascade(ToyRecogniser(clock), model).generate(
        [prompt("c", Clip(tmp_path / "gone.wav")), prompt("d", tone(300))], Generation()
    )
    assert missing[0].status == "error" and "gone.wav" in str(missing[0].reason)
    assert missing[1].status == "ok"


def test_flagged_transcripts_are_not_passed_on_unless_asked(clock: Clock) -> None:
    recogniser, model = ToyRecogniser(clock, flags=("loop", "low_confidence")), ToyModel(clock)
    stopped = cascade(recogniser, model).generate([prompt("a", tone(300))], Generation())[0]
    assert stopped.status == "error" and "loop" in str(stopped.reason) and model.prompts == []
    assert stopped.transcripts and stopped.extra["asr_flags"] == ["loop", "low_confidence"]
    passed = cascade(recogniser, model, pass_flagged=True)
    reply = passed.generate([prompt("a", tone(300))], Generation())[0]
    assert reply.status == "ok" and reply.extra["asr_flags"] == ["loop", "low_confidence"]
    assert passed.info.identity != cascade(recogniser, model).info.identity
    unsure = cascade(ToyRecogniser(clock, flags=("low_confidence",)), model)
    assert unsure.generate([prompt("a", tone(300))], Generation())[0].status == "ok"


def test_info_names_both_stages(clock: Clock) -> None:
    info = cascade(ToyRecogniser(clock), ToyModel(clock)).info
    assert info.identity == {"name": "toy+llm", "family": "cascade", "revision": "1+7", "dtype": ""}
    assert info.audio and info.max_batch == 8
    assert info.settings["asr"]["beam_size"] == 1 and info.settings["llm"]["revision"] == "7"


def test_options_are_dealt_to_their_stage() -> None:
    options = LoadOptions(
        device="cpu",
        dtype="bfloat16",
        weights="/llm",
        base_url="http://localhost:1/v1",
        args={"asr.weights": "/asr", "asr.beam_size": "5", "llm.think": "no", "cache": "off", "flagged": "pass"},
    )
    asr, llm = stage_options(options, "asr"), stage_options(options, "llm")
    assert (asr.device, asr.dtype, asr.weights, asr.base_url, asr.args) == (
        "cpu",
        "auto",
        "/asr",
        None,
        {"beam_size": "5"},
    )
    assert (llm.device, llm.dtype, llm.weights, llm.base_url, llm.args) == (
        "cpu",
        "bfloat16",
        "/llm",
        "http://localhost:1/v1",
        {"think": "no"},
    )
    random = stage_options(LoadOptions(weights="random"), "asr")
    assert random.weights == "random"
    with pytest.raises(UsageError, match=r"asr\.beam_size or llm\.beam_size"):
        stage_options(LoadOptions(args={"beam_size": "5"}), "asr")
    with pytest.raises(UsageError, match="disk, memory, off"):
        create("whisper-base+solver", LoadOptions(args={"cache": "ram"}))
    with pytest.raises(UsageError, match="whisper-base"):
        create("whisper-bass+solver", LoadOptions())


def test_the_solver_reads_text_only() -> None:
    solver = load("solver", LoadOptions())
    refused, unknown = solver.generate([prompt("a", tone(300)), prompt("b")], Generation())
    assert refused.status == "error" and "RECOGNISER+solver" in str(refused.reason)
    assert unknown.status == "error" and "none" in str(unknown.reason)


def test_the_solver_answers_by_the_tasks_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    from apun.tasks import Task

    seen: list[Prompt] = []

    def solve(asked: Prompt) -> str:
        seen.append(asked)
        if asked.id == "bad":
            raise ZeroDivisionError("no rule")
        return "lips"

    task = Task("none.none", "", 1, lambda *_: iter(()), lambda *_: None, (), solve, lambda _: "")  # type: ignore[arg-type, return-value]
    monkeypatch.setattr(registry, "task", lambda name: task)
    solver = load("solver", LoadOptions())
    good, bad = solver.generate([prompt("q"), prompt("bad")], Generation())
    assert good.status == "ok" and good.answer == "lips" and good.seconds["total"] >= 0
    assert bad.status == "error" and "ZeroDivisionError: no rule" in str(bad.reason)
    toy = Cascade("toy+solver", RecogniserListener(ToyRecogniser()), solver)
    clip = tone(300)
    assert toy.generate([prompt("q", clip)], Generation())[0].answer == "lips"
    assert seen[-1].fields["transcripts"] == {"c0": clip.sha256[:8]}


def test_random_cascades_are_of_the_released_size() -> None:
    import torch
    from transformers import Qwen2ForCausalLM

    from audio_models.core.random_weights import builder

    with torch.device("meta"):
        network = Qwen2ForCausalLM._from_config(builder("qwen2.5-7b-instruct")[0]({}))
    assert sum(weight.numel() for weight in network.parameters()) == 7_615_616_512


@pytest.mark.slow
def test_a_random_cascade_answers_to_its_full_length() -> None:
    args = {"llm.layers": "1", "flagged": "pass", "cache": "off"}
    options = LoadOptions(device="cpu", dtype="bfloat16", weights="random", args=args)
    reply = load("openai-whisper-tiny+qwen2.5-7b-instruct", options).generate(
        [prompt("q", tone(300, 3.0))], Generation(max_new_tokens=3)
    )[0]
    assert reply.tokens_out == 3 and reply.transcripts[0]
    assert reply.seconds["asr"] > 0 and reply.seconds["reasoning"] > 0


def test_gold_text_stands_for_a_transcript(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from apun.speech import Utterance
    from audio_models.cascade.transcripts import GoldListener

    spoken = [Utterance("i1", "the seal has lips", "en", part="c0")]
    monkeypatch.setattr(registry, "benchmark", lambda name: SimpleNamespace(utterances=lambda item, form: spoken))
    model = ToyModel()
    toy = Cascade("gold+llm", GoldListener(), model)
    known, unknown = prompt("q", tone(300)), prompt("u", tone(300), tone(400))
    toy.see([SimpleNamespace(id=asked.id, task="x.y", item=None) for asked in (known, unknown)])
    first, second = toy.generate([known, unknown], Generation())
    assert model.prompts[0].messages[0].parts == (Text("the seal has lips\nWhich word?"),)
    assert first.extra == {"asr_gold": True} and "asr" not in first.seconds and first.consumed.seconds == 1.0
    assert second.status == "error" and "'c1'" in str(second.reason) and "--modality text" in str(second.reason)
