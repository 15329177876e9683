"""What the documents name is there: files and modules, so that a move is noticed where people read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(p.relative_to(ROOT).as_posix() for p in [*ROOT.glob("*.md"), *ROOT.glob("benchmarks/*/README.md")])
PLACEHOLDERS = re.compile(r"(?:^|/)[A-Z]+(?=[/.])")  # audio_models/FAMILY.py, benchmarks/B/tasks
LOOKED_IN = ("", "apun", "apun/run", "apun/readers", "audio_models", "asr", "tts", "benchmarks/apun_bench", "scripts")


def files(text: str) -> Iterator[str]:
    """Paths of our files in backquotes or in commands."""
    for path in re.findall(r"(?<![\w/.*{])((?:[\w-]+/)*[\w-]+\.(?:py|toml))\b(?![\w*(])", text):
        if not PLACEHOLDERS.search(path):
            yield path


def modules(text: str) -> Iterator[str]:
    """Dotted names of our modules."""
    yield from re.findall(r"(?<![\w/.])((?:apun|asr|tts|audio_models|benchmarks)(?:\.[a-z_0-9]+)+)(?![\w(/])", text)


def there(name: str, document: str) -> bool:
    return any((ROOT / folder / name).exists() for folder in (*LOOKED_IN, str(Path(document).parent)))


def is_module(dotted: str) -> bool:
    path = ROOT.joinpath(*dotted.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file() or path.is_dir()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_named_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    if document == "CHANGELOG.md":
        text = re.sub(r"`python -m benchmarks\.yomi_bench\.sheet`", "", text)  # gone, and said so there
    assert [path for path in files(text) if not there(path, document)] == []
    names = {name for name in modules(text) if not name.endswith((".py", ".toml", ".md"))}
    # the last part may be a function or an entry-point group
    groups = {"apun.models", "apun.recognisers", "apun.voices", "apun.benchmarks"}
    missing = [n for n in sorted(names - groups) if not is_module(n) and not is_module(n.rpartition(".")[0])]
    assert missing == []


def test_a_file_that_is_gone_is_noticed() -> None:
    assert list(files("see `apun/gone.py` and `audio_models/FAMILY.py`")) == ["apun/gone.py"]
    assert list(modules("`python -m apun.gone.away`, `from apun.scoring.location import locate`")) == [
        "apun.gone.away",
        "apun.scoring.location",
    ]
    assert not there("apun/gone.py", "README.md") and not is_module("apun.gone.away")
