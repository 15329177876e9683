#!/usr/bin/env python3
"""Fuzz every loader for a bounded time; an input that raises anything but a named error is kept.

With atheris (coverage-guided) where it is installed, else with seeded mutations. Failures are written to
tests/corpus/TARGET/, where `make test` replays them for ever.

usage: python scripts/fuzz.py [--seconds 10] [--targets audio,xml] [--engine atheris|mutations]
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import random
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOKENS = [b"NaN", b"\x00", b"\xff\xfe", b"../", b'"', b"{", b"[" * 200, b"1e999", b"\n"]
CORPUS = ROOT / "tests" / "corpus"
sys.path.insert(0, str(ROOT / "tests" / "support"))


def keep(target: str, data: bytes) -> Path:
    """Keep a failing input under its hash."""
    path = CORPUS / target / hashlib.sha256(data).hexdigest()[:16]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A seed with a few bytes changed, cut, repeated or inserted."""
    result = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.randint(0, max(0, len(result) - 1))
        kind = chance.randrange(5)
        if kind == 0 and result:
            result[at] = chance.randrange(256)
        elif kind == 1:
            del result[at : at + chance.randint(1, 16)]
        elif kind == 2:
            result[at:at] = result[at : at + chance.randint(1, 64)] * chance.randint(1, 4)
        elif kind == 3:
            result[at:at] = chance.choice(
                [b"NaN", b"\x00", b"\xff\xfe", b"../", b'"', b"{", b"[" * 200, b"1e999", b"\n"]
            )
        else:
            result[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 8)))
    return bytes(result)


def by_mutation(target: str, seconds: float) -> tuple[int, int]:
    """Runs and distinct failures within the time."""
    from loader_targets import TARGETS, seeds

    chance, good = random.Random(f"{target}:0"), seeds()[target]
    until, runs, failures = time.monotonic() + seconds, 0, set()
    while time.monotonic() < until:
        data = mutated(chance.choice(good), chance)
        runs += 1
        try:
            TARGETS[target](data)
        except Exception:  # noqa: BLE001 - any exception that is not a named error is what we look for
            lines = traceback.format_exc().splitlines()
            where = next(line for line in reversed(lines) if line.strip().startswith("File"))
            if where not in failures:  # one input a place is enough
                failures.add(where)
                print(f"  {target}: {lines[-1][:200]} -> {keep(target, data).name}")
    return runs, len(failures)


def by_atheris(target: str, seconds: float) -> tuple[int, int]:
    """Runs and failures of one coverage-guided session in a process of its own."""
    from loader_targets import seeds

    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        (base / "seeds").mkdir()
        (base / "found").mkdir()
        for number, data in enumerate(seeds()[target]):
            (base / "seeds" / str(number)).write_bytes(data)
        command = [sys.executable, __file__, "--child", target, str(base / "seeds"), f"-max_total_time={int(seconds)}"]
        done = subprocess.run(
            [*command, f"-artifact_prefix={base / 'found'}/", "-rss_limit_mb=2048", "-timeout=20"],
            capture_output=True,
            text=True,
        )
        found = sorted((base / "found").iterdir())
        for path in found:
            lines = [line.strip() for line in done.stderr.splitlines() if "Error" in line or "ERROR" in line][:2]
            print(f"  {target}: {' | '.join(lines)} -> {keep(target, path.read_bytes()).name}")
        runs = [line for line in done.stderr.splitlines() if line.startswith("#") or line.startswith("Done ")]
        return int(runs[-1].lstrip("#Done ").split()[0]) if runs else 0, len(found)


def child(target: str, arguments: list[str]) -> None:
    """The fuzzed process."""
    import atheris

    with atheris.instrument_imports(include=["apun", "benchmarks"]):
        from loader_targets import TARGETS
    atheris.Setup([sys.argv[0], *arguments], TARGETS[target])
    atheris.Fuzz()


def main() -> int:
    """Print runs and failures by target; 1 when there was a failure."""
    if len(sys.argv) > 2 and sys.argv[1] == "--child":
        child(sys.argv[2], sys.argv[3:])
        return 0
    from loader_targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--engine", choices=["atheris", "mutations"])
    args = parser.parse_args()
    engine = args.engine or ("atheris" if importlib.util.find_spec("atheris") else "mutations")
    failed = 0
    print(f"{engine}, {args.seconds:g} s a target")
    for target in args.targets.split(","):
        runs, failures = (by_atheris if engine == "atheris" else by_mutation)(target, args.seconds)
        print(f"{target:>13}: {runs:>7} runs, {failures} failures")
        failed += failures
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
