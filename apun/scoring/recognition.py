"""Pun recognition: accuracy, precision, recall, F1 and the share of "pun" answers (APUN-Bench, section 4).

All five are functions of five additive counts, so they can be resampled. An answer that could not be
read is no "pun" and no "non-pun": it counts as wrong in the accuracy and, for a pun, as a miss in
the recall; it stays in every denominator that counts items.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from apun.scoring.statistics import share

Polarity = Literal["pun", "non-pun"]
STATISTICS = ("n", "tp", "fp", "fn", "tn")

Floats = NDArray[np.float64]


def says_pun(affirmed: bool, polarity: Polarity) -> bool:
    """Whether a yes or no claims a pun: a yes to "is this a pun?", a no to "is this a non-pun?"."""
    return affirmed == (polarity == "pun")


def confusion(gold: bool, predicted: bool | None) -> Mapping[str, float]:
    """Counts of one item, names as in ``STATISTICS``.

    Args:
        gold: whether it is a pun.
        predicted: whether the answer says so; None when it could not be read.
    """
    return {
        "n": 1.0,
        "tp": float(gold and predicted is True),
        "fp": float(not gold and predicted is True),
        "fn": float(gold and predicted is not True),
        "tn": float(not gold and predicted is False),
    }


def accuracy(sums: Floats) -> Floats:
    """(tp + tn) / n, in [0, 1], of sums of shape (..., 5) in the order of ``STATISTICS``."""
    return share(sums[..., 1] + sums[..., 4], sums[..., 0])


def precision(sums: Floats) -> Floats:
    """tp / (tp + fp), in [0, 1]; NaN where nothing was called a pun."""
    return share(sums[..., 1], sums[..., 1] + sums[..., 2])


def recall(sums: Floats) -> Floats:
    """tp / (tp + fn), in [0, 1]; NaN where there is no pun."""
    return share(sums[..., 1], sums[..., 1] + sums[..., 3])


def f1(sums: Floats) -> Floats:
    """2 tp / (2 tp + fp + fn), in [0, 1]; NaN where there is neither a pun nor a claim of one."""
    return share(2 * sums[..., 1], 2 * sums[..., 1] + sums[..., 2] + sums[..., 3])


def pun_share(sums: Floats) -> Floats:
    """(tp + fp) / n, in [0, 1]: the paper's Pun (%)."""
    return share(sums[..., 1] + sums[..., 2], sums[..., 0])
