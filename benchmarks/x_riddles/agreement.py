"""How far raters agree: Krippendorff's α, and Cohen's κ for two.

α is computed here from the coincidence matrix (Krippendorff 2011, "Computing Krippendorff's
alpha-reliability"), because the usual package is under the GPL; tests compare the two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from apun.scoring.statistics import cohen_kappa
from benchmarks.x_riddles.ratings import Rating

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ORDINAL = ("quality", "how_reasonable", "funny")
Scale = Literal["nominal", "ordinal"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree on one field.

    Attributes:
        field: what was rated.
        alpha: Krippendorff's α, ordinal for scales and nominal otherwise; NaN where it is undefined.
        kappa: Cohen's κ on the rows both rated, where there are exactly two raters; else None.
        raters: number of raters.
        rows: rows with two ratings or more.
    """

    field: str
    alpha: float
    kappa: float | None
    raters: int
    rows: int


def agreement(ratings: Sequence[Rating], field: str) -> Agreement:
    """Agreement of the raters on one field."""
    units: dict[str, dict[str, str]] = {}
    for rating in ratings:
        if field in rating.values:
            units.setdefault(rating.sample, {})[rating.rater] = rating.values[field]
    raters = sorted({rater for row in units.values() for rater in row})
    kappa = None
    if len(raters) == 2:
        both = [row for row in units.values() if len(row) == 2]
        kappa = cohen_kappa(*([row[rater] for row in both] for rater in raters))
    values = [list(row.values()) for row in units.values()]
    alpha = krippendorff_alpha(values, "ordinal" if field in _ORDINAL else "nominal")
    return Agreement(field, alpha, kappa, len(raters), sum(len(row) >= 2 for row in values))


def krippendorff_alpha(units: Sequence[Sequence[str]], scale: Scale) -> float:
    """Krippendorff's α of the values that raters gave to each unit.

    Args:
        units: values of each unit, in any order; units with fewer than two say nothing.
        scale: ``nominal``, or ``ordinal`` for numbers on a scale.

    Returns:
        1 for perfect agreement, 0 for chance; NaN where fewer than two different values were given.
    """
    import numpy as np

    pairable = [unit for unit in units if len(unit) >= 2]
    domain = sorted({value for unit in pairable for value in unit})
    if scale == "ordinal":
        domain.sort(key=float)
    if len(domain) < 2:
        return math.nan
    place = {value: i for i, value in enumerate(domain)}
    together = np.zeros((len(domain), len(domain)))
    for unit in pairable:
        counts = np.bincount([place[value] for value in unit], minlength=len(domain)).astype(np.float64)
        together += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    totals = together.sum(axis=1)
    distance = _distances(totals, scale)
    expected = (np.outer(totals, totals) * distance).sum() / (totals.sum() - 1)
    return float(1 - (together * distance).sum() / expected) if expected else math.nan


def _distances(totals: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Squared distances between values: 0 or 1, or by how many ratings lie between them."""
    import numpy as np

    size = len(totals)
    if scale == "nominal":
        return 1.0 - np.eye(size)
    upto = np.concatenate([[0.0], np.cumsum(totals)])
    distance = np.zeros((size, size))
    for low in range(size):
        for high in range(low + 1, size):
            between = upto[high + 1] - upto[low] - (totals[low] + totals[high]) / 2
            distance[low, high] = distance[high, low] = between**2
    return distance
