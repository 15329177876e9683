"""A sheet for people to answer: the questions of a run, drawn item by item; filled in, it is a model.

    python -m benchmarks.yomi_bench.sheet --out sheet.xlsx --items 10 --tasks reading_single
    python -m apun.eval --benchmark yomi --tasks reading_single --prompt-variant p1 --model sheet:sheet.xlsx …

The first command prints the second in full, with the items it drew. Audio questions have their clips
copied into a folder beside the sheet.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun import registry
from apun.errors import UsageError
from apun.prompts import Audio, Prompt, Text
from apun.run.data import Selection, open_data, select_tasks
from apun.sheets import write_sheet
from apun.tasks import Conditions, Question

COLUMNS = ("number", "question", "audio", "instruction", "answer")


def draw(selection: Selection, items: int) -> list[str]:
    """Ids of a seeded sample of items, that many for each task; tasks over the same items share theirs.

    Raises:
        UsageError: unknown task, or a task without items.
    """
    from hashlib import sha256

    benchmark = registry.benchmark("yomi")
    text = replace(selection, conditions=replace(selection.conditions, modality="text"))
    found: dict[str, None] = {}
    for task in select_tasks(benchmark, selection.tasks):
        data = open_data(replace(text, tasks=(task.name,), limit=None))
        asked = dict.fromkeys(question.item.id for question in data.questions())
        ranked = sorted(asked, key=lambda name: sha256(f"{selection.conditions.seed}:{name}".encode()).digest())
        if not ranked:
            raise UsageError(f"{task.name} has no items in {selection.subset}")
        found.update(dict.fromkeys(ranked[:items]))
    return list(found)


def rows(questions: Iterable[Question], clips: Path | None) -> Iterator[Mapping[str, Any]]:
    """One row a question; its clip is written into ``clips`` under the question's number."""
    for number, question in enumerate(questions, 1):
        audio = ""
        if question.prompt.audios:
            if clips is None:
                raise UsageError("audio questions need a folder for their clips")
            audio = f"{clips.name}/{number:04d}.wav"
            _write_clip(question.prompt.audios[0], clips / f"{number:04d}.wav")
        yield {
            "number": number,
            "question": question.id,
            "audio": audio,
            "instruction": instruction(question.prompt),
            "answer": "",
        }


def instruction(prompt: Prompt) -> str:
    """What a person is asked: the prompt's text without its clip."""
    parts = [part.text for message in prompt.messages for part in message.parts if isinstance(part, Text)]
    return re.sub(r"\n{3,}", "\n\n", "".join(parts)).strip()


def _write_clip(audio: Audio, path: Path) -> None:
    import soundfile

    from apun.clips import SAMPLE_RATE

    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(str(path), audio.clip.samples, SAMPLE_RATE, subtype="PCM_16")


def export(selection: Selection, path: Path) -> int:
    """Write the questions of a selection; returns their number."""
    data = open_data(selection)
    table = list(rows(data.questions(), path.with_name(f"{path.stem}_clips")))
    write_sheet(path, COLUMNS, table)
    return len(table)


def parser() -> argparse.ArgumentParser:
    """Arguments of the command."""
    from apun import cli

    arguments = argparse.ArgumentParser(
        prog="python -m benchmarks.yomi_bench.sheet", description=__doc__.split("\n")[0]
    )
    arguments.add_argument("--out", type=Path, required=True, help=".csv, .tsv or .xlsx")
    arguments.add_argument("--items", type=cli.positive, default=10, help="items a task (default 10)")
    arguments.add_argument("--tasks", type=cli.names, default=[], metavar="A,B", help="tasks (default: all)")
    arguments.add_argument("--subset", default="sample")
    arguments.add_argument("--data-dir", type=Path)
    arguments.add_argument("--modality", choices=["audio", "text"], default="text")
    arguments.add_argument("--prompt-variant", type=cli.names, default=["p1"], metavar="A,B", help="default: p1")
    arguments.add_argument("--seed", type=int, default=0)
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Draw questions, write the sheet, say how to score it."""
    options = parser().parse_args(argv)
    selection = Selection(
        benchmark="yomi",
        tasks=tuple(options.tasks),
        subset=options.subset,
        data_dir=options.data_dir,
        conditions=Conditions(modality=options.modality, variants=tuple(options.prompt_variant), seed=options.seed),
    )
    selection = replace(selection, ids=tuple(draw(selection, options.items)))
    count = export(selection, options.out)
    where = f" --data-dir {options.data_dir}" if options.data_dir else ""
    tasks = f" --tasks {','.join(options.tasks)}" if options.tasks else ""
    print(f"{options.out}: {count} questions. Write one answer a row into the column 'answer', then:")
    print(
        f"python -m apun.eval --benchmark yomi{tasks} --subset {options.subset}{where} --modality {options.modality} "
        f"--prompt-variant {','.join(options.prompt_variant)} --seed {options.seed} --ids {','.join(selection.ids)} "
        f"--model sheet:{options.out}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
