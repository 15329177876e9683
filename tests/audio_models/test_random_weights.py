"""The true-size architectures: parameter counts of the released models, and a model that runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from asking import ask, tone

from apun.errors import UsageError
from apun.models import Generation, LoadOptions
from apun.run.answering import check_heard
from audio_models.catalogue import load
from audio_models.core import random_weights


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("qwen2-audio", 8_397_094_912),
        ("qwen2.5-omni", 8_931_813_888),  # as published
        ("qwen2.5-omni-3b", 4_703_464_448),
    ],
)
def test_parameters_of_the_full_models(name: str, count: int) -> None:
    assert random_weights.parameters(name) == count


def narrow(configure: Callable[..., Any]) -> Callable[..., Any]:
    """The same configuration at a tenth of its width, so that a CPU can hold it."""

    def small(ids: dict[str, int]) -> Any:
        config = configure(ids)
        for key, value in {"hidden_size": 64, "intermediate_size": 64, "vocab_size": 512}.items():
            setattr(config.text_config, key, value)
        config.text_config.num_attention_heads = config.text_config.num_key_value_heads = 2
        config.text_config.pad_token_id = None
        config.audio_config.d_model, config.audio_config.encoder_ffn_dim = 40, 40
        if hasattr(config.audio_config, "output_dim"):
            config.audio_config.output_dim = 64
            config.vision_config.depth, config.vision_config.out_hidden_size = 1, 64
            config.text_config.rope_parameters = {
                **config.text_config.rope_parameters,
                "mrope_section": [4, 6, 6],
            }
        return config

    return small


@pytest.mark.parametrize("name", ["qwen2-audio", "qwen2.5-omni"])
def test_a_random_model_runs_to_the_full_length(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    configure, seconds = random_weights.BUILDERS[name]
    monkeypatch.setitem(random_weights.BUILDERS, name, (narrow(configure), seconds))  # type: ignore[misc]
    options = LoadOptions(weights="random", device="cpu", args={"layers": "2"})
    model: Any = load(name, options)
    assert model.info.revision == "random:2"
    assert model.network.config.text_config.num_hidden_layers == 2
    for tokens in (1, 7):
        prompt = ask([tone(1.5)])
        reply = check_heard(prompt, model.generate([prompt], Generation(max_new_tokens=tokens))[0], model.info)
        assert reply.tokens_out == tokens and reply.status == "truncated", reply.reason
        assert reply.consumed.seconds == pytest.approx(1.5)
    again: Any = load(name, options)  # seeded
    assert (
        again.generate([ask([tone(1.5)])], Generation(4))[0].text
        == model.generate([ask([tone(1.5)])], Generation(4))[0].text
    )
    model.close()


def test_only_for_models_whose_sizes_are_known() -> None:
    with pytest.raises(UsageError, match=r"qwen2\.5-omni-3b, not for 'voxtral'"):
        load("voxtral", LoadOptions(weights="random"))
    with pytest.raises(UsageError, match="layers=N"):
        load("qwen2-audio", LoadOptions(weights="random", args={"layers": "none"}))
