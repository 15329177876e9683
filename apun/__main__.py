"""``apun COMMAND``: each command is the module of the same name, so ``apun eval`` is ``python -m apun.eval``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from apun import __version__, cli

COMMANDS = {
    "eval": "ask models a benchmark's questions and score them",
    "synth": "render a benchmark's items into a synthetic speech split",
    "latency": "compare end-to-end models with cascades, stage by stage",
    "wer": "word error rate of recognisers on a split",
    "sheet": "a benchmark's questions for people, scored like a model's",
    "annotate": "draft, review and fix annotations of recordings",
    "ingest": "turn recordings and a sheet of texts into a real split",
    "score": "score a finished run again",
    "locate": "where in a sentence a word sounds most alike",
    "compare": "paired differences between runs, with significance",
    "report": "one page for one or more runs",
    "probe": "check that a model adapter hears what it is given",
    "list": "models, tasks, voices, recognisers, subsets",
    "env": "separate environments for models that pin old libraries",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Dispatch to a command; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in ("-V", "--version"):
        print(f"apun {__version__}")
        return cli.OK
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage())
        return cli.OK
    command = arguments[0]
    if command not in COMMANDS:
        from apun.registry import unknown

        print(f"apun: {unknown('command', command, COMMANDS)}", file=sys.stderr)
        return cli.USAGE
    path = "apun.report.__main__" if command == "report" else f"apun.{command}"  # apun/report/ is a package
    module = importlib.import_module(path)
    return cli.run(module.main, arguments[1:])


def usage() -> str:
    """The list of commands."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {what}" for name, what in COMMANDS.items()]
    return "usage: apun COMMAND [options]\n\n" + "\n".join(lines) + "\n\napun COMMAND --help explains one of them."


if __name__ == "__main__":
    raise SystemExit(main())
