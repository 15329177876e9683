"""Table 1, the round-trip table and the check of homophonic items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from apun.models import Rendering, Voice
from apun.registry import layout
from apun.speech import Utterance
from apun.splits import read_split
from tts.core.measures import alike_table, clip_lengths, pairs_of, sentence_length, voices
from tts.core.synthesis import Report, reject_table


def split_of(folder: Path, rows: list[dict[str, Any]]) -> Any:
    soundfile.write(folder / "two.wav", np.random.default_rng(0).standard_normal(16_000) * 0.1, 8_000)
    (folder / "metadata.jsonl").write_text("".join(json.dumps({"file_name": "two.wav", **row}) + "\n" for row in rows))
    return read_split(folder)


def test_table1_by_type_with_and_without_stated_seconds(tmp_path: Path) -> None:
    split = split_of(
        tmp_path,
        [
            {"item_id": "a", "text": "one two three", "seconds": 4.0, "type": "homographic", "voice": "x"},
            {"item_id": "a", "part": "swapped", "text": "one two four five", "seconds": 9.0, "type": "homographic"},
            {"item_id": "b", "text": "one", "type": "negative", "voice": "y"},
            {"item_id": "c", "text": "one two three four five", "seconds": 6.0, "voice": "x"},
        ],
    )
    table = layout("apun", "synth")("split", clip_lengths(split, {"c": "homographic"}))
    assert table is not None
    assert table.title == "Table 1: statistics of split"
    assert table.columns == ("", "Homographic", "Negative", "Overall")
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["Clips"] == (2, 1, 3)
    assert rows["- Segment Clip (s)"] == (5.0, 2.0, 4.0)
    assert rows["- Sentence Length"] == (4.0, 1.0, 3.0)
    assert rows["- Total (min)"] == pytest.approx((10 / 60, 2 / 60, 12 / 60))
    assert voices(list(split.rows.values())).rows[2] == ("y", 1, 0.0)


def test_sentence_length() -> None:
    assert sentence_length("old bakers never die.") == 4
    assert sentence_length("外甥打灯笼，照旧") == 7


def test_reject_table_counts_clips_reasons_and_mean_error() -> None:
    kept = [{"voice": voice, "content_error": rate} for voice, rate in (("a", 0.1), ("a", 0.3), ("b", 0))]
    bad = [{"voice": "b", "reason": "clipped"}, {"voice": "b", "reason": "key_word", "content_error": 0.5}]
    table = reject_table(Report(kept, bad, ["i7"], 1.0, 5))
    assert table.columns[-2:] == ("clipped", "key_word")
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["a"] == (2, 0, 0.0, pytest.approx(20), 0, 0)
    assert rows["b"] == (3, 2, pytest.approx(200 / 3), pytest.approx(25), 1, 1)
    assert rows["all"] == (5, 2, 40.0, pytest.approx(22.5), 1, 1)
    assert "i7" in table.notes[0]


@dataclass
class Sayer:
    """An engine that says letters, and takes c for k."""

    name: str = "sayer"
    version: str = "1"
    deterministic: bool = True

    def voices(self) -> Sequence[Voice]:
        return []

    def forces(self, language: str) -> tuple[str, ...]:
        return ()

    def phonemes(self, utterance: Utterance) -> str:
        return utterance.text.replace("c", "ˈk")

    def speak(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        raise NotImplementedError

    def close(self) -> None: ...


@dataclass
class Item:
    id: str
    type: str
    text: str
    swapped_text: str
    swap_word: str = "x"
    language: str = "en"


def test_homophonic_items_said_differently_are_named() -> None:
    items = [
        Item("same", "homophonic", "a cit", "a kit"),
        Item("not", "homophonic", "a cit", "a sit"),
        Item("near", "heterographic", "a cat", "a bat"),
        Item("odd", "heterographic", "a cat", "a kat"),
        Item("meaning", "homographic", "a bank", "a bank"),
        Item("none", "homophonic", "a cit", "", swap_word=""),
    ]
    table = alike_table(pairs_of(items), Sayer())
    assert table is not None
    assert table.rows == (("homophonic", 2, 1, 50.0), ("heterographic", 2, 1, 50.0))
    assert table.notes == ("annotation and pronunciation disagree: not, odd",)
    assert alike_table([], Sayer()) is None


def test_engines_fed_with_text_give_no_verdict() -> None:
    item = Item("same", "homophonic", "a cit", "a kit")
    assert alike_table(pairs_of([item]), object()) is None  # type: ignore[arg-type]
