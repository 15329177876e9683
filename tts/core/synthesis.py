"""Make a synthetic split: items in, an AudioFolder and its tables out."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from apun import digests
from apun.audio_folder import METADATA, file_names
from apun.errors import DataError, UsageError
from apun.report.tables import Table
from apun.speech import Utterance
from tts.catalogue import load
from tts.core import folder as folders
from tts.core.engine import chosen_voices, require_forcing, speaking
from tts.core.gate import VERSION, Limits
from tts.core.processes import Setup, run_tasks
from tts.core.takes import ItemResult, ItemTask, make_item

Progress = Callable[[int, int, float], None]


@dataclass(frozen=True)
class Request:
    """What is to be rendered, and how.

    Attributes:
        utterances: what is to be said, items in the split's order.
        out: folder of the split.
        engine: name of the engine.
        options: its options.
        voices: names of voices, or ``all``.
        seed: for voices and for engines that sample.
        retries: further voices tried when a clip fails the gate.
        workers: processes.
        devices: dealt out to the processes as the engine's option ``device``.
        recogniser: checks the clips; None for length checks only.
        limits: of the gate; None where no clip is judged.
        insist: render items whose reading the engine cannot force.
        about: recorded in ``synth.json``: benchmark, subset, form.
        cache: folder of clips made before by ``tts.core.rendering.ensure``, which are taken from there; None to
            render everything anew.
    """

    utterances: Sequence[Utterance]
    out: Path
    engine: str
    options: Mapping[str, Any] = field(default_factory=dict)
    voices: Sequence[str] | str = "all"
    seed: int = 0
    retries: int = 2
    workers: int = 1
    devices: tuple[str, ...] = ()
    recogniser: str | None = None
    limits: Limits | None = field(default_factory=Limits)
    insist: bool = False
    about: Mapping[str, str] = field(default_factory=dict)
    cache: Path | None = None


@dataclass(frozen=True)
class Report:
    """What became of a request.

    Attributes:
        rows: metadata of the clips in the split.
        rejected: rows of ``rejected.jsonl``.
        missing: items of which every take failed.
        wall: seconds spent in this call.
        rendered: clips made in this call.
    """

    rows: Sequence[Mapping[str, Any]]
    rejected: Sequence[Mapping[str, Any]]
    missing: Sequence[str]
    wall: float
    rendered: int


def synthesise(request: Request, progress: Progress | None = None) -> Report:
    """Render, judge and assemble; may be stopped at any instant and called again.

    Raises:
        UsageError: an engine, voice or reading that does not fit, or a folder made with other settings.
        DataError: two utterances of one item and part, or nothing to say.
    """
    started = time.monotonic()
    by_item = _grouped(request.utterances)
    engine = load(request.engine, **request.options)
    voices = chosen_voices(engine, request.voices)
    require_forcing(request.utterances, engine, insist=request.insist)
    for language in {utterance.language for utterance in request.utterances}:
        if not speaking(engine, voices, language):
            raise UsageError(f"no voice of {engine.name} among those chosen speaks {language!r}")
    settings = {
        **request.about,
        "utterances": _digest(request.utterances),
        "engine": request.engine,
        "engine_version": engine.version,
        "options": {key: str(value) for key, value in request.options.items()},
        "voices": voices,
        "seed": request.seed,
        "retries": request.retries,
        "gate": {"version": VERSION, "recogniser": request.recogniser, **asdict(request.limits)}
        if request.limits
        else "off",
        "insist": request.insist,
    }
    work = folders.open_folder(request.out, settings)
    if folders.is_complete(request.out):
        folders.settle(request.out)
        return _report(request.out, by_item, time.monotonic() - started, 0)
    folders.salvage(request.out)
    names = dict(zip(map(id, request.utterances), file_names(request.utterances), strict=True))
    tasks = [
        ItemTask(
            tuple(parts),
            tuple(names[id(part)] for part in parts),
            tuple(voices),
            request.seed,
            request.retries + 1,
            work,
            request.limits,
            request.cache,
        )
        for parts in by_item.values()
    ]
    results: dict[str, ItemResult] = {}
    setup = Setup(request.engine, request.options, request.recogniser, request.devices)
    here = engine if request.workers <= 1 and not request.devices else None
    for result in run_tasks(make_item, tasks, setup, request.workers, here):
        results[result.item] = result
        if progress is not None:
            progress(len(results), len(tasks), time.monotonic() - started)
    folders.assemble(request.out, list(by_item), results)
    engine.close()
    return _report(
        request.out, by_item, time.monotonic() - started, sum(result.rendered for result in results.values())
    )


def reject_table(report: Report) -> Table:
    """Clips tried and rejected by voice, with the reasons."""
    tried = Counter(str(row["voice"]) for row in [*report.rows, *report.rejected])
    failed = Counter(str(row["voice"]) for row in report.rejected)
    reasons = sorted({str(row["reason"]) for row in report.rejected})
    by_reason = Counter((str(row["voice"]), str(row["reason"])) for row in report.rejected)
    errors: dict[str, list[float]] = {}
    for row in [*report.rows, *report.rejected]:
        if isinstance(row.get("content_error"), (int, float)):
            errors.setdefault(str(row["voice"]), []).append(100 * float(row["content_error"]))
    rows = []
    for voice in [*sorted(tried), "all"]:
        n = sum(tried.values()) if voice == "all" else tried[voice]
        bad = sum(failed.values()) if voice == "all" else failed[voice]
        heard = [value for values in errors.values() for value in values] if voice == "all" else errors.get(voice, [])
        counts = [
            sum(by_reason[v, reason] for v in tried) if voice == "all" else by_reason[voice, reason]
            for reason in reasons
        ]
        share = 100 * bad / n if n else None
        rows.append((voice, n, bad, share, sum(heard) / len(heard) if heard else None, *counts))
    return Table(
        "round_trip",
        "Round trip by voice",
        ("voice", "clips", "rejected", "rejected %", "content not heard %", *reasons),
        tuple(rows),
        (f"items without a clip: {', '.join(report.missing)}",) if report.missing else (),
        decimals=1,
    )


def _grouped(utterances: Sequence[Utterance]) -> dict[str, list[Utterance]]:
    by_item: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        if not utterance.text.strip():
            raise DataError(f"item {utterance.item!r}, part {utterance.part!r} has nothing to say", field="text")
        parts = by_item.setdefault(utterance.item, [])
        if any(part.part == utterance.part for part in parts):
            raise DataError(f"item {utterance.item!r} has two texts for part {utterance.part!r}", field="part")
        parts.append(utterance)
    if not by_item:
        raise UsageError("there is nothing to render: no item has anything to be spoken")
    return by_item


def _digest(utterances: Sequence[Utterance]) -> str:
    return digests.of_text(json.dumps([asdict(one) for one in utterances], ensure_ascii=False, sort_keys=True), 16)


def _report(out: Path, by_item: Mapping[str, Any], wall: float, rendered: int) -> Report:
    rows = folders.read_rows(out / METADATA)
    rejected = folders.read_rows(out / folders.REJECTS)
    there = {row["item_id"] for row in rows}
    return Report(rows, rejected, [item for item in by_item if item not in there], wall, rendered)
