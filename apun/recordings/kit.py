"""The recording page: one HTML file that shows a text at a time, records it, and saves a zip for ``apun ingest``.

Nothing leaves the page but the zip that the speaker saves. Samples are taken unprocessed from the
microphone (no echo cancelling, no gain control) and kept as 16-bit WAV at its own rate.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import registry
from apun.audio_folder import file_names
from apun.errors import UsageError
from apun.paths import write_atomic
from apun.recordings.takes import Take, read_takes
from apun.speech import Utterance

PAGE = Path(__file__).with_name("kit.html")


def prompts_of_sheet(sheet: Path, language: str) -> list[dict[str, Any]]:
    """Texts of a sheet, with every other column it has.

    Raises:
        DataError: as in ``read_takes``.
    """
    takes = read_takes(sheet, language)
    return _prompts([take.utterance for take in takes], takes)


def prompts_of_benchmark(
    name: str, subset: str, data_dir: Path | None, tasks: Sequence[str], limit: int | None, seed: int
) -> list[dict[str, Any]]:
    """Everything that a benchmark's items need spoken.

    Raises:
        ApunError: there is no such benchmark, subset or task.
    """
    from apun.run.data import choose, find_folder, select_tasks, utterances
    from apun.tasks import Conditions, Subset

    benchmark = registry.benchmark(name)
    folder = None if subset == "sample" else find_folder(name, subset, data_dir)
    items = choose(benchmark.load(Subset(subset, folder)), limit, (), seed)
    return _prompts(utterances(benchmark, select_tasks(benchmark, tasks), items, Conditions(seed=seed)), ())


def items_of_benchmark(
    name: str, subset: str, data_dir: Path | None
) -> Callable[[Sequence[Mapping[str, Any]]], dict[str, str]]:
    """What makes a split of recordings a whole subset: the annotation of the items that were recorded.

    Returns:
        A function from the split's rows to files by name; none for a benchmark whose items stay with it.
    """
    from apun.run.data import find_folder
    from apun.tasks import Subset

    folder = None if subset == "sample" else find_folder(name, subset, data_dir)
    items = {item.id: item for item in registry.benchmark(name).load(Subset(subset, folder))}

    def files(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        wanted = dict.fromkeys(row["item_id"] for row in rows)
        if unknown := [item for item in wanted if item not in items]:
            raise UsageError(f"{name} {subset} has no item {unknown[0]!r}; --benchmark names where the texts are from")
        kept = [items[item] for item in wanted]
        if not all(hasattr(item, "to_json") for item in kept):
            return {}
        return {"items.jsonl": "".join(json.dumps(item.to_json(), ensure_ascii=False) + "\n" for item in kept)}

    return files


def _prompts(spoken: Sequence[Utterance], takes: Sequence[Take]) -> list[dict[str, Any]]:
    names = file_names(spoken)
    prompts = []
    for index, (utterance, name) in enumerate(zip(spoken, names, strict=True)):
        extra: Mapping[str, Any] = takes[index].extra if takes else {}
        prompts.append(
            {
                **extra,
                "file_name": f"audio/{name}.wav",
                "item_id": utterance.item,
                "part": utterance.part,
                "text": utterance.text,
                "language": utterance.language,
                **utterance.reading,
            }
        )
    return prompts


def write_page(out: Path, title: str, prompts: Sequence[Mapping[str, Any]]) -> None:
    """Write the page; texts are data in it, never markup or script."""
    data = json.dumps({"title": title, "prompts": list(prompts)}, ensure_ascii=False)
    data = data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    data = data.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    page = PAGE.read_text(encoding="utf-8")
    page = page.replace("{{TITLE}}", html.escape(title), 2)
    head, mark, tail = page.partition("{{DATA}}")
    assert mark, "the page has a place for its data"
    write_atomic(out, head + data + tail)
