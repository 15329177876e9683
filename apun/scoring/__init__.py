"""Metrics and statistics, free of any model. Names are imported from their modules on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apun.scoring.inference import Inference as Inference
    from apun.scoring.inference import classify_inference as classify_inference
    from apun.scoring.lemmas import normalise_word as normalise_word
    from apun.scoring.lemmas import same_lemma as same_lemma
    from apun.scoring.location import Location as Location
    from apun.scoring.location import WordSimilarity as WordSimilarity
    from apun.scoring.location import locate as locate
    from apun.scoring.meaning import TAU as TAU
    from apun.scoring.meaning import Matching as Matching
    from apun.scoring.meaning import Similarity as Similarity
    from apun.scoring.meaning import load_similarity as load_similarity
    from apun.scoring.meaning import match_meanings as match_meanings
    from apun.scoring.phonetic import closeness as closeness
    from apun.scoring.phonetic import same_sound as same_sound
    from apun.scoring.recognition import says_pun as says_pun
    from apun.scoring.statistics import Difference as Difference
    from apun.scoring.statistics import Interval as Interval
    from apun.scoring.statistics import McNemar as McNemar
    from apun.scoring.statistics import bootstrap as bootstrap
    from apun.scoring.statistics import cohen_kappa as cohen_kappa
    from apun.scoring.statistics import holm as holm
    from apun.scoring.statistics import mcnemar as mcnemar
    from apun.scoring.statistics import paired_bootstrap as paired_bootstrap
    from apun.scoring.statistics import permutation as permutation
    from apun.scoring.taxonomy import ErrorType as ErrorType
    from apun.scoring.timing import Span as Span
    from apun.scoring.timing import hit as hit
    from apun.scoring.timing import interval_of_time as interval_of_time
    from apun.scoring.timing import interval_of_word as interval_of_word
    from apun.scoring.timing import locate_in_time as locate_in_time
    from apun.scoring.timing import overlap as overlap
    from apun.scoring.wer import Errors as Errors
    from apun.scoring.wer import count_errors as count_errors

_NAMES = {
    name: module
    for module, names in {
        "inference": "Inference classify_inference",
        "lemmas": "normalise_word same_lemma",
        "location": "Location WordSimilarity locate",
        "meaning": "TAU Matching Similarity load_similarity match_meanings",
        "phonetic": "closeness same_sound",
        "taxonomy": "ErrorType",
        "timing": "Span hit interval_of_time interval_of_word locate_in_time overlap",
        "wer": "Errors count_errors",
        "recognition": "says_pun",
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
