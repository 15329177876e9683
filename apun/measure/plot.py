"""Latency as a picture: stacked bars of the stages, the spread of the total as whiskers."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apun.measure.summary import Summary

STAGES = (("ASR", "#4878a8"), ("Reasoning", "#d98c3f"), ("Outside stages", "#9a9a9a"))


def available() -> str | None:
    """The plotting library there is; None where there is none."""
    return next((name for name in ("matplotlib", "plotly") if importlib.util.find_spec(name)), None)


def write(summaries: Sequence[Summary], folder: Path) -> Path | None:
    """Write ``latency.svg`` (matplotlib) or ``latency.html`` (plotly); None where neither is installed."""
    library = available()
    if library is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    if library == "matplotlib":
        return _svg(summaries, folder / "latency.svg")
    return _html(summaries, folder / "latency.html")


def bars(summaries: Sequence[Summary]) -> list[tuple[str, list[float]]]:
    """Mean seconds of each stage by model, in the order of ``summaries``."""
    means = [(s.asr.mean or 0.0, s.reasoning.mean or 0.0, max(0.0, s.other.mean or 0.0)) for s in summaries]
    return [(label, [row[index] for row in means]) for index, (label, _) in enumerate(STAGES)]


def _svg(summaries: Sequence[Summary], path: Path) -> Path:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    names = [s.model for s in summaries]
    figure, axes = pyplot.subplots(figsize=(8, 1.2 + 0.6 * len(names)))
    left = [0.0] * len(names)
    for (label, values), (_, colour) in zip(bars(summaries), STAGES, strict=True):
        axes.barh(names, values, left=left, label=label, color=colour)
        left = [a + b for a, b in zip(left, values, strict=True)]
    for row, summary in enumerate(summaries):
        if summary.total.p50 is not None and summary.total.p99 is not None:
            axes.plot([summary.total.p50, summary.total.p99], [row, row], color="black", linewidth=1)
            axes.plot([summary.total.p50], [row], marker="|", color="black")
    axes.invert_yaxis()
    axes.set_xlabel("seconds a prompt: mean by stage; line: median to 99th percentile of the total")
    axes.legend(loc="lower right", frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path


def _html(summaries: Sequence[Summary], path: Path) -> Path:
    from plotly import graph_objects

    names = [s.model for s in summaries]
    traces: list[Any] = [
        graph_objects.Bar(name=label, y=names, x=values, orientation="h", marker_color=colour)
        for (label, values), (_, colour) in zip(bars(summaries), STAGES, strict=True)
    ]
    figure = graph_objects.Figure(traces)
    figure.update_layout(barmode="stack", xaxis_title="seconds a prompt, mean by stage")
    figure.update_yaxes(autorange="reversed")
    figure.write_html(path, include_plotlyjs=True)
    return path
