#!/usr/bin/env python3
"""Load the API client against a local server at several fault rates; print what it cost.

usage: python scripts/load_api.py [REQUESTS]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from fault_server import serving  # noqa: E402

from apun.models import Generation, LoadOptions  # noqa: E402
from apun.prompts import Message, Prompt, Text  # noqa: E402
from audio_models.catalogue import load  # noqa: E402


def main(count: int) -> int:
    """Ask ``count`` questions at each rate; returns 1 when one was lost."""
    prompts = [Prompt(f"q{i}", "load", (Message("user", (Text(f"question {i}"),)),)) for i in range(count)]
    failed = 0
    print(f"{count} questions, concurrency 16, faults: 429, 500, 503, cut-off body, invalid JSON")
    print("fault rate  answered  errors  requests  requests/question  seconds")
    for rate in (0.0, 0.01, 0.10, 0.50):
        with serving(rate) as (url, state):
            args = {"backoff": "0.01", "concurrency": "16", "tries": "20"}
            model = load("openai:toy", LoadOptions(base_url=url, args=args))
            started = time.perf_counter()
            replies = []
            for start in range(0, count, model.info.max_batch):
                replies += model.generate(prompts[start : start + model.info.max_batch], Generation())
            spent = time.perf_counter() - started
            ok = sum(reply.status == "ok" for reply in replies)
            failed += count - ok
            each = state.requests / count
            print(f"{rate:>9.0%}  {ok:>9}  {count - ok:>6}  {state.requests:>8}  {each:>17.2f}  {spent:>7.1f}")
            model.close()
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
