"""The shape of the tree: modules, lines of code, import circles, imports against the order of packages, and
what one small evaluation enters.

    python scripts/measure_shape.py              # the tree alone, from its text
    python scripts/measure_shape.py --run        # also an evaluation of two items, followed call by call
    python scripts/measure_shape.py --details    # name the circles, the upward imports, the entered modules

A line of code is a line that holds a token other than a comment or a docstring. An import is *upward* where a
package imports one that stands above it (``ORDER``); the command modules of ``apun`` are exempt, and so are imports
for type checkers. A circle is a strongly connected set of modules, imports inside functions counted. A module is
*entered* by the evaluation when a function of it runs, and entered once more each time control comes to it from
another module of ours. The evaluation is followed in a fresh process whose cache a first run has filled (``--cold``: in
one with an empty cache, so that speech is rendered and transcribed).
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import subprocess
import sys
import tempfile
import threading
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("apun", "asr", "tts", "audio_models", "benchmarks")
# what a package may import: itself and these
BELOW: Mapping[str, frozenset[str]] = {
    "apun": frozenset(),
    "asr": frozenset({"apun"}),
    "tts": frozenset({"apun", "asr"}),
    "audio_models": frozenset({"apun", "asr"}),
    "benchmarks": frozenset({"apun"}),
}
COMMAND = ("-m", "apun.eval", "--model", "whisper-base+solver", "--tasks", "location", "--limit", "2")


def modules() -> dict[str, Path]:
    """Every module of the packages by dotted name."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def commands() -> set[str]:
    """The modules that are commands of ``apun``; they tie the packages together."""
    tree = ast.parse((ROOT / "apun" / "__main__.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id == "COMMANDS":
                names = [key.value for key in node.value.keys if isinstance(key, ast.Constant)]
                return {f"apun.{name}" for name in names} | {f"apun.{name}.__main__" for name in names}
    raise SystemExit("apun/__main__.py has no COMMANDS")


def code_lines(path: Path) -> int:
    """Lines that hold a token which is neither comment nor docstring."""
    source = path.read_text(encoding="utf-8")
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                docstrings.add((first.lineno, first.col_offset))
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in skipped and token.start not in docstrings:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines)


def imports(name: str, path: Path, known: Mapping[str, Path]) -> dict[str, int]:
    """Modules of ours that a module imports, with the line; imports for type checkers apart."""
    found: dict[str, int] = {}
    for node in _statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif node.level:
            base = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
            base = base[: len(base) - node.level + 1]
            stem = ".".join([*base, *([node.module] if node.module else [])])
            targets = [f"{stem}.{alias.name}" for alias in node.names]
        else:
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
        for target in targets:
            while target and target not in known:
                target = target.rpartition(".")[0]
            if target and target != name:
                found.setdefault(target, node.lineno)
    return found


def _statements(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for other in node.orelse:
                yield from _statements(other)
        else:
            yield from _statements(node)


def circles(graph: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """Strongly connected sets of two or more modules (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in graph[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            ring = []
            while True:
                ring.append(stack.pop())
                if ring[-1] == name:
                    break
            if len(ring) > 1:
                found.append(sorted(ring))

    sys.setrecursionlimit(10_000)
    for name in graph:
        if name not in index:
            visit(name)
    return sorted(found)


class Followed:
    """Which modules of ours a command enters, over all threads."""

    def __init__(self, known: Mapping[str, Path]) -> None:
        self._name_of = {str(path): name for name, path in known.items()}
        self.entries: Counter[str] = Counter()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_code.co_name in ("<module>", "<lambda>", "<listcomp>", "<genexpr>"):
            return
        name = self._name_of.get(frame.f_code.co_filename)
        if name is None or frame.f_code.co_qualname.endswith("__init_subclass__"):
            return
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename not in self._name_of:
            caller = caller.f_back
        if caller is None or self._name_of[caller.f_code.co_filename] != name:
            self.entries[name] += 1


def follow(known: Mapping[str, Path], cold: bool) -> tuple[Followed, int]:
    """Run the small evaluation here; returns what it entered and how often its questions were built, at most."""
    sys.path.insert(0, str(ROOT))
    from apun import tasks
    from apun.eval import main

    built = Counter[str]()
    original = tasks.Question.__init__

    def counted(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        built[self.id] += 1

    tasks.Question.__init__ = counted  # type: ignore[method-assign]
    followed = Followed(known)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["APUN_CACHE"] = str(Path(folder) / "cache")
        if not cold:
            search = {"PYTHONPATH": str(ROOT)}
            first = [sys.executable, *COMMAND, "--out", "first"]
            subprocess.run(first, env={**os.environ, **search}, check=True, capture_output=True)
        stdout, sys.stdout = sys.stdout, io.StringIO()
        try:
            threading.setprofile(followed)
            sys.setprofile(followed)
            main([*COMMAND[2:], "--out", "run"])
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
            sys.stdout = stdout
            os.chdir(ROOT)
    return followed, max(built.values())


def main() -> int:
    """Print the measures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--run", action="store_true", help="follow an evaluation of two items, too")
    parser.add_argument("--cold", action="store_true", help="follow it with an empty cache")
    parser.add_argument("--details", action="store_true", help="name circles, upward imports and entered modules")
    args = parser.parse_args()
    known = modules()
    graph = {name: imports(name, path, known) for name, path in known.items()}
    free = commands() | {"apun.__main__"}
    importers = Counter(target for targets in graph.values() for target in targets)
    upward = [
        (name, target, line)
        for name, targets in graph.items()
        for target, line in targets.items()
        if name not in free and target.split(".")[0] not in {name.split(".")[0], *BELOW[name.split(".")[0]]}
    ]
    total = Counter[str]()
    print(f"{'package':<14}{'modules':>8}{'code lines':>12}")
    for package in PACKAGES:
        own = [path for name, path in known.items() if name.split(".")[0] == package]
        lines = sum(map(code_lines, own))
        total += Counter(modules=len(own), lines=lines)
        print(f"{package:<14}{len(own):>8}{lines:>12}")
    print(f"{'all':<14}{total['modules']:>8}{total['lines']:>12}")
    rings = circles(graph)
    print(f"modules with one importer: {sum(count == 1 for count in importers.values())}")
    print(f"import circles: {len(rings)}")
    print(f"upward imports outside commands: {len(upward)}")
    if args.details:
        for ring in rings:
            print("  circle:", " ".join(ring))
        for name, target, line in upward:
            print(f"  upward: {known[name].relative_to(ROOT)}:{line} imports {target}")
    if args.run or args.cold:
        followed, most = follow(known, args.cold)
        entered = followed.entries
        print(f"{' '.join(COMMAND[1:])}: {len(entered)} modules entered {sum(entered.values())} times")
        print(f"each question is built at most {most} time{'s' * (most != 1)}")
        if args.details:
            for name, count in entered.most_common():
                print(f"  entered {count:>5} {name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
