"""Prompts: rendering, text forms, digests, and prompt files that are wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apun.clips import Clip
from apun.errors import DataError, UsageError
from apun.prompts import Audio, Slot, Text, load_templates, template_for

FILE = """
version = 3
[variants.p0]
system = "Listen."
user = "{audio}Word {word}?"
user_text = "Text: {transcript}. Word {word}?"
[variants.two]
user = "A {audio.a} B {audio.b}"
user_text = "A {transcript.a} B {transcript.b}"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.toml"
    path.write_text(FILE)
    return path


def clip(value: float = 0.1) -> Clip:
    return Clip(samples=np.full(16_000, value, np.float32))


def text_of(prompt: object) -> str:
    return "".join(p.text for m in prompt.messages for p in m.parts if isinstance(p, Text))  # type: ignore[attr-defined]


def test_audio_form_text_form_and_transcripts(file: Path) -> None:
    template = template_for(file, "p0")
    one = clip()
    prompt = template.render(id="q", task="t", fields={"word": "bee"}, clips={"main": one})
    assert prompt.messages[1].parts == (Audio(one), Text("Word bee?"))
    assert prompt.text_form[1].parts == (Text("Text: "), Slot("main"), Text(". Word bee?"))
    heard = prompt.with_transcripts({"main": "I {audio} bees {word}"})
    assert text_of(heard) == "Listen.Text: I {audio} bees {word}. Word bee?" and not heard.audios
    assert heard.fields["transcripts"] == {"main": "I {audio} bees {word}"}
    gold = template.render(id="q", task="t", fields={"word": "bee"}, transcripts={"main": "I see bees"})
    assert text_of(gold) == "Listen.Text: I see bees. Word bee?"


def test_several_clips_keep_their_places(file: Path) -> None:
    a, b = clip(0.1), clip(0.2)
    prompt = template_for(file, "two").render(id="q", task="t", fields={}, clips={"a": a, "b": b})
    assert [audio.clip for audio in prompt.audios] == [a, b]
    assert text_of(prompt.with_transcripts({"a": "x", "b": "y"})) == "A x B y"


def test_the_digest_follows_text_audio_and_order(file: Path) -> None:
    template = template_for(file, "two")

    def digest(a: float, b: float) -> str:
        return template.render(id="q", task="t", fields={}, clips={"a": clip(a), "b": clip(b)}).digest

    assert digest(0.1, 0.2) == digest(0.1, 0.2)
    assert len({digest(0.1, 0.2), digest(0.2, 0.1), digest(0.1, 0.1)}) == 3


def test_missing_values_clips_and_variants_are_named(file: Path) -> None:
    with pytest.raises(UsageError, match=r"\{word\}"):
        template_for(file, "p0").render(id="q", task="t", fields={}, clips={"main": clip()})
    with pytest.raises(UsageError, match="'b'"):
        template_for(file, "two").render(id="q", task="t", fields={}, clips={"a": clip()})
    with pytest.raises(UsageError, match="p0, two"):
        template_for(file, "p9")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version = 1\n[variants.p0]\nuser = 'x'\nuser2 = 'y'", "unknown key 'user2'"),
        ("[variants.p0]\nuser = 'x'", "field 'version'"),
        ("version = 1", "field 'variants'"),
        ("version = 1\n[variants.p0]\nsystem = 'x'", "needs 'user'"),
        ("version = ", "not valid TOML"),
        ("version = 1\n[variants.p0]\nuser = 3", "must be text"),
    ],
)
def test_bad_prompt_files_are_refused_by_field(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=said) as caught:
        load_templates(path)
    assert "bad.toml" in str(caught.value)


@given(st.text(), st.text())
def test_values_are_never_read_as_placeholders(word: str, transcript: str) -> None:
    from apun.prompts import Template

    template = Template("p", 1, (("user", "<{word}|{transcript}>"),), ())
    prompt = template.render(id="q", task="t", fields={"word": word}, transcripts={"main": transcript})
    assert text_of(prompt) == f"<{word}|{transcript}>"


def test_a_wording_that_is_part_of_another_is_one_text(file: Path) -> None:
    """Clips have no place in it; what fills a placeholder is never read as one."""
    template = template_for(file, "p0")
    assert template.text({"word": "{audio}{word}"}) == "Word {audio}{word}?"
    rendered = template.render(id="q", task="t", fields={"word": 3}, clips={"main": clip()})
    assert "Listen." + template.text({"word": 3}) == text_of(rendered)
    with pytest.raises(UsageError, match=r"\{word\}"):
        template.text({})
