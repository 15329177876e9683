"""Each engine's real loading code over a tiny random checkpoint in its own format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apun.clips import Clip
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions
from asr.catalogue import load

Tone = Callable[..., Clip]


def test_openai_whisper(openai_checkpoint: Path, tone: Tone) -> None:
    recogniser = load("whisper-tiny", LoadOptions(device="cpu", weights=str(openai_checkpoint)))
    low, high = tone(2.0), tone(1.25, 3000.0, 1)
    first = recogniser.transcribe([low, high], "en")
    alone = recogniser.transcribe([high], "en")
    assert [t.error for t in first] == [None, None]
    assert first[1].text == alone[0].text
    assert first[0].text and first[0].text != first[1].text, "the clip must reach the network"
    assert first[0].seconds_heard == pytest.approx(2.0) and first[1].seconds_heard == pytest.approx(1.25)
    assert all(t.seconds > 0 for t in first)
    assert recogniser.info.revision != "random" and recogniser.info.settings["dtype"] == "float32"
    words = first[0].words
    assert words and all(0 <= word.start <= word.end <= 31 for word in words)


def test_hf_whisper(hf_whisper_folder: Path, tone: Tone) -> None:
    recogniser = load("hf-whisper-tiny", LoadOptions(device="cpu", weights=str(hf_whisper_folder)))
    low, high = tone(3.0), tone(1.25, 500.0, 1)
    batch = recogniser.transcribe([low, high], "en")
    alone = [recogniser.transcribe([clip], "en")[0] for clip in (low, high)]
    assert [t.error for t in batch] == [None, None]
    assert [t.text for t in batch] == [t.text for t in alone], "a batch must answer as single clips do"
    assert batch[0].text and batch[0].text != batch[1].text
    long = recogniser.transcribe([tone(40.0, 300.0, 2)], "en")[0]
    assert long.error is None and long.seconds_heard == pytest.approx(40.0)


def test_sensevoice(sensevoice_folder: Path, tone: Tone) -> None:
    recogniser = load("sensevoice-small", LoadOptions(device="cpu", weights=str(sensevoice_folder)))
    low, high = tone(3.0), tone(1.25, 500.0, 1)
    runs = [recogniser.transcribe([low, high], "en") for _ in range(2)]
    assert [t.error for t in runs[0]] == [None, None]
    assert [t.text for t in runs[0]] == [t.text for t in runs[1]], "without dither a transcript repeats"
    assert runs[0][0].text != runs[0][1].text
    for transcript in runs[0]:
        assert "<|" not in transcript.text and "🎼" not in transcript.text
    long = recogniser.transcribe([tone(64.0, 300.0, 2)], "en")[0]
    assert long.error is None and long.seconds_heard == pytest.approx(64.0)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("whisper-large-v3", "large-v3.pt"),
        ("hf-whisper-large-v3", "openai/whisper-large-v3"),
        ("faster-whisper-small", "Systran/faster-whisper-small"),
        ("sensevoice-small", "FunAudioLLM/SenseVoiceSmall"),
        ("qwen3-asr", "Qwen/Qwen3-ASR-1.7B-hf"),
        ("fun-asr-nano", "FunAudioLLM/Fun-ASR-Nano-2512-hf"),
    ],
)
def test_absent_weights_are_one_sentence(
    name: str, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ModelUnavailable) as caught:
        load(name, LoadOptions(device="cpu"))
    message = str(caught.value)
    assert missing in message and "\n" not in message and "download=yes" in message


def test_weights_of_another_kind_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"no config\.yaml"):
        load("sensevoice-small", LoadOptions(weights=str(tmp_path)))
    broken = tmp_path / "tiny.pt"
    broken.write_bytes(b"not a checkpoint")
    with pytest.raises(ModelUnavailable, match="could not be loaded"):
        load("whisper-tiny", LoadOptions(device="cpu", weights=str(broken)))


def test_arguments_that_would_be_ignored_are_refused(openai_checkpoint: Path) -> None:
    with pytest.raises(UsageError, match="beam_sizes"):
        load("whisper-tiny", LoadOptions(weights=str(openai_checkpoint), args={"beam_sizes": "5"}))
    with pytest.raises(UsageError, match="whole number"):
        load("whisper-tiny", LoadOptions(weights=str(openai_checkpoint), args={"beam_size": "five"}))


def test_random_weights_write_as_many_tokens_as_speech_has(tone: Tone) -> None:
    """True-size Whisper without a download: time and memory are real, and the length of the text is set."""
    recogniser = load("openai-whisper-tiny", LoadOptions(device="cpu", weights="random"))
    assert recogniser.info.revision == "random"
    network = recogniser._network  # type: ignore[attr-defined]
    assert sum(weight.numel() for weight in network.parameters()) == 37_184_640, "the released size, its buffer apart"
    from whisper.tokenizer import get_tokenizer

    short, long = recogniser.transcribe([tone(1.0), tone(4.0)], "en")
    assert short.error is None and long.error is None
    lengths = [len(get_tokenizer(True).encode(one.text)) for one in (short, long)]
    assert lengths[1] > lengths[0]
    for name in ("faster-whisper-tiny", "hf-whisper-tiny", "sensevoice-small", "qwen3-asr"):
        with pytest.raises(UsageError, match="random"):
            load(name, LoadOptions(device="cpu", weights="random"))


def test_loading_sensevoice_prints_nothing_on_standard_output(
    sensevoice_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load("sensevoice-small", LoadOptions(device="cpu", weights=str(sensevoice_folder)))
    assert capsys.readouterr().out == ""
