"""Temperature 0 is greedy whatever a checkpoint's own settings say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import ask, tone

from apun.models import Generation, LoadOptions
from audio_models.core import greedy


@pytest.fixture
def omni(checkpoint: Callable[[str], Path]) -> Any:
    from audio_models.catalogue import load

    return load(str(checkpoint("qwen2.5-omni")), LoadOptions(family="qwen2.5-omni"))


def test_equals_argmax_by_hand(omni: Any) -> None:
    """Token by token with plain forward passes: what greedy means. The checkpoint says repetition_penalty 1.1."""
    import torch

    prompt = ask([tone(1.3)])
    tensors = dict(omni.encode([prompt]).tensors)
    ids = tensors.pop("input_ids")
    expected: list[int] = []
    with torch.inference_mode():
        for _ in range(8):
            mask = torch.ones_like(ids)
            logits = omni.network(**{**tensors, "attention_mask": mask}, input_ids=ids).logits[0, -1]
            expected.append(int(logits.argmax()))
            ids = torch.cat([ids, torch.tensor([[expected[-1]]])], dim=1)
    assert len(set(expected)) < len(expected), "no repetition: the penalty would not show"
    reply = omni.generate([prompt], Generation(max_new_tokens=8))[0]
    assert reply.text == omni.tokenizer.decode(expected, skip_special_tokens=True)


def test_sampling_is_seeded(omni: Any) -> None:
    prompt = ask([tone(1.3)])

    def sample(seed: int) -> str:
        return str(omni.generate([prompt], Generation(12, temperature=1.5, seed=seed))[0].text)

    assert sample(1) == sample(1)
    assert len({sample(seed) for seed in range(4)}) > 1


def test_sampling_depends_neither_on_order_nor_on_batch(omni: Any) -> None:
    prompts = [ask([tone(1.3)], id=name) for name in "abc"]
    warm = Generation(12, temperature=1.5, seed=3)
    forth = [reply.text for reply in omni.generate(prompts, warm)]
    back = [reply.text for reply in omni.generate(prompts[::-1], warm)]
    alone = [omni.generate([prompt], warm)[0].text for prompt in prompts]
    assert forth == back[::-1] == alone
    assert len(set(forth)) > 1, "one seed for all"


def test_every_field_is_set() -> None:
    assert greedy.arguments(Generation(5)) == {
        **{"do_sample": False, "num_beams": 1, "repetition_penalty": 1.0, "no_repeat_ngram_size": 0},
        **{"temperature": None, "top_p": None, "top_k": None, "min_p": None, "typical_p": None},
        "max_new_tokens": 5,
    }
    sampled = greedy.arguments(Generation(5, temperature=0.7))
    assert sampled["do_sample"] and sampled["temperature"] == 0.7 and sampled["repetition_penalty"] == 1.0


def test_row_lengths() -> None:
    rows = [[5, 2, 0, 0], [5, 6, 7, 8], [2, 9, 9, 9]]
    assert greedy.row_lengths(rows, [2]) == [(2, True), (4, False), (1, True)]
    assert greedy.row_lengths(rows, []) == [(4, False)] * 3


def test_an_answer_that_ends_is_ok_and_one_that_does_not_is_truncated(omni: Any) -> None:
    """The end token is moved to one that the model writes as its second."""
    prompt = ask([tone(1.3)])
    free = omni.generate([prompt], Generation(max_new_tokens=4))[0]
    assert free.status == "truncated" and free.answer is None and free.tokens_out == 4

    out = omni.network.generate(**omni.encode([prompt]).tensors, **greedy.arguments(Generation(4)))[0, -4:].tolist()
    place = next((i for i, token in enumerate(out) if token != out[0]), 0)
    omni.network.generation_config.eos_token_id = [out[place]]
    ended = omni.generate([prompt], Generation(max_new_tokens=4))[0]
    assert ended.status == "ok" and ended.tokens_out == place + 1


def test_first_token_is_timed(omni: Any) -> None:
    seconds = omni.generate([ask([tone(1.3)])], Generation(max_new_tokens=8))[0].seconds
    assert 0 < seconds["first_token"] < seconds["generate"] <= seconds["total"]
    assert seconds["prepare"] > 0
