"""``python -m apun.probe MODEL``: check that a model adapter hears what it is given."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from apun import cli
from apun.cli import add_loading, loading

EXAMPLES = """examples:
  python -m apun.probe qwen2.5-omni
  python -m apun.probe openai:my-model --base-url http://localhost:8000/v1
  python -m apun.probe /path/to/checkpoint --family qwen2-audio --dtype float32
  python -m apun.probe whisper-base+smollm2-135m --clip one.wav --clip two.wav

It asks about 25 questions; with an endpoint they are paid for. Exit code 1 when a check fails.
"""


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = cli.parser("probe", "Check that a model adapter hears what it is given.", EXAMPLES)
    result.add_argument("model", metavar="MODEL", help="model to check")
    result.add_argument(
        "--clip",
        type=cli.existing,
        action="append",
        default=[],
        metavar="FILE",
        help="recordings of speech to ask about; repeatable (default: synthetic sound)",
    )
    result.add_argument("--max-new-tokens", type=cli.positive, default=12, metavar="N", help="room for an answer")
    result.add_argument("--json", action="store_true", help="print JSON")
    add_loading(result)
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = parser().parse_args(argv)

    from apun.clips import Clip
    from apun.errors import UsageError
    from apun.measure import probing
    from apun.models import Generation
    from apun.report.tables import Table
    from audio_models.catalogue import load

    if args.model.rpartition("+")[2] == "solver":
        raise UsageError("the solver answers the benchmarks' tasks only; probe its recogniser with RECOGNISER+LLM")
    if args.model.startswith(("mock:", "sheet:")):
        raise UsageError(f"{args.model} answers from a script and hears nothing; probe a model that listens")
    model = load(args.model, loading(args))
    try:
        with tempfile.TemporaryDirectory(prefix="apun-probe-") as folder:
            subject = probing.Subject(
                model, Path(folder), tuple(Clip(path) for path in args.clip), Generation(args.max_new_tokens)
            )
            findings = probing.check(subject, lambda finding: print(f"  {finding.check} …", file=sys.stderr))
        info = model.info
    finally:
        model.close()
    counts = probing.counts(findings)
    if args.json:
        cli.print_json(
            {
                "model": dict(info.identity),
                "checks": [{"check": f.check, "passed": f.passed, "detail": f.detail} for f in findings],
                **counts,
            }
        )
    else:
        words = {True: "ok", False: "FAILED", None: "not told"}
        rows = tuple((f.check, words[f.passed], f.detail) for f in findings)
        summary = ", ".join(f"{count} {what}" for what, count in counts.items())
        print(Table("probe", f"{info.name} ({info.family}): {summary}", ("check", "result", "detail"), rows).to_text())
    return cli.FAILED if counts["failed"] else cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
