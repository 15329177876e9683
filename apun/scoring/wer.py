"""Word and character errors: texts made comparable, then counted by jiwer with their alignment (APUN-Bench, Table 7).

Both texts are normalised first; the normaliser's name belongs to the signature:

* ``whisper-en``: OpenAI's English normaliser (case, punctuation, contractions, numbers, British
  spelling, fillers), from the openai-whisper package but without importing torch.
* ``zh-1``: NFKC, lower case, Traditional to Simplified characters (OpenCC), Arabic numerals as Chinese ones
  (a year, a long number or one with a leading zero digit by digit; 两 stays 两), punctuation and space out.
* ``ja-1``: NFKC, lower case, punctuation and space out, every prolonging mark as ー. Kanji and kana are
  kept apart: another spelling of the right word is an error, as in published character error rates.

English counts words, Mandarin and Japanese characters (a run of Latin letters is one). Rates of a
corpus are sums of errors over sums of reference units, so longer sentences weigh more.

Empty texts are defined and counted: an empty reference has 0 units and as many errors as the
hypothesis has units, which then weigh on the corpus; an empty hypothesis is all deletions.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from apun.errors import MissingDependency, UsageError
from apun.phonetics import check_language
from apun.phonetics.japanese.kana import prolonged
from apun.phonetics.mandarin.text import numerals, simplified
from apun.registry import package_folder

NORMALISERS = {"en": "whisper-en", "zh": "zh-1", "ja": "ja-1"}

Unit = Literal["word", "character"]
ChunkKind = Literal["equal", "substitute", "insert", "delete"]

_SPACE = "␣"  # a space as a character of its own
_UNITS = re.compile(r"[a-z0-9']+|\S")
_CACHE = 16384


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

    sides = [_units(normalise(text, language), language, unit) for text in (reference, hypothesis)]
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


def normalise(text: str, language: str = "en") -> str:
    """Normalised text of a language; may be empty.

    Args:
        text: a transcript or reference.
        language: ``en``, ``zh`` or ``ja``.

    Raises:
        UsageError: unknown language.
        MissingDependency: openai-whisper (extra ``asr``), or opencc or cn2an (extra ``zh``) is not installed.
    """
    return {"en": english, "zh": mandarin, "ja": japanese}[check_language(language)](text)


@lru_cache(maxsize=_CACHE)
def english(text: str) -> str:
    """Whisper's English normaliser."""
    return str(_whisper()(text)).strip()


@lru_cache(maxsize=_CACHE)
def mandarin(text: str) -> str:
    """The Mandarin normaliser ``zh-1``."""
    return _words_only(numerals(simplified(unicodedata.normalize("NFKC", text).lower())))


@lru_cache(maxsize=_CACHE)
def japanese(text: str) -> str:
    """The Japanese normaliser ``ja-1``."""
    return _words_only(prolonged(unicodedata.normalize("NFKC", text).lower()))


def _words_only(text: str) -> str:
    """Letters, digits and marks; a single space is kept only between two Latin words."""
    kept = "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in text)
    joined = re.sub(r"(?<![a-z0-9]) +| +(?![a-z0-9])", "", " ".join(kept.split()))
    composed = unicodedata.normalize("NFKC", joined)
    return composed if composed == text else _words_only(composed)  # a mark may now stand beside another letter


@lru_cache(maxsize=1)
def _whisper() -> Callable[[str], str]:
    """``EnglishTextNormalizer``, loaded from its folder: importing ``whisper`` itself would import torch."""
    package = sys.modules.get("whisper.normalizers")
    if package is None:
        folder = package_folder("whisper", "asr", "openai-whisper") / "normalizers"
        path = folder / "__init__.py"
        inner = importlib.util.spec_from_file_location(
            "apun_whisper_normalizers", path, submodule_search_locations=[str(folder)]
        )
        if inner is None or inner.loader is None or not path.is_file():
            raise MissingDependency("openai-whisper", "asr")
        package = importlib.util.module_from_spec(inner)
        sys.modules[inner.name] = package  # its own relative imports look it up
        inner.loader.exec_module(package)
    normalizer: Callable[[str], str] = package.EnglishTextNormalizer()
    return normalizer


def _units(text: str, language: str, unit: Unit | None) -> list[str]:
    if check_language(language) == "en":
        return list(text.replace(" ", _SPACE)) if unit == "character" else text.split()
    if unit == "word":
        raise UsageError(f"words are not counted in {language!r}, which is written without spaces: use 'character'")
    return _UNITS.findall(text)
