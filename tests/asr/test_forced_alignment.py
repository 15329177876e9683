"""Forced alignment: exact frames of hand-made emissions, a tiny checkpoint loaded as any other, the folder command."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import soundfile

from apun import cli
from apun.clips import Clip
from apun.errors import AudioError, DataError, MissingDependency, ModelUnavailable, UsageError
from apun.models import Generation, LoadOptions, Word
from apun.splits import read_split
from apun.tasks import Conditions, Subset
from asr import forced_alignment
from asr.forced_alignment import ForcedAligner, Frames, align_emissions, create, filled, main, pieces

VOCABULARY = ["<pad>", "<s>", "</s>", "<unk>", "|", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ'"]


def emissions(path: list[int], size: int = len(VOCABULARY)) -> Any:
    """Log probabilities whose likeliest token in each frame is the one given, at 0.8."""
    import torch

    table = torch.full((len(path), size), 0.2 / (size - 1))
    for frame, token in enumerate(path):
        table[frame, token] = 0.8
    return table.log()


def save_checkpoint(folder: Path, *, head: bool = True, vocabulary: list[str] | None = None) -> Path:
    import torch
    from transformers import (
        Wav2Vec2Config,
        Wav2Vec2CTCTokenizer,
        Wav2Vec2FeatureExtractor,
        Wav2Vec2ForCTC,
        Wav2Vec2Model,
        Wav2Vec2Processor,
    )

    vocabulary = vocabulary or VOCABULARY
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps({token: index for index, token in enumerate(vocabulary)}))
    tokenizer = Wav2Vec2CTCTokenizer(str(folder / "vocab.json"))
    torch.manual_seed(3)
    config = Wav2Vec2Config(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        conv_dim=(8,) * 7,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=2,
        pad_token_id=0,
    )
    (Wav2Vec2ForCTC if head else Wav2Vec2Model)(config).save_pretrained(folder)
    Wav2Vec2Processor(Wav2Vec2FeatureExtractor(), tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_checkpoint(tmp_path_factory.mktemp("ctc") / "tiny")


def test_exact_frames_of_hand_made_emissions() -> None:
    found = align_emissions(emissions([0, 1, 1, 0, 1, 2, 2, 2, 0], size=4), [1, 1, 2], blank=0)
    assert [(span.start, span.end) for span in found] == [(1, 3), (4, 5), (5, 8)]
    assert all(span.logprob == pytest.approx(-0.22314, abs=1e-4) for span in found)


def test_another_blank_and_a_text_that_is_not_what_was_said() -> None:
    found = align_emissions(emissions([3, 3, 0, 3, 1, 3], size=4), [0, 2], blank=3)
    assert found[0] == Frames(2, 3, pytest.approx(-0.22314, abs=1e-4))
    assert found[1].start >= 3
    assert found[1].logprob < -2  # the second token is nowhere likely, and the score says so


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ([], "no tokens"),
        ([0], "not the blank"),
        ([4], "from 0 to 3"),
        ([-1], "from 0 to 3"),
        ([1, 1, 2], "at least 4 frames of audio and there are 3"),
    ],
)
def test_tokens_that_cannot_be_aligned(tokens: list[int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        align_emissions(emissions([0, 1, 2], size=4), tokens, blank=0)


def test_a_repeated_token_needs_no_more_than_one_frame_more() -> None:
    found = align_emissions(emissions([1, 0, 1], size=4), [1, 1], blank=0)
    assert [(span.start, span.end) for span in found] == [(0, 1), (2, 3)]


def test_log_probabilities_that_are_not_numbers() -> None:
    with pytest.raises(UsageError, match="not numbers"):
        align_emissions(emissions([0, 1, 2], size=4) * float("nan"), [1], blank=0)


def test_without_torchaudio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torchaudio.functional", None)
    with pytest.raises(MissingDependency, match=r"torchaudio is not installed.*apun\[models\]"):
        align_emissions(emissions([0, 1], size=4), [1], blank=0)


def test_words_are_kept_as_written_and_agree_with_the_benchmarks() -> None:
    from benchmarks.apun_bench.items import words

    text = "“Time-flies” like an arrow — fruit flies… like 10-foot bananas—don’t they?"
    assert pieces(text)[:2] == ("“Time-flies”", "like")
    assert [piece.strip("“”?.,") for piece in pieces(text)] == words(text)


def test_missing_spans_share_the_gap() -> None:
    assert filled([None, (1.0, 2.0), None, None, (4.0, 5.0), None], 6.0) == [
        *((0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0), (4.0, 5.0), (5.0, 6.0))
    ]


def scripted(path: str) -> ForcedAligner:
    """An aligner whose network hears this path of characters, ``.`` for the blank."""
    import torch
    from transformers import BatchFeature

    table = emissions([0 if char == "." else VOCABULARY.index(char) for char in path])

    class Network:
        device, dtype = torch.device("cpu"), torch.float32
        config = SimpleNamespace(pad_token_id=0)

        def __call__(self, **_: Any) -> Any:
            return SimpleNamespace(logits=table[None])

    class Extractor:
        sampling_rate = 16_000

        def __call__(self, samples: Any, **_: Any) -> Any:
            return BatchFeature({"input_values": torch.tensor(samples)[None]})

    tokenizer = SimpleNamespace(
        all_special_tokens=VOCABULARY[:4],
        word_delimiter_token="|",
        get_vocab=lambda: {token: index for index, token in enumerate(VOCABULARY)},
    )
    return ForcedAligner("scripted", Extractor(), tokenizer, Network(), "1")


def test_exact_times_of_words_as_written(tone: Callable[..., Clip]) -> None:
    found = scripted(".HI|...CAFE.|DON'T.").align(tone(1.9), "“Hi, 7 café — don’t!”")  # 19 frames of 0.1 s
    expected = [("“Hi,", 0.1, 0.3), ("7", 0.3, 0.7), ("café", 0.7, 1.1), ("don’t!”", 1.3, 1.8)]
    assert [word.text for word in found] == [word for word, _, _ in expected]
    for word, (_, start, end) in zip(found, expected, strict=True):
        assert (word.start, word.end) == (pytest.approx(start), pytest.approx(end))


@pytest.mark.parametrize(
    ("seconds", "text", "error", "message"),
    [
        (1.0, "  —!", UsageError, "no word to align"),
        (1.0, "", UsageError, "no word to align"),
        (1.0, "42 年", UsageError, "writes no character"),
        (1.0, "abcdefgh", AudioError, "at least 8 frames of audio and there are 3"),
        (121.0, "a", AudioError, "121 s long"),
    ],
)
def test_errors_name_the_clip(
    tmp_path: Path, tone: Callable[..., Clip], seconds: float, text: str, error: type[Exception], message: str
) -> None:
    soundfile.write(tmp_path / "clip7.wav", tone(seconds).samples, 16_000)
    with pytest.raises(error, match=rf"clip7\.wav.*{message}"):
        scripted(".A.").align(Clip(tmp_path / "clip7.wav"), text)


def test_a_checkpoint_of_a_folder(checkpoint: Path, tone: Callable[..., Clip]) -> None:
    clip = tone(2.0)
    text = "The baker's 12 buns, needless to say, kneaded dough."
    aligner = create(str(checkpoint), LoadOptions(device="cpu"))
    found = aligner.align(clip, text)
    assert [word.text for word in found] == text.split()
    edges = [edge for word in found for edge in (word.start, word.end)]
    assert edges == sorted(edges)
    assert edges[0] >= 0
    assert edges[-1] <= clip.seconds
    assert all(word.end > word.start for word in found if word.text != "12")
    assert found == create(str(checkpoint), LoadOptions(device="cpu")).align(clip, text)
    with pytest.raises(AudioError, match="frames of audio"):
        aligner.align(tone(0.3), text)
    with pytest.raises(AudioError, match=r"samples.*cannot be aligned"):
        aligner.align(tone(0.021), "a")  # shorter than the first convolutions


def test_a_hub_id_is_looked_up_as_a_recognisers(
    checkpoint: Path, tone: Callable[..., Clip], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("APUN_WEIGHTS", str(checkpoint.parent))
    assert create("hf:someone/tiny", LoadOptions(device="cpu")).align(tone(1.0), "a b")
    monkeypatch.setenv("APUN_WEIGHTS", str(tmp_path))
    with pytest.raises(ModelUnavailable, match=r"weights of someone/tiny are not on this machine"):
        create("hf:someone/tiny")


def test_what_is_no_trained_character_ctc_checkpoint(tmp_path: Path, hf_whisper_folder: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no trained CTC output"):
        create(str(save_checkpoint(tmp_path / "encoder", head=False)), LoadOptions(device="cpu"))
    with pytest.raises(ModelUnavailable, match="could not be loaded as a CTC checkpoint"):
        create(str(hf_whisper_folder), LoadOptions(device="cpu"))
    syllables = [*VOCABULARY[:5], "A", *(f"{left}{right}" for left in "BCD" for right in "AEO")]
    with pytest.raises(ModelUnavailable, match="does not write single characters"):
        create(str(save_checkpoint(tmp_path / "syllables", vocabulary=syllables)), LoadOptions(device="cpu"))
    with pytest.raises(UsageError, match="neither a folder"):
        create("someone/tiny")
    with pytest.raises(UsageError, match="takes no argument 'beams'"):
        create("hf:someone/tiny", LoadOptions(args={"beams": "3"}))


ROWS: list[dict[str, Any]] = [
    {"file_name": "1.wav", "item_id": "r1", "text": "The bees want only honey.", "type": "heterographic"}
    | {"pun_word": "honey", "alternatives": ["money"], "snr_db": 5.0},
    {"file_name": "2.wav", "item_id": "r2", "transcript": "Él rained on Monday.", "type": "negative"},
]


def make(folder: Path, tone: Callable[..., Clip], rows: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    for number, row in enumerate(rows):
        soundfile.write(folder / row["file_name"], tone(1.5, 200.0 + 90 * number).samples, 16_000)
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_folder_command_gives_apun_bench_its_times(
    checkpoint: Path, tone: Callable[..., Clip], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from audio_models.mock import MockModel
    from benchmarks.apun_bench.benchmark import load
    from benchmarks.apun_bench.tasks import location

    folder = make(tmp_path / "real", tone, ROWS)

    def statistics() -> dict[str, float]:
        question = next(location.TASK.ask(load(Subset("real", folder)), Conditions(), read_split(folder)))
        mock = MockModel("mock:always=honey", LoadOptions())
        (reply,) = mock.generate([question.prompt], Generation())
        answered = location.TASK.score(question, reply)
        return {name: answered.statistics[name] for name in ("timed", "hit", "overlap")}

    assert statistics() == {"timed": 0.0, "hit": 0.0, "overlap": 0.0}
    arguments = [str(folder), "--model", str(checkpoint), "--device", "cpu"]
    assert main(arguments) == cli.OK
    assert "aligned 2 of 2 clips" in capsys.readouterr().out
    rows = read(folder)
    assert [{key: row[key] for key in row if key != "words"} for row in rows] == ROWS
    assert [word for word, _, _ in rows[1]["words"]] == ["Él", "rained", "on", "Monday."]
    expected = create(str(checkpoint), LoadOptions(device="cpu")).align(Clip(folder / "1.wav"), ROWS[0]["text"])
    assert [Word(*word) for word in rows[0]["words"]] == [
        Word(word.text, round(word.start, 3), round(word.end, 3)) for word in expected
    ]
    assert statistics() == {"timed": 1.0, "hit": 1.0, "overlap": 1.0}
    assert not list(folder.glob(".metadata*"))

    before = (folder / "metadata.jsonl").read_bytes()
    assert main(arguments) == cli.OK
    assert "aligned 0 of 0 clips" in capsys.readouterr().out  # what is there is kept
    assert main([*arguments, "--overwrite"]) == cli.OK
    assert "aligned 2 of 2 clips" in capsys.readouterr().out
    assert (folder / "metadata.jsonl").read_bytes() == before


def test_a_clip_that_cannot_be_aligned_costs_the_others_nothing(
    checkpoint: Path, tone: Callable[..., Clip], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = {**ROWS[1], "transcript": "so many words " * 30, "words": [["stale", 0.0, 1.0]]}
    folder = make(tmp_path / "real", tone, [ROWS[0], long])
    assert main([str(folder), "--model", str(checkpoint), "--device", "cpu", "--overwrite"]) == cli.FAILED
    shown = capsys.readouterr()
    assert "aligned 1 of 2 clips" in shown.out
    assert "2.wav" in shown.err
    assert [("words" in row) for row in read(folder)] == [True, False]


def test_a_row_without_text_and_a_sheet_of_another_format(
    checkpoint: Path, tone: Callable[..., Clip], tmp_path: Path
) -> None:
    aligner = create(str(checkpoint), LoadOptions(device="cpu"))
    folder = make(tmp_path / "real", tone, [ROWS[0], {"file_name": "2.wav", "item_id": "r2"}])
    before = (folder / "metadata.jsonl").read_bytes()
    with pytest.raises(DataError, match=r"metadata\.jsonl:2: field 'text'"):
        forced_alignment.add_times(folder, aligner)
    assert (folder / "metadata.jsonl").read_bytes() == before
    (folder / "metadata.jsonl").unlink()
    (folder / "metadata.csv").write_text("file_name,item_id,text\n1.wav,r1,hello\n")
    with pytest.raises(DataError, match="cannot hold word times"):
        forced_alignment.add_times(folder, aligner)
