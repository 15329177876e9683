"""Words to sounds, one front end a language: text as written, words as said, sounds.

``sounds.sounds(word, language)`` gives the readings of a word as canonical IPA, ``sounds.words(text,
language)`` the words of a text with theirs. The languages are the packages ``english``, ``mandarin`` and
``japanese``; what they know by heart lies in their ``tables``. Gold readings live in the items; these
are for what models answer, and for what voices say.
"""

from __future__ import annotations

from pathlib import Path


def table(language: str, name: str) -> list[dict[str, str]]:
    """Rows of a language's data table (tab separated, the first line names the columns).

    Args:
        language: name of the language's package.
        name: file name without ``.tsv``.
    """
    path = Path(__file__).parent / language / "tables" / f"{name}.tsv"
    heads, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [dict(zip(heads, row, strict=True)) for row in rows]
