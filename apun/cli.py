"""What commands share: errors as one sentence, exit codes, the options that choose questions and models."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.errors import ApunError, UsageError
from apun.models import LoadOptions
from apun.tasks import Conditions

if TYPE_CHECKING:
    from apun.run.data import Selection

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
SECRET = re.compile(r"(^|[._-])(api_?key|key|token|secret|password)$", re.IGNORECASE)


def run(main: Callable[[Sequence[str] | None], int], argv: Sequence[str] | None = None) -> int:
    """Call a command; what the user can mend is printed as one sentence on standard error."""
    try:
        return main(argv)
    except ApunError as error:
        print(f"apun: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("apun: stopped. Run the same command again to go on.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:  # a file or folder of the user's that cannot be read or written
        where = f"{error.filename}: " if error.filename else ""
        print(
            f"apun: {where}{error.strerror or error}. Check the path and its permissions, or give another one.",
            file=sys.stderr,
        )
        return USAGE


def parser(command: str, description: str, examples: str = "") -> argparse.ArgumentParser:
    """An argument parser with a newcomer's help: description first, examples last."""
    return argparse.ArgumentParser(
        prog=f"python -m apun.{command}",
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def pair(value: str) -> tuple[str, str]:
    """One ``key=value`` argument."""
    key, sign, text = value.partition("=")
    if not sign or not key:
        raise argparse.ArgumentTypeError(f"expected key=value, not {value!r}")
    return key, text


def positive(value: str) -> int:
    """A whole number of at least 1."""
    try:
        number = int(value)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, not {value!r}")
    return number


def natural(value: str) -> int:
    """A whole number from 0 up: a seed or a count."""
    if not value.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 up, not {value!r}")
    return int(value)


def amount(value: str) -> float:
    """A finite number from 0 up."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number from 0 up, not {value!r}")
    return number


def share(value: str) -> float:
    """A number from 0 to 1."""
    number = amount(value)
    if number > 1:
        raise argparse.ArgumentTypeError(f"expected a share from 0 to 1, not {value!r}")
    return number


def names(value: str) -> list[str]:
    """Comma-separated names."""
    return [part.strip() for part in value.split(",") if part.strip()]


def existing(value: str) -> Path:
    """A path that exists."""
    path = Path(value)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{value} does not exist")
    return path


def print_json(value: Any) -> None:
    """JSON on standard output, for scripts."""
    print(json.dumps(value, ensure_ascii=False, indent=1, default=str))


def say(text: str) -> None:
    """A line for the person at the terminal, apart from what is printed for scripts."""
    print(text, file=sys.stderr)


def count(what: str, done: int, total: int, every: int = 25) -> None:
    """``WHAT: DONE/TOTAL`` at the beginning, at the end, and now and then between."""
    if done in (0, total) or done % every == 0:
        say(f"{what}: {done}/{total}")


def counter(what: str) -> Callable[[int, int], None]:
    """``count`` of one thing."""
    return lambda done, total: count(what, done, total)


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Options for which questions are asked, and how."""
    group = parser.add_argument_group("which questions")
    group.add_argument("--benchmark", default="apun", help="apun, phun, xriddles or yomi (default: apun)")
    group.add_argument("--tasks", type=names, default=[], metavar="A,B", help="tasks to ask (default: all)")
    group.add_argument(
        "--subset", default="sample", help="sample (embedded), synthetic, real, or a released split (default: sample)"
    )
    group.add_argument("--data-dir", type=Path, metavar="DIR", help="your data folder (default: $APUN_DATA)")
    group.add_argument("--limit", type=positive, metavar="N", help="a seeded sample of N items")
    group.add_argument("--ids", type=names, default=[], metavar="A,B", help="only these items")
    group.add_argument(
        "--seed", type=natural, default=0, help="seed of samples, distractors and intervals (default: 0)"
    )
    group.add_argument(
        "--modality", choices=["audio", "text"], default="audio", help="text: the gold transcript instead of the clip"
    )
    group.add_argument("--prompt-variant", type=names, default=[], metavar="A,B", help="prompt wordings to use")
    group.add_argument("--prompts", type=Path, metavar="FILE", help="your own prompt file for the task named")
    group.add_argument(
        "--set", type=pair, action="append", default=[], metavar="KEY=VALUE", help="a task's option; repeatable"
    )
    group.add_argument("--voices", default="default", help="speech engine for the sample (default: the embedded one)")


def selection(args: argparse.Namespace) -> Selection:
    """The selection that the options describe."""
    from apun.run.data import Selection

    return Selection(
        benchmark=args.benchmark,
        tasks=tuple(args.tasks),
        subset=args.subset,
        data_dir=args.data_dir,
        limit=args.limit,
        ids=tuple(args.ids),
        conditions=Conditions(
            modality=args.modality,
            variants=tuple(args.prompt_variant),
            seed=args.seed,
            prompts=args.prompts,
            options=dict(args.set),
        ),
        voices=args.voices,
    )


def add_loading(parser: argparse.ArgumentParser) -> None:
    """Options for how models are loaded."""
    group = parser.add_argument_group("loading models")
    group.add_argument("--weights", metavar="DIR", help="folder with the model's weights (default: the hub's cache)")
    group.add_argument("--family", help="adapter family of a checkpoint given as a folder")
    group.add_argument("--revision", help="hub revision to load")
    group.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1, mps (default: auto)")
    group.add_argument("--dtype", default="auto", help="auto, float32, bfloat16, float16 (default: auto)")
    group.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible server (vLLM, SGLang, llama.cpp)")
    group.add_argument("--trust-remote-code", action="store_true", help="run code from the hub; needs --revision")
    group.add_argument(
        "--model-arg", type=pair, action="append", default=[], metavar="KEY=VALUE", help="an adapter's own option"
    )


def loading(args: argparse.Namespace) -> LoadOptions:
    """The loading options.

    Raises:
        UsageError: a secret is given as an argument; arguments stand in the run folder.
    """
    for name, _ in args.model_arg:
        if SECRET.search(name):
            raise UsageError(
                f"--model-arg {name}: arguments are written to the run folder. Give keys in the environment "
                "(OPENAI_API_KEY, GEMINI_API_KEY, APUN_API_KEY for --base-url)"
            )
    return LoadOptions(
        device=args.device,
        dtype=args.dtype,
        weights=args.weights,
        revision=args.revision,
        family=args.family,
        base_url=args.base_url,
        trust_remote_code=args.trust_remote_code,
        args=dict(args.model_arg),
    )
