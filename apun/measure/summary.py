"""From timed samples to the tables: percentiles, and ratios with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from apun.measure.timing import Sample, Timed
from apun.report.tables import Cell, Table

if TYPE_CHECKING:
    from apun.scoring.statistics import Interval

PERCENTILES = (50, 90, 99)


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and percentiles of one quantity, in its own unit; all None where nothing was measured."""

    mean: float | None
    p50: float | None
    p90: float | None
    p99: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """One model's timing.

    Attributes:
        model: model name.
        architecture: ``End-to-End``, ``Cascaded`` or ``Text``.
        n: prompts timed and answered.
        failed: prompts that gave an error or a refusal; in no time below.
        asr: seconds in the recogniser.
        reasoning: seconds in the model that answers.
        total: wall seconds around the call.
        other: total less both stages: what the cascade and the harness add.
        first_token: seconds to the first token.
        real_time_factor: total seconds over seconds of audio, summed.
        tokens_per_second: tokens out over seconds of reasoning, summed.
        samples_per_second: prompts over seconds of wall time.
        load_seconds: loading, apart.
        weights_bytes: memory that loading added.
        peak_bytes: that plus the highest peak of a call.
        interval: of the mean total, 95 %, items resampled.
        ratio: mean total over the first model's, with its interval; None for the first model itself.
        settings: the model's identity, dtype, device and versions.
    """

    model: str
    architecture: str
    n: int
    failed: int
    asr: Spread
    reasoning: Spread
    total: Spread
    other: Spread
    first_token: Spread
    real_time_factor: float | None
    tokens_per_second: float | None
    samples_per_second: float | None
    load_seconds: float
    weights_bytes: int | None
    peak_bytes: int | None
    interval: tuple[float, float] | None
    ratio: tuple[float, float, float] | None
    settings: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def spread(values: Sequence[float | None]) -> Spread:
    """Mean and linear-interpolated percentiles of those values that are known."""
    import numpy as np

    known = [value for value in values if value is not None]
    if not known:
        return Spread(None, None, None, None)
    p50, p90, p99 = (float(value) for value in np.percentile(known, PERCENTILES))
    return Spread(float(np.mean(known)), p50, p90, p99)


def architecture(timed: Timed) -> str:
    """The paper's word for what a model is."""
    info = timed.model.info
    if info.family == "cascade":
        return "Cascaded"
    return "End-to-End" if info.audio else "Text"


def summarise(models: Sequence[Timed], samples: Sequence[Sample], *, seed: int = 0) -> list[Summary]:
    """One summary per model, in order; ratios are to the first model on the questions both answered."""
    by_model = {timed.name: [s for s in samples if s.model == timed.name] for timed in models}
    reference = by_model[models[0].name]
    return [
        _summary(timed, by_model[timed.name], reference if timed is not models[0] else None, seed) for timed in models
    ]


def _summary(timed: Timed, samples: Sequence[Sample], reference: Sequence[Sample] | None, seed: int) -> Summary:
    good = [sample for sample in samples if sample.status == "ok"]
    peaks = [sample.peak_bytes for sample in samples if sample.peak_bytes is not None]
    mean = _bootstrap([[s.total, 1.0] for s in good], [s.cluster for s in good], seed)
    told = [s for s in good if s.tokens_out is not None]
    info = timed.model.info
    return Summary(
        model=timed.name,
        architecture=architecture(timed),
        n=len(good),
        failed=len(samples) - len(good),
        asr=spread([s.asr for s in good]),
        reasoning=spread([s.reasoning for s in good]),
        total=spread([s.total for s in good]),
        other=spread([s.other for s in good]),
        first_token=spread([s.first_token for s in good]),
        real_time_factor=_over(sum(s.total for s in good), sum(s.audio_seconds for s in good)),
        tokens_per_second=_over(float(sum(s.tokens_out or 0 for s in told)), sum(s.reasoning for s in told)),
        samples_per_second=_over(float(len(good)), sum(s.total for s in good)),
        load_seconds=timed.load_seconds,
        weights_bytes=timed.load_bytes,
        peak_bytes=(timed.load_bytes or 0) + max(peaks) if peaks else timed.load_bytes,
        interval=(mean.low, mean.high) if mean is not None else None,
        ratio=_ratio(good, reference, seed) if reference is not None else None,
        settings={**info.identity, **info.settings},
    )


def _over(top: float, bottom: float) -> float | None:
    return top / bottom if bottom > 0 else None


def _bootstrap(statistics: Sequence[Sequence[float]], clusters: Sequence[str], seed: int) -> Interval | None:
    """Interval of the first statistic's sum over the second's; None without samples."""
    from apun.scoring.statistics import bootstrap, first_over_second

    return bootstrap(statistics, clusters, first_over_second, seed=seed) if statistics else None


def _ratio(samples: Sequence[Sample], reference: Sequence[Sample], seed: int) -> tuple[float, float, float] | None:
    """Mean total over the reference's, paired by question: value, low, high."""
    ours, theirs = _means(samples), _means([s for s in reference if s.status == "ok"])
    shared = [question for question in ours if question in theirs]
    clusters = {sample.question: sample.cluster for sample in samples}
    found = _bootstrap([[ours[q], theirs[q]] for q in shared], [clusters[q] for q in shared], seed)
    return None if found is None else (found.value, found.low, found.high)


def _means(samples: Sequence[Sample]) -> dict[str, float]:
    totals: dict[str, list[float]] = {}
    for sample in samples:
        totals.setdefault(sample.question, []).append(sample.total)
    return {question: sum(values) / len(values) for question, values in totals.items()}


def tables(summaries: Sequence[Summary]) -> list[Table]:
    """The distribution of times, and speed and memory."""
    return [distribution_table(summaries), resources_table(summaries)]


def distribution_table(summaries: Sequence[Summary]) -> Table:
    """Mean and percentiles of every stage; the 95 % interval of the mean total; ratios."""
    stages: tuple[tuple[str, Callable[[Summary], Spread]], ...] = (
        ("ASR", lambda s: s.asr),
        ("Reasoning", lambda s: s.reasoning),
        ("First token", lambda s: s.first_token),
        ("Outside stages", lambda s: s.other),
        ("Total", lambda s: s.total),
    )
    rows: list[tuple[Cell, ...]] = []
    for summary in summaries:
        for label, of in stages:
            row = of(summary)
            if row.mean is None:
                continue
            last = label == "Total"
            interval = f"{summary.interval[0]:.3f}-{summary.interval[1]:.3f}" if last and summary.interval else None
            ratio = None
            if last and summary.ratio is not None:
                ratio = "{:.2f} ({:.2f}-{:.2f})".format(*summary.ratio)
            rows.append((summary.model, label, row.mean, row.p50, row.p90, row.p99, interval, ratio))
    first = summaries[0].model
    return Table(
        "latency",
        "Seconds a prompt",
        ("Model", "Stage", "mean", "p50", "p90", "p99", "mean, 95 %", "times the first"),
        tuple(rows),
        (f"Ratios are mean totals over those of {first} on the same prompts; intervals: 95 %, bootstrap over items.",),
        decimals=3,
    )


def resources_table(summaries: Sequence[Summary]) -> Table:
    """Real-time factor, rates, memory, loading, failures."""
    rows = tuple(
        (
            s.model,
            s.n,
            s.failed,
            s.real_time_factor,
            s.samples_per_second,
            s.tokens_per_second,
            _mebibytes(s.weights_bytes),
            _mebibytes(s.peak_bytes),
            s.load_seconds,
            str(s.settings.get("dtype") or "-"),
            str(s.settings.get("device") or "-"),
        )
        for s in summaries
    )
    head = ("Model", "n", "failed", "RTF", "prompts/s", "tokens/s", "weights MiB", "peak MiB", "load (s)")
    notes = (
        "RTF: seconds of compute per second of audio. Peak: weights plus the highest peak of a call; of torch's "
        "allocator on CUDA, else of the process.",
        "Failed prompts are left out of every time.",
    )
    return Table("resources", "Speed and memory", (*head, "dtype", "device"), rows, notes)


def _mebibytes(value: int | None) -> float | None:
    return None if value is None else value / 2**20
