"""What a module does, found in its syntax tree: detectors for ``tests/test_one_shape.py``.

A detector takes a parsed ``Module`` and yields the lines on which it implements a rule. Names are resolved through the
module's imports (``np.random.default_rng`` is ``numpy.random.default_rng``); comments, docstrings and imports for type
checkers do not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

Detector = Callable[["Module"], Iterator[int]]


class Module:
    """A parsed module.

    Args:
        source: its text.
    """

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node but those under ``if TYPE_CHECKING`` and docstrings (any text that stands as a statement)."""
        return list(_walk(self.tree))

    @cached_property
    def imports(self) -> list[tuple[str, str, int]]:
        """What is imported: full dotted name, name here, line; ``optional("x", …)`` and its like included."""
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found += [(a.name, a.asname or a.name.partition(".")[0], node.lineno) for a in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found += [(f"{node.module}.{a.name}", a.asname or a.name, node.lineno) for a in node.names]
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """What a name of this module stands for."""
        known = {here: full if here != full.partition(".")[0] else here for full, here, _ in self.imports}
        for node in self.nodes:  # soundfile = optional("soundfile", "audio")
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.targets) == 1:
                target, package = node.targets[0], _loaded(node.value)
                if isinstance(target, ast.Name) and package:
                    known.setdefault(target.id, package)
        return known

    def dotted(self, node: ast.AST) -> str:
        """The full name of an expression; unknown bases stay as they are written, anything else is ``?``."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return f"{self.dotted(node.value)}.{node.attr}"
        if isinstance(node, ast.Call):
            return _loaded(node) or f"{self.dotted(node.func)}()"
        return "?"

    @cached_property
    def calls(self) -> list[tuple[str, ast.Call]]:
        """Every call with the full name of what is called."""
        return [(self.dotted(node.func), node) for node in self.nodes if isinstance(node, ast.Call)]

    @cached_property
    def texts(self) -> list[tuple[str, int]]:
        """Every text and the fixed parts of every f-string, with their lines."""
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
                value = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
                found.append((value, node.lineno))
        return found


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield other
                yield from _walk(other)
        elif not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield child
            yield from _walk(child)


def _loaded(call: ast.Call) -> str:
    """The package that ``optional("x", …)`` or its like imports, or looks for to read its files; else empty."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if (
        name.strip("_") in ("optional", "package_folder", "find_spec", "import_module", "import", "importorskip")
        and call.args
    ):
        first = call.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            return first.value
    return ""


def _is(name: str, wanted: Iterable[str]) -> bool:
    """Whether a full name is one of these, or stands inside one that ends with a dot."""
    return any(name == one or (one.endswith(".") and f"{name}.".startswith(one)) for one in wanted)


# --- general detectors


def calling(*wanted: str) -> Detector:
    """Calls of functions by full name; ``"subprocess."`` is any function of it."""

    def find(module: Module) -> Iterator[int]:
        return (call.lineno for name, call in module.calls if _is(name, wanted))

    return find


def importing(*packages: str) -> Detector:
    """Imports of packages, or of what is in them; at the top, inside a function, or as ``optional("x", …)``."""

    def find(module: Module) -> Iterator[int]:
        prefixes = tuple(f"{package}." for package in packages)
        yield from (line for full, _, line in module.imports if f"{full}.".startswith(prefixes))
        yield from (call.lineno for _, call in module.calls if f"{_loaded(call)}.".startswith(prefixes))

    return find


def saying(pattern: str) -> Detector:
    """Texts in which a regular expression is found; case does not count."""
    wanted = re.compile(pattern, re.IGNORECASE)

    def find(module: Module) -> Iterator[int]:
        return (line for text, line in module.texts if wanted.search(text))

    return find


def listing(words: str, least: int) -> Detector:
    """A module that has this many of the words (separated by spaces) as texts, or as words of its texts."""
    wanted = frozenset(words.split())

    def find(module: Module) -> Iterator[int]:
        found: dict[str, int] = {}
        for text, line in module.texts:
            for word in wanted.intersection(re.findall(r"\w+", text)):
                found.setdefault(word, line)
        if len(found) >= least:
            yield min(found.values())

    return find


def any_of(*detectors: Detector) -> Detector:
    """What any of several detectors finds."""

    def find(module: Module) -> Iterator[int]:
        for detector in detectors:
            yield from detector(module)

    return find


# --- detectors of one rule


def making_scores(module: Module) -> Iterator[int]:
    """``Score(…)`` built by hand, or the status of a score chosen by hand."""
    yield from calling("apun.scores.Score")(module)
    statuses = {"scored", "unparsed"}
    for node in module.nodes:
        if isinstance(node, ast.IfExp) and statuses & {_text(node.body), _text(node.orelse)}:
            yield node.lineno
        elif isinstance(node, ast.keyword) and node.arg == "status" and _text(node.value) in statuses:
            yield node.value.lineno
        elif isinstance(node, ast.Tuple | ast.List | ast.Set) and statuses <= set(map(_text, node.elts)):
            yield node.lineno  # a list of the statuses, which goes stale when one is added


def counting_by_status(module: Module) -> Iterator[int]:
    """A statistic that is made of a reply's status: a comparison with it inside a call, a dict or a conditional."""
    for node in module.nodes:
        inside: list[ast.AST] = []
        if isinstance(node, ast.Dict):
            inside = [value for value in node.values if value is not None]
        elif isinstance(node, ast.Call):
            inside = [*node.args, *(keyword.value for keyword in node.keywords)]
        for value in inside:
            for part in ast.walk(value):
                if isinstance(part, ast.Compare) and any(map(_reply_status, [part.left, *part.comparators])):
                    yield part.lineno


def _reply_status(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "status"
        and isinstance(node.value, ast.Name)
        and "reply" in node.value.id
    )


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def reading_lines_of_json(module: Module) -> Iterator[int]:
    """``json.loads`` of a line: of what a loop goes over, of ``readline()``, mapped over lines, or of a ``line``."""
    looped: set[str] = set()
    for node in module.nodes:
        if isinstance(node, ast.For | ast.comprehension):
            looped |= {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    for name, call in module.calls:
        if name in ("map", "starmap") and call.args and module.dotted(call.args[0]) == "json.loads":
            yield call.lineno
        if name == "json.loads" and call.args:
            parts = list(ast.walk(call.args[0]))
            of = {part.id for part in parts if isinstance(part, ast.Name)}
            # the base of ``path.read_text()`` may be looped over: that is a document a file
            document = any(isinstance(part, ast.Attribute) and part.attr.startswith("read_") for part in parts)
            reads_line = any(isinstance(part, ast.Attribute) and part.attr == "readline" for part in parts)
            if reads_line or (not document and of & (looped | {"line", "row"})):
                yield call.lineno


def ranking_by_hash(module: Module) -> Iterator[int]:
    """A digest used as a number or an order: ``sha256(…).digest()`` that is not printed, or its hex through ``int``."""
    printed = {id(arg) for name, call in module.calls if name.startswith("base64.") for arg in call.args}
    for name, call in module.calls:
        if name.startswith("hashlib.") and name.endswith("().digest") and id(call) not in printed:
            yield call.lineno
        if name == "int" and call.args and "hexdigest" in ast.unparse(call.args[0]):
            yield call.lineno


def moving_files(module: Module) -> Iterator[int]:
    """A file put in another's place: ``replace`` and ``rename`` of ``os`` or a path, ``shutil.move``."""
    yield from calling("os.replace", "os.rename", "os.renames", "shutil.move")(module)
    for _, call in module.calls:
        if isinstance(call.func, ast.Attribute) and module.dotted(call.func.value) not in ("os", "dataclasses"):
            paths = call.func.attr == "replace" and len(call.args) == 1 and not call.keywords  # str.replace takes two
            if paths or (call.func.attr == "rename" and len(call.args) == 1):
                yield call.lineno


def judging_sound(module: Module) -> Iterator[int]:
    """A level of samples (a mean of squares, a largest magnitude) compared with a limit."""
    levels: set[str] = set()
    for node in module.nodes:
        if isinstance(node, ast.Assign) and _level(node.value):
            levels |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.FunctionDef):
            last = node.body[-1]
            if isinstance(last, ast.Return) and last.value is not None and _level(last.value):
                levels.add(node.name)
    for node in module.nodes:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            named = {part.id for side in sides for part in ast.walk(side) if isinstance(part, ast.Name)}
            limit = any(isinstance(side, ast.Constant | ast.Name) for side in sides)
            if limit and (named & levels or any(map(_level, sides))):
                yield node.lineno


def _level(node: ast.AST) -> bool:
    """Whether an expression holds ``abs(…).max()``, or the mean of squares of something."""
    text = ast.unparse(node)
    loudest = "abs(" in text and (".max(" in text or "max(" in text)
    return loudest or ("mean(" in text and ("square(" in text or "** 2" in text))


def levelling(module: Module) -> Iterator[int]:
    """Decibels turned into a factor of samples: ``10 ** (… / 20)``."""
    for node in module.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.BinOp):
            over = node.right.right
            ten = isinstance(node.left, ast.Constant) and node.left.value == 10
            if ten and isinstance(node.right.op, ast.Div) and isinstance(over, ast.Constant) and over.value == 20:
                yield node.lineno
