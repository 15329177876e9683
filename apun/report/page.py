"""One self-contained HTML page for one or more runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apun.paths import write_atomic


def write_page(runs: Sequence[Path], out: Path) -> None:
    """Write the page.

    Args:
        runs: scored run folders.
        out: the HTML file.
    """
    import jinja2

    from apun.report.terminal import summary_table
    from apun.run.folder import read_run, read_summary

    summaries = [(str(read_run(run)["asked"]["model"]), read_summary(run)) for run in runs]
    table = summary_table(summaries)
    template = jinja2.Environment(autoescape=True).from_string(_TEMPLATE)
    write_atomic(out, template.render(table=table, shown=table.shown, summaries=summaries))


_TEMPLATE = """<!doctype html><meta charset="utf-8"><title>apun</title>
<h1>{{ table.title }}</h1>
<table><tr>{% for c in table.columns %}<th>{{ c }}</th>{% endfor %}</tr>
{% for row in table.rows %}<tr>{% for c in row %}<td>{{ shown(c) }}</td>{% endfor %}</tr>{% endfor %}</table>
"""
