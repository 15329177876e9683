"""Table: the one shape every result is printed in - terminal, CSV, LaTeX, HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apun.run.data import Data
    from apun.run.evaluate import Outcome


Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table.

    Attributes:
        name: file-name stem, such as ``table2``.
        title: caption, with the paper's number where it follows one.
        columns: column heads.
        rows: cells; floats are shown with ``decimals`` places, None as a dash.
        notes: lines under the table (quoted rows, exclusions, definitions).
        decimals: places shown for floats.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = field(default=())
    decimals: int = 2

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Sequence[str],
        measured: Iterable[Sequence[Cell]],
        notes: Sequence[str] = (),
        quoted: Iterable[Sequence[Cell]] = (),
        decimals: int = 2,
    ) -> Table | None:
        """A table of measured rows, a paper's own after them; None where nothing was measured."""
        body = [tuple(row) for row in measured]
        if not body:
            return None
        body += [tuple(row) for row in quoted]
        return cls(name, title, tuple(columns), tuple(body), tuple(notes), decimals)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: a row has {len(row)} cells for {len(self.columns)} columns")

    def shown(self, cell: Cell) -> str:
        """A cell as text."""
        if cell is None or (isinstance(cell, float) and cell != cell):
            return "-"
        return f"{cell:.{self.decimals}f}" if isinstance(cell, float) else str(cell)

    def to_text(self) -> str:
        """Aligned plain text; wide characters count as two columns."""
        body = [self.columns, *[tuple(self.shown(cell) for cell in row) for row in self.rows]]
        widths = [max(_width(row[i]) for row in body) for i in range(len(self.columns))]
        numeric = [
            all(isinstance(row[i], (int, float)) or row[i] is None for row in self.rows) for i in range(len(widths))
        ]

        def line(cells: Sequence[str]) -> str:
            padded = [
                " " * (w - _width(c)) + c if n else c + " " * (w - _width(c))
                for c, w, n in zip(cells, widths, numeric, strict=True)
            ]
            return "  ".join(padded).rstrip()

        rule = "-" * min(100, sum(widths) + 2 * (len(widths) - 1))
        lines = [self.title, line(body[0]), rule, *[line(row) for row in body[1:]]]
        return "\n".join([*lines, *[f"  {note}" for note in self.notes]])

    def to_csv(self) -> str:
        """CSV with full precision; cells that a spreadsheet would run as a formula are quoted."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self.rows:
            writer.writerow(["" if cell is None or cell != cell else _defused(cell) for cell in row])
        return out.getvalue()

    def to_latex(self) -> str:
        """A booktabs table in the papers' layout."""
        head = " & ".join(_latex(column) for column in self.columns)
        body = "\n".join(" & ".join(_latex(self.shown(cell)) for cell in row) + r" \\" for row in self.rows)
        spec = "l" + "r" * (len(self.columns) - 1)
        return (
            f"\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{{spec}}}\n\\toprule\n{head} \\\\\n\\midrule\n"
            f"{body}\n\\bottomrule\n\\end{{tabular}}\n\\caption{{{_latex(self.title)}}}\n\\end{{table}}\n"
        )


def _defused(cell: Cell) -> Cell:
    runs = isinstance(cell, str) and len(cell) > 1 and cell[0] in "=+-@\t\r"
    return f"'{cell}" if runs else cell


def _width(text: str) -> int:
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


_LATEX = {char: "\\" + char for char in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)


def shown(measured: Mapping[str, Any] | None) -> str:
    """``62.3 [55.1, 69.0]``, or a dash where the metric is undefined."""
    if measured is None or measured["value"] is None:
        return "-"
    scale, places = (100.0, 1) if measured["percent"] else (1.0, 2)
    value = f"{measured['value'] * scale:.{places}f}"
    if measured["low"] is None or measured["high"] is None:
        return value
    return f"{value} [{measured['low'] * scale:.{places}f}, {measured['high'] * scale:.{places}f}]"


def summary_table(summaries: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    """One row a metric, one column a run; then answers counted and failures by status."""
    rows: list[tuple[Cell, ...]] = []
    tasks = list(dict.fromkeys(task for _, summary in summaries for task in summary["tasks"]))
    for task in tasks:
        parts = [summary["tasks"].get(task, {}) for _, summary in summaries]
        names = dict.fromkeys(name for part in parts for name in part.get("metrics", {}))
        for name in names:
            found = [part.get("metrics", {}).get(name) for part in parts]
            label = next(metric["label"] for metric in found if metric)
            n = next(metric["n"] for metric in found if metric)
            rows.append((task, label, n, *[shown(metric) for metric in found]))
        rows.append((task, "failed", max(part.get("n", 0) for part in parts), *[_failures(part) for part in parts]))
    return Table(
        "summary",
        "Scores with 95 % bootstrap intervals (percent unless marked); failures count as wrong",
        ("task", "metric", "n", *[name for name, _ in summaries]),
        tuple(rows),
    )


def _failures(part: Mapping[str, Any]) -> str:
    if not part:
        return "-"
    notes = [f"{count} {status}" for status, count in part["counts"].items() if status != "scored"]
    if part.get("missing"):
        notes.append(f"{part['missing']} not asked yet")
    rate = part["failure_rate"]
    head = "-" if rate is None else f"{100 * rate:.1f}"
    return f"{head} ({', '.join(notes)})" if notes else head


def print_outcomes(outcomes: Sequence[tuple[str, Outcome]], data: Data) -> None:
    """The paper's tables, the summary, the signatures and the folders."""
    from apun.run.folder import read_scores

    for table in data.benchmark.tables([(name, list(read_scores(outcome.folder))) for name, outcome in outcomes])[:1]:
        print(table.to_text(), end="\n\n")
    print(summary_table([(name, outcome.summary) for name, outcome in outcomes]).to_text(), end="\n\n")
    for name, outcome in outcomes:
        print(f"{name}: {outcome.asked} asked now, {outcome.kept} kept; run folder {outcome.folder}")
        for task in outcome.summary["tasks"].values():
            print(f"  {task['signature']}")
