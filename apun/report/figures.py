"""Tables as Plotly figures: grouped bars, one group a column, one series a row; costs as scatter plots."""

from __future__ import annotations

from typing import Any

from apun.report.tables import Table

SCATTERED = frozenset({"size", "seconds"})
MOST_SERIES = 12  # beyond this a bar chart is unreadable; the table stays


def figure(table: Table) -> dict[str, Any] | None:
    """A Plotly figure of a table's numeric columns; None when there is nothing to draw.

    The first column names the series; a further text column is joined to it.
    """
    if table.name in SCATTERED:
        return {
            "data": [
                {"type": "scatter", "mode": "markers", "name": str(row[0])[:60], "x": [row[1]], "y": [row[2]]}
                for row in table.rows
            ],
            "title": table.title,
        }
    numeric = [
        i
        for i in range(1, len(table.columns))
        if any(_number(row[i]) is not None for row in table.rows)
        and all(row[i] is None or _number(row[i]) is not None for row in table.rows)
    ]
    rows = [row for row in table.rows if any(_number(row[i]) is not None for i in numeric)]
    if not numeric or not rows or len(rows) > MOST_SERIES:
        return None
    heads = [table.columns[i] for i in numeric]
    texts = [i for i in range(len(table.columns)) if i not in numeric]
    traces = [
        {
            "type": "bar",
            "name": " · ".join(str(row[i]) for i in texts if row[i] is not None)[:60],
            "x": heads,
            "y": [_number(row[i]) for i in numeric],
        }
        for row in rows
    ]
    return {"data": traces, "title": table.title}


def _number(cell: object) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or cell != cell:
        return None
    return float(cell)
