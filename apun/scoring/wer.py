"""Word and character errors: texts made comparable, then counted by jiwer with their alignment (APUN-Bench, Table 7).

Both texts are made comparable first, by each language's own rule (``apun.phonetics.comparable``: Whisper's
normaliser, ``zh-1``, ``ja-1``).

English counts words, Mandarin and Japanese characters (a run of Latin letters is one). Rates of a
corpus are sums of errors over sums of reference units, so longer sentences weigh more.

Empty texts are defined and counted: an empty reference has 0 units and as many errors as the
hypothesis has units, which then weigh on the corpus; an empty hypothesis is all deletions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from apun.errors import UsageError
from apun.phonetics import comparable, is_spaced

Unit = Literal["word", "character"]
ChunkKind = Literal["equal", "substitute", "insert", "delete"]

_SPACE = "␣"  # a space as a character of its own
_UNITS = re.compile(r"[a-z0-9']+|\S")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of the alignment.

    Attributes:
        kind: ``equal``, ``substitute``, ``insert`` or ``delete``.
        reference: reference units; empty for an insertion.
        hypothesis: hypothesis units; empty for a deletion.
    """

    kind: ChunkKind
    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Errors:
    """Errors of one hypothesis.

    Attributes:
        hits: units that agree.
        substitutions: units put for others.
        deletions: reference units left out.
        insertions: hypothesis units added.
        alignment: the alignment, in order.
    """

    hits: int
    substitutions: int
    deletions: int
    insertions: int
    alignment: tuple[Chunk, ...]

    @property
    def units(self) -> int:
        """Length of the reference."""
        return self.hits + self.substitutions + self.deletions

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float:
        """Errors over reference units, 0 or more; for an empty reference the number of insertions, as jiwer 4."""
        return self.errors / self.units if self.units else float(self.errors)

    @property
    def statistics(self) -> Mapping[str, float]:
        """Additive statistics: ``errors`` over ``units`` is the rate; empty texts are counted."""
        return {
            "errors": float(self.errors),
            "units": float(self.units),
            "substitutions": float(self.substitutions),
            "deletions": float(self.deletions),
            "insertions": float(self.insertions),
            "empty_reference": float(self.units == 0),
            "empty_hypothesis": float(self.hits + self.substitutions + self.insertions == 0),
        }


def count_errors(reference: str, hypothesis: str, language: str = "en", unit: Unit | None = None) -> Errors:
    """Errors of a hypothesis after both texts are normalised.

    Args:
        reference: what was said; may be empty.
        hypothesis: what was recognised; may be empty.
        language: ``en``, ``zh`` or ``ja``.
        unit: ``word`` (English only) or ``character``; the language's own when None.

    Raises:
        UsageError: unknown language, or words of a language written without spaces.
        MissingDependency: the normaliser's package is not installed.
    """
    import jiwer

    sides = [_units(comparable(text, language), language, unit) for text in (reference, hypothesis)]
    output = jiwer.process_words(" ".join(sides[0]), " ".join(sides[1]))
    chunks = tuple(
        Chunk(
            chunk.type,
            tuple(output.references[0][chunk.ref_start_idx : chunk.ref_end_idx]),
            tuple(output.hypotheses[0][chunk.hyp_start_idx : chunk.hyp_end_idx]),
        )
        for chunk in output.alignments[0]
    )
    return Errors(output.hits, output.substitutions, output.deletions, output.insertions, chunks)


def _units(text: str, language: str, unit: Unit | None) -> list[str]:
    if is_spaced(language):
        return list(text.replace(" ", _SPACE)) if unit == "character" else text.split()
    if unit == "word":
        raise UsageError(f"words are not counted in {language!r}, which is written without spaces: use 'character'")
    return _UNITS.findall(text)
