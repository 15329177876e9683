"""Metrics and statistics, free of any model. Names are imported from their modules on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apun.scoring.location import Location as Location
    from apun.scoring.location import WordSimilarity as WordSimilarity
    from apun.scoring.location import locate as locate
    from apun.scoring.statistics import Difference as Difference
    from apun.scoring.statistics import Interval as Interval
    from apun.scoring.statistics import McNemar as McNemar
    from apun.scoring.statistics import bootstrap as bootstrap
    from apun.scoring.statistics import cohen_kappa as cohen_kappa
    from apun.scoring.statistics import holm as holm
    from apun.scoring.statistics import mcnemar as mcnemar
    from apun.scoring.statistics import paired_bootstrap as paired_bootstrap
    from apun.scoring.statistics import permutation as permutation

_NAMES = {
    name: module
    for module, names in {
        "location": "Location WordSimilarity locate",
        "statistics": "Difference Interval McNemar bootstrap cohen_kappa holm mcnemar paired_bootstrap permutation",
    }.items()
    for name in names.split()
}

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> Any:
    """Import the module that holds a public name (PEP 562)."""
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"apun.scoring.{_NAMES[name]}"), name)
    globals()[name] = value
    return value
