"""Gold readings in the released data that are known to be doubtful.

The released readings are given as they sound in the word and without okurigana (``花園``: ``ぞの``;
``筆記``: ``ひっ``). These are not, or not in agreement with the official table. With ``--corrected``
(``--set corrected=yes``) they leave the denominator; every table of such a run lists them.
"""

from __future__ import annotations

from collections.abc import Mapping

_OKURIGANA = "the reading holds okurigana of the word; the kanji itself is read {}"
_SOUND = "the table's reading; in this word the kanji sounds {}"

SLIPS: Mapping[tuple[str, str, str], str] = {
    ("病", "疾病", "ぺい"): "the table gives ヘイ; ぺい is how it sounds after っ",
    ("研", "研ぐ", "とぐ"): _OKURIGANA.format("と"),
    ("述", "述べる", "のべ"): _OKURIGANA.format("の"),
    ("規", "定規", "き"): _SOUND.format("ぎ"),
    ("摂", "摂生", "せつ"): _SOUND.format("せっ"),
    ("頭", "旗頭", "かしら"): _SOUND.format("がしら"),
    ("柄", "権柄ずく", "へい"): _SOUND.format("ぺい"),
}


def slip(kanji: str, word: str, reading: str) -> str | None:
    """Why this gold reading is doubtful; None when nothing is known against it."""
    return SLIPS.get((kanji, word, reading))
