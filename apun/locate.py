"""``python -m apun.locate``: where in a sentence a word sounds most alike, with the similarity of every word."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apun import cli
from apun.report.tables import Cell, Table

if TYPE_CHECKING:
    from apun.phonetics import Sound
    from apun.scoring.location import Location

EXAMPLES = """examples:
  apun locate --sentence "The baker kneaded the money." --word needed
  apun locate --sentence 年年有余 --word 鱼 --language zh
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser(
        "locate",
        "Find the word of a sentence that sounds most like a given one: S = S_edit + S_cos, from 0 to 2 "
        "(APUN-Bench, equations 1-3).",
        EXAMPLES,
    )
    result.add_argument("--sentence", required=True, help="the text to look in")
    result.add_argument("--word", required=True, help="the predicted word, or a phrase of up to four words")
    result.add_argument("--language", choices=("en", "zh", "ja"), default="en", help="language of both (default: en)")
    result.add_argument(
        "--g2p",
        choices=("letters", "espeak", "epitran"),
        help="how English words that CMUdict lacks are read (default: letters)",
    )
    result.add_argument("--json", action="store_true", help="print JSON")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; exit code 1 when nothing could be located."""
    args = parser().parse_args(argv)
    from apun.scoring.location import locate

    if args.g2p:
        from apun.phonetics.english import use_backend

        use_backend(args.g2p)
    found = locate(args.word, args.sentence, args.language)
    if args.json:
        cli.print_json(as_json(found))
    else:
        print(as_table(found, args.word).to_text())
    return cli.OK if found.index is not None else cli.FAILED


def as_table(found: Location, word: str) -> Table:
    """The similarities of every word, the located one marked."""
    rows: list[tuple[Cell, ...]] = []
    for row, spoken in zip(found.table, found.words, strict=True):
        ipa = " / ".join(_shown(sound) for sound in spoken.readings) or row.problem
        mark = "<" if found.covers(row.index) else ""
        rows.append((row.index, row.word, ipa, row.edit, row.cosine, row.similarity, mark))
    if found.index is None:
        note = f"nothing located: {found.reason}"
    else:
        at = str(found.index) if found.start == found.index else f"{found.start}-{found.index}"
        note = f"located at {at}: {found.word!r}, S = {found.similarity:.3f}"
    columns = ("#", "word", "IPA", "S_edit", "S_cos", "S", "")
    return Table("locate", f"How much each word sounds like {word!r}", columns, tuple(rows), (note,), decimals=3)


def _shown(sound: Sound) -> str:
    tones = "".join(map(str, sound.tones))
    return f"{sound.ipa} {tones}" if tones else sound.ipa


def as_json(found: Location) -> dict[str, object]:
    """The same in plain values."""
    return {
        "index": found.index,
        "start": found.start,
        "word": found.word,
        "similarity": found.similarity,
        "edit": found.edit,
        "cosine": found.cosine,
        "reason": found.reason,
        "words": [
            {
                "index": row.index,
                "word": row.word,
                "ipa": [_shown(sound) for sound in spoken.readings],
                "edit": row.edit,
                "cosine": row.cosine,
                "similarity": row.similarity,
                "problem": row.problem,
            }
            for row, spoken in zip(found.table, found.words, strict=True)
        ],
    }


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
