"""One self-contained HTML page for one or more runs: tables, figures, and every item to listen to."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from apun import registry
from apun.errors import UsageError
from apun.paths import write_atomic
from apun.report.figures import cost_tables, figure
from apun.report.runs import Run, open_runs, questions, rows
from apun.report.tables import Table, summary_table
from apun.run.data import Data

STATIC = Path(__file__).parent / "static"
CHUNK = 200  # questions whose details are parsed together, when one of them is opened
EMBED_WARNING_BYTES = 50_000_000


def write_page(
    folders: Sequence[Path], out: Path, *, embed_audio: bool = False, data: Data | None = None
) -> dict[str, int]:
    """Write the page.

    Args:
        folders: scored run folders, of one benchmark.
        out: the HTML file.
        embed_audio: put the audio into the page, so that it can be sent away alone.
        data: the runs' data, where it is open already.

    Returns:
        Sizes in bytes (``page``, ``audio``) and the number of ``questions``.

    Raises:
        UsageError: a folder is not a scored run, or the runs are of different benchmarks.
    """
    runs = open_runs(folders)
    if len({run.selection["benchmark"] for run in runs}) > 1:
        raise UsageError("one page holds runs of one benchmark; the runs given are of several")
    records: list[dict[str, Any]] = []
    notes: list[str] = []
    for number, run in enumerate(runs):
        asked, problem = questions(run, data)
        if problem:
            notes.append(f"{run.name}: texts and audio are not shown ({problem})")
        records += rows(run, number, out, asked)
    audio_bytes = _embed(records, out) if embed_audio else 0
    html = render(runs, tables(runs), records, notes)
    write_atomic(out, html)
    return {"page": out.stat().st_size, "audio": audio_bytes, "questions": len(records)}


def tables(runs: Sequence[Run]) -> list[Table]:
    """The summary first, then the benchmark's own tables."""
    benchmark = registry.benchmark(runs[0].selection["benchmark"])
    own = benchmark.tables([(run.name, run.scores) for run in runs])
    return [summary_table([(run.name, run.summary) for run in runs]), *own, *cost_tables(runs)]


def render(
    runs: Sequence[Run], shown: Sequence[Table], records: Sequence[Mapping[str, Any]], notes: Sequence[str]
) -> str:
    """The page's HTML. Everything from models and data goes through escaping or JSON."""
    import jinja2

    heads = [{key: value for key, value in record.items() if key != "detail"} for record in records]
    chunks = [
        [record["detail"] for record in records[start : start + CHUNK]] for start in range(0, len(records), CHUNK)
    ]
    drawn = [figure(table) for table in shown]
    scripts = [static_text("plotly-basic.min.js") if any(drawn) else "", static_text("page.js")]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(STATIC), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        title=f"apun: {', '.join(run.name for run in runs)[:120]}",
        policy=page_policy(scripts),
        style=static_text("page.css"),
        scripts=[script for script in scripts if script],
        runs=runs,
        notes=notes,
        tables=[
            {"table": table, "figure": data_json(chart) if chart else "", "csv": _download(table.to_csv(), "text/csv"),
             "latex": _download(table.to_latex(), "text/x-tex")}
            for table, chart in zip(shown, drawn, strict=True)
        ],
        rows=data_json(heads),
        names=data_json([run.name for run in runs]),
        chunks=[data_json(chunk) for chunk in chunks],
        chunk_size=CHUNK,
        signatures=[task["signature"] for run in runs for task in run.summary["tasks"].values()],
    )  # fmt: skip


def data_json(value: Any) -> Any:
    """JSON that may stand inside a script element: no ``<``, ``>`` or ``&`` survives, NaN is null."""
    from markupsafe import Markup

    try:
        text = _dumps(value)
    except ValueError:  # a NaN somewhere; looking for it first would cost every page seconds
        text = _dumps(_finite(value))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # every character that HTML could read was escaped just now


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, Mapping):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return value


def page_policy(scripts: Sequence[str]) -> str:
    """Content-Security-Policy: only the page's own scripts, no network at all."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in scripts
        if script
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        "media-src 'self' file: data: blob:; base-uri 'none'; form-action 'none'"
    )


def _download(text: str, kind: str) -> str:
    return f"data:{kind};charset=utf-8,{quote(text)}"


@cache
def static_text(name: str) -> str:
    text = (STATIC / name).read_text(encoding="utf-8")
    if "</script" in text.lower():
        raise AssertionError(f"{name} cannot stand inside a script element")
    return text


def _embed(records: Sequence[dict[str, Any]], out: Path) -> int:
    """Replace links by data URIs; each file is read once. Warns when the page grows large."""
    import sys

    total = 0
    known: dict[str, str] = {}
    for record in records:
        for audio in record["detail"]["audio"]:
            source = audio["source"]
            if source not in known:
                data = (out.parent / source).read_bytes()
                total += len(data)
                kind = "audio/flac" if source.endswith(".flac") else "audio/wav"
                known[source] = f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
            audio["source"] = known[source]
    if total > EMBED_WARNING_BYTES:
        print(f"apun: the page embeds {total / 1e6:.0f} MB of audio; browsers may be slow with it", file=sys.stderr)
    return total
