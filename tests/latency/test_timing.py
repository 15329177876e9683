"""Timing: interleaving, stages, percentiles, ratios; a delay shows in its own stage alone."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from apun.clips import Clip
from apun.errors import UsageError
from apun.measure import latency, plot
from apun.measure.recordings import Recording, questions
from apun.measure.summary import spread, summarise
from apun.measure.timing import Sample, Timed, Timing
from apun.models import Generation, LoadOptions, ModelInfo, Transcript
from apun.prompts import Prompt
from apun.replies import Consumed, Reply
from apun.tasks import Question
from audio_models.cascade import Cascade
from audio_models.cascade.transcripts import RecogniserListener
from benchmarks.apun_bench.tables.speech import table8

CLIP_SECONDS = 0.5


def asked(count: int) -> list[Question]:
    def clip(index: int) -> Clip:
        time_ = np.arange(int(16_000 * CLIP_SECONDS)) / 16_000
        return Clip(samples=(0.2 * np.sin(2 * np.pi * (200 + 40 * index) * time_)).astype(np.float32))

    return questions([Recording(f"r{index}", clip(index), "text", cluster=f"r{index}") for index in range(count)])


@dataclass
class FakeClock:
    """Moves only when a stage works."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class EndToEnd:
    """Hears the clip and takes a set time."""

    sleep: Callable[[float], None]
    cost: float
    name: str = "e2e"
    log: list[str] = field(default_factory=list)
    fail_on: str = ""

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(self.name, "toy", "1", audio=True, max_batch=4, settings={"dtype": "float32"})

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        self.log += [f"{self.name}:{prompt.id}" for prompt in prompts]
        self.sleep(self.cost * len(prompts))
        return [
            Reply.error("broken")
            if prompt.id.endswith(self.fail_on or "none")
            else Reply(
                "ok",
                text="yes",
                answer="yes",
                consumed=Consumed(1, prompt.seconds),
                tokens_out=4,
                seconds={"first_token": 0.01},
            )
            for prompt in prompts
        ]

    def close(self) -> None:
        self.log.append(f"{self.name}:closed")


@dataclass
class Hears:
    """A recogniser of a set cost."""

    sleep: Callable[[float], None]
    clock: Callable[[], float]
    cost: float
    info: ModelInfo = field(default_factory=lambda: ModelInfo("hears", "toy", "1", audio=True))

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        found = []
        for clip in clips:
            start = self.clock()
            self.sleep(self.cost)
            found.append(Transcript("words", (), clip.seconds, self.clock() - start))
        return found

    def close(self) -> None:
        pass


@dataclass
class Reasons:
    """A text model of a set cost."""

    sleep: Callable[[float], None]
    cost: float
    info: ModelInfo = field(default_factory=lambda: ModelInfo("reasons", "toy", "1", audio=False, max_batch=8))

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        self.sleep(self.cost * len(prompts))
        return [Reply("ok", text="yes", answer="yes", tokens_out=2) for _ in prompts]

    def close(self) -> None:
        pass


def cascade(clock: Callable[[], float], sleep: Callable[[float], None], asr: float, llm: float) -> Cascade:
    return Cascade("hears+reasons", RecogniserListener(Hears(sleep, clock, asr)), Reasons(sleep, llm))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    import audio_models.cascade

    fake = FakeClock()
    monkeypatch.setattr(audio_models.cascade.time, "perf_counter", fake)
    return fake


def test_models_take_turns_on_every_clip_and_warmup_is_left_out(clock: FakeClock) -> None:
    log: list[str] = []
    models = [Timed(name, EndToEnd(clock.sleep, 0.1, name, log), 0.0) for name in "ABC"]
    samples = Timing(Generation(), warmup=2, clock=clock).run(models, [[q] for q in asked(3)])
    assert log[:6] == [f"{name}:clips/r{index}" for index in (0, 1) for name in "ABC"], "two warm-up rounds"
    assert log[6:] == [f"{name}:clips/r{index}" for index in (0, 1, 2) for name in "ABC"]
    assert [(s.model, s.question) for s in samples] == [tuple(entry.split(":")) for entry in log[6:]]
    assert [s.order for s in samples] == list(range(1, 10))


def test_drift_cancels_in_ratios(clock: FakeClock) -> None:
    """A machine that becomes ten times slower while timing must not change how two models compare."""

    class Slowing:
        def __init__(self) -> None:
            self.calls = 0

        def __call__(self, seconds: float) -> None:
            clock.sleep(seconds * (1 + self.calls // 2))
            self.calls += 1

    drift = Slowing()
    models = [Timed("A", EndToEnd(drift, 0.1, "A"), 0.0), Timed("B", EndToEnd(drift, 0.2, "B"), 0.0)]
    samples = Timing(Generation(), warmup=0, clock=clock).run(models, [[q] for q in asked(10)])
    ratio = summarise(models, samples)[1].ratio
    assert ratio is not None and ratio == pytest.approx((2.0, 2.0, 2.0))


def test_stages_add_up_and_other_time_is_shown(clock: FakeClock) -> None:
    models = [
        Timed("casc", cascade(clock, clock.sleep, 0.3, 0.1), 1.5),
        Timed("e2e", EndToEnd(clock.sleep, 0.25), 2.5),
    ]
    samples = Timing(Generation(), clock=clock).run(models, [[q] for q in asked(4)])
    casc, e2e = summarise(models, samples)
    assert casc.architecture == "Cascaded" and e2e.architecture == "End-to-End"
    assert (casc.asr.mean, casc.reasoning.mean, casc.total.mean) == pytest.approx((0.3, 0.1, 0.4))
    assert casc.other.mean == pytest.approx(0.0, abs=1e-9)
    assert e2e.asr.mean is None and e2e.reasoning.mean == e2e.total.mean == pytest.approx(0.25)
    assert casc.real_time_factor == pytest.approx(0.4 / CLIP_SECONDS)
    assert casc.tokens_per_second == pytest.approx(2 / 0.1) and e2e.tokens_per_second == pytest.approx(4 / 0.25)
    assert e2e.first_token.p50 == pytest.approx(0.01) and casc.first_token.mean is None
    assert e2e.ratio is not None and e2e.ratio[0] == pytest.approx(0.625)
    assert casc.ratio is None and (casc.load_seconds, e2e.load_seconds) == (1.5, 2.5)
    paper = table8([casc, e2e])
    assert paper.columns == ("Model", "Architecture", "ASR (s)", "Reasoning (s)", "Total (s)")
    assert paper.rows[1] == ("e2e", "End-to-End", None, pytest.approx(0.25), pytest.approx(0.25))
    assert re.search(r"End-to-End +- +0.250 +0.250", paper.to_text())


def test_a_real_50_ms_sleep_shows_in_its_stage_alone() -> None:
    """Real sleeps; the least of three calls each, because a busy machine adds to any one of them."""

    def nothing(seconds: float) -> None:
        if seconds:
            time.sleep(seconds)

    models = [
        Timed("plain", cascade(time.perf_counter, nothing, 0.0, 0.0), 0.0),
        Timed("slow asr", cascade(time.perf_counter, nothing, 0.05, 0.0), 0.0),
        Timed("slow llm", cascade(time.perf_counter, nothing, 0.0, 0.05), 0.0),
    ]
    samples = Timing(Generation(), warmup=1, repeats=3).run(models, [asked(1)])

    def least(model: str, stage: str) -> float:
        return min(getattr(sample, stage) for sample in samples if sample.model == model)

    assert 0.05 <= least("slow asr", "asr") < 0.15 and least("slow asr", "reasoning") < 0.02
    assert 0.05 <= least("slow llm", "reasoning") < 0.15 and least("slow llm", "asr") < 0.02
    assert least("plain", "asr") < 0.02 and least("plain", "reasoning") < 0.02
    for model in ("plain", "slow asr", "slow llm"):
        assert 0 <= least(model, "other") < 0.02


def test_failures_are_counted_and_in_no_time(clock: FakeClock) -> None:
    models = [Timed("e2e", EndToEnd(clock.sleep, 0.1, fail_on="r1"), 0.0)]
    samples = Timing(Generation(), warmup=0, clock=clock).run(models, [[q] for q in asked(3)])
    assert [s.status for s in samples] == ["ok", "error", "ok"] and samples[1].reason == "broken"
    summary = summarise(models, samples)[0]
    assert (summary.n, summary.failed) == (2, 1)


def test_a_model_that_did_not_hear_is_a_failure(clock: FakeClock) -> None:
    class Deaf(EndToEnd):
        def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
            return [Reply("ok", text="yes", answer="yes") for _ in prompts]

    samples = Timing(Generation(), warmup=0, clock=clock).run([Timed("deaf", Deaf(clock.sleep, 0.1), 0.0)], [asked(1)])
    assert samples[0].status == "error" and "not heard" in str(samples[0].reason)


def test_a_kept_transcript_is_refused(clock: FakeClock) -> None:
    from audio_models.cascade.transcripts import TranscriptCache

    hears = RecogniserListener(Hears(clock.sleep, clock, 0.1), TranscriptCache(None))
    kept = Timed("kept", Cascade("kept", hears, Reasons(clock.sleep, 0.1)), 0.0)
    with pytest.raises(UsageError, match="cache=off"):
        Timing(Generation(), warmup=1, clock=clock).run([kept], [asked(1)])


def test_batches_give_time_per_prompt(clock: FakeClock) -> None:
    models = [Timed("e2e", EndToEnd(clock.sleep, 0.1), 0.0)]
    samples = Timing(Generation(), warmup=0, clock=clock).run(models, [asked(4)])
    assert [s.batch for s in samples] == [4] * 4
    assert [s.total for s in samples] == pytest.approx([0.1] * 4)
    assert summarise(models, samples)[0].samples_per_second == pytest.approx(10.0)


def test_percentiles_are_numpys() -> None:
    values = np.random.default_rng(0).exponential(size=501)
    found = spread([*values, None])
    assert (found.p50, found.p90, found.p99) == pytest.approx(tuple(np.percentile(values, (50, 90, 99))))
    assert found.mean == pytest.approx(float(values.mean()))
    assert spread([None]).mean is None


def test_the_interval_covers_the_true_ratio() -> None:
    """Noisy times of two models whose true ratio is 1.5."""
    rng = np.random.default_rng(1)
    hits = 0
    for trial in range(40):
        base = rng.gamma(9.0, 0.1, size=60)
        samples = []
        for index, value in enumerate(base):
            for name, factor in (("A", 1.0), ("B", 1.5)):
                total = float(value * factor * rng.lognormal(0.0, 0.1))
                samples.append(Sample(name, f"q{index}", f"c{index}", 0, 1, 1.0, total, None, total))
        models = [Timed(name, EndToEnd(lambda s: None, 0.0, name), 0.0) for name in "AB"]
        ratio = summarise(models, samples, seed=trial)[1].ratio
        assert ratio is not None
        hits += ratio[1] <= 1.5 <= ratio[2]
    assert hits >= 34, f"a 95 % interval covered the truth in {hits} of 40 trials"


def test_compare_writes_everything(tmp_path: Path, clock: FakeClock) -> None:
    built = {"A": EndToEnd(clock.sleep, 0.1, "A"), "x+y": cascade(clock, clock.sleep, 0.2, 0.1)}
    seen: dict[str, LoadOptions] = {}

    def load(name: str, options: LoadOptions) -> object:
        seen[name] = options
        clock.sleep(3.0)
        return built[name]

    options = LoadOptions(args={"asr.beam_size": "5", "dim": "4"})
    result = latency.compare(
        ["A", "x+y"], asked(3), options, Timing(Generation(), clock=clock), load=load, layout=table8
    )
    assert seen["A"].args == {"dim": "4"} and seen["x+y"].args == {"asr.beam_size": "5", "cache": "off"}
    assert [s.load_seconds for s in result.summaries] == pytest.approx([3.0, 3.0])
    assert built["A"].log[-1] == "A:closed"  # type: ignore[attr-defined]
    written = latency.save(result, tmp_path / "out")
    names = {path.name for path in written}
    assert {"latency.json", "table8.csv", "table8.tex", "resources.csv"} <= names
    assert all(path.stat().st_size > 0 for path in written)
    record = json.loads((tmp_path / "out" / "latency.json").read_text())
    assert len(record["samples"]) == 6 and record["conditions"]["batch_size"] == 1
    machine = record["conditions"]["machine"]
    assert machine["processor"] and machine["packages"]["numpy"] and machine["clock"]["resolution_s"] > 0
    assert {"cpu_mhz", "gpus", "load_average"} <= set(record["conditions"]["before"])


def test_arguments_without_a_model_are_refused() -> None:
    with pytest.raises(UsageError, match=r"asr\.beam_size"):
        latency.compare(["A"], asked(1), LoadOptions(args={"asr.beam_size": "5"}), Timing(Generation()))
    with pytest.raises(UsageError, match="dim"):
        latency.compare(["x+y"], asked(1), LoadOptions(args={"dim": "5"}), Timing(Generation()))


def test_random_weights_pass_their_nonsense_on() -> None:
    args = latency.options_for("a+b", LoadOptions(weights="random")).args
    assert args == {"flagged": "pass", "cache": "off"}
    assert latency.options_for("a+b", LoadOptions()).args == {"cache": "off"}


def test_each_clip_is_timed_once() -> None:
    first, second = asked(2)
    again = replace(first, id="clips/again")
    text = replace(first, id="clips/text", prompt=replace(first.prompt, messages=()))
    assert [q.id for q in latency.one_per_clip([first, again, second, text, text])] == [
        "clips/r0",
        "clips/r1",
        "clips/text",
    ]


@pytest.mark.parametrize("library", ["matplotlib", "plotly"])
def test_the_plot_holds_every_model_and_stage(
    library: str, tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed")
    monkeypatch.setattr(plot, "available", lambda: library)
    models = [
        Timed("casc", cascade(clock, clock.sleep, 0.3, 0.1), 0.0),
        Timed("<b>e2e", EndToEnd(clock.sleep, 0.2), 0.0),
    ]
    summaries = summarise(models, Timing(Generation(), clock=clock).run(models, [asked(2)]))
    assert plot.bars(summaries)[0] == ("ASR", pytest.approx([0.3, 0.0]))
    assert plot.bars(summaries)[1] == ("Reasoning", pytest.approx([0.1, 0.2]))
    written = plot.write(summaries, tmp_path)
    assert written is not None and written.name == ("latency.svg" if library == "matplotlib" else "latency.html")
    text = written.read_text(encoding="utf-8")
    assert "Reasoning" in text and "<b>e2e" not in text, "model names are escaped"


def test_no_plot_without_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plot.importlib.util, "find_spec", lambda name: None)
    assert plot.available() is None and plot.write([], tmp_path) is None
