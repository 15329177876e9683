"""Every prompt as it is sent, against a golden file.

A change of wording changes numbers: raise ``version`` in the prompt file, and write the golden file anew
with ``APUN_WRITE_GOLDEN=1 pytest tests/apun_bench/test_pun_prompts.py``.
"""

from __future__ import annotations

import os
from pathlib import Path

from apun.clips import Clip
from apun.prompts import MAIN, Audio, Message, load_templates
from benchmarks.apun_bench.tasks import PROMPTS

GOLDEN = Path(__file__).parent / "golden" / "prompts.txt"
FIELDS = {"claim": "a pun", "pun_word": "honey", "first": "honey", "second": "money"}


def shown(message: Message) -> str:
    parts = ("<clip>" if isinstance(part, Audio) else getattr(part, "text", "<transcript>") for part in message.parts)
    return f"[{message.role}] {''.join(parts)}"


def test_prompts_as_sent() -> None:
    import numpy as np

    clip = Clip(samples=np.full(8_000, 0.1, dtype=np.float32))
    lines = []
    for file in sorted(PROMPTS.glob("*.toml")):
        for name, template in load_templates(file).items():
            heard = template.render(id="q", task="t", fields=FIELDS, clips={MAIN: clip})
            read = template.render(id="q", task="t", fields=FIELDS, transcripts={MAIN: "The bees want only honey."})
            for form, prompt in (("audio", heard), ("text", read)):
                lines.append(f"=== {file.name} {name} version {template.version} {form}")
                lines += [shown(message) for message in prompt.messages]
    text = "\n".join(lines) + "\n"
    if os.environ.get("APUN_WRITE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
