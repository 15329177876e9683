"""What every command shares: errors as one sentence, exit codes, common options."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from apun.errors import ApunError

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


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
