"""Questions for people: a sheet or a page to answer on, of any benchmark; filled in, it is a model.

The questions are those that a model is asked, word for word, with ♪ in a clip's place. What comes back is scored as
``--model sheet:FILE`` by the command that is printed, which asks the same items again.
"""

from __future__ import annotations

import base64
import io
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apun import draws
from apun.clips import SAMPLE_RATE, Clip
from apun.errors import UsageError
from apun.paths import write_atomic
from apun.prompts import Text
from apun.registry import benchmark
from apun.run.data import Selection, open_data, select_tasks
from apun.sheets import write_sheet
from apun.tasks import Question

COLUMNS = ("question", "task", "asked", "audio", "answer")
PAGE = Path(__file__).with_name("people.html.j2")


def draw(selection: Selection, count: int) -> list[Selection]:
    """A seeded sample of a selection: one selection a task, with the ids it drew.

    Args:
        selection: benchmark, tasks (all of them for none) and conditions.
        count: items a task; of each of its strata where a task samples its own.

    Raises:
        UsageError: an unknown task, or one that has no items.
    """
    written = replace(selection, conditions=replace(selection.conditions, modality="text"), limit=None)
    found = []
    for task in select_tasks(benchmark(selection.benchmark), selection.tasks):
        short = task.name.partition(".")[2]
        limit = count if task.sample is not None else None
        data = open_data(replace(written, tasks=(short,), limit=limit))
        asked = list(dict.fromkeys(question.item.id for question in data.questions()))
        if not asked:
            raise UsageError(f"{task.name} has no items in {selection.subset}")
        ids = asked if limit else draws.shuffled(asked, selection.conditions.seed)[:count]
        found.append(replace(selection, tasks=(short,), ids=tuple(ids), limit=None))
    return found


def questions(selections: Sequence[Selection]) -> list[Question]:
    """Every question of the selections, in order."""
    return [question for selection in selections for question in open_data(selection).questions()]


def mixed(asked: Sequence[Question], seed: int) -> list[Question]:
    """The questions of all tasks in an order that the seed decides."""
    return draws.shuffled(asked, seed, lambda question: question.id)


def write(path: Path, asked: Sequence[Question]) -> None:
    """Write the questions as a sheet (``.xlsx``, ``.csv``, ``.tsv``) or as a page (``.html``).

    Clips lie in a folder beside a sheet, and inside a page.

    Raises:
        UsageError: another suffix.
    """
    if path.suffix.lower() == ".html":
        write_atomic(path, page(asked))
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_sheet(path, COLUMNS, _rows(asked, path.with_name(f"{path.stem}_clips")))


def _rows(asked: Sequence[Question], clips: Path) -> Iterator[Mapping[str, Any]]:
    for number, question in enumerate(asked, 1):
        names = []
        for audio in question.prompt.audios:
            clips.mkdir(parents=True, exist_ok=True)
            names.append(f"{number:04d}{'' if len(question.prompt.audios) == 1 else '-' + audio.name}.wav")
            (clips / names[-1]).write_bytes(_encoded(audio.clip, "WAV"))
            audio.clip.release()
        yield {
            "question": question.id,
            "task": question.task.partition(".")[2],
            "asked": text_of(question),
            "audio": "; ".join(f"{clips.name}/{name}" for name in names),
        }


def text_of(question: Question) -> str:
    """The question as text, with ♪ where a clip goes."""
    parts = [part for message in question.prompt.messages for part in message.parts]
    text = "".join(part.text if isinstance(part, Text) else "♪ " for part in parts)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def page(asked: Sequence[Question]) -> str:
    """A self-contained page: players with the clips inside, a field for each answer, a button that saves them.

    Everything shown is escaped; the page may load nothing and send nothing.
    """
    import jinja2

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(PAGE.read_text(encoding="utf-8"))
    sound: dict[str, str] = {}
    shown = []
    for question in asked:
        clips = [audio.clip for audio in question.prompt.audios]
        for clip in clips:
            if clip.sha256 not in sound:
                sound[clip.sha256] = "data:audio/flac;base64," + base64.b64encode(_encoded(clip, "FLAC")).decode()
                clip.release()
        text = text_of(question).replace("♪ ", "")  # the player stands there
        shown.append({"id": question.id, "text": text, "audio": [sound[clip.sha256] for clip in clips]})
    return template.render(questions=shown)


def _encoded(clip: Clip, kind: str) -> bytes:
    """A clip as a 16-bit file."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, clip.samples, SAMPLE_RATE, format=kind, subtype="PCM_16")
    return buffer.getvalue()


def scoring_command(selection: Selection, answers: Path | str) -> str:
    """The command that scores a filled-in sheet of a selection."""
    conditions = selection.conditions
    words = ["python", "-m", "apun.eval", "--model", f"sheet:{answers}", "--benchmark", selection.benchmark]
    words += ["--tasks", ",".join(selection.tasks), "--subset", selection.subset]
    if selection.data_dir is not None:
        words += ["--data-dir", str(selection.data_dir)]
    words += [word for name, value in conditions.options.items() for word in ("--set", f"{name}={value}")]
    if conditions.modality != "audio":
        words += ["--modality", conditions.modality]
    if conditions.variants:
        words += ["--prompt-variant", ",".join(conditions.variants)]
    if conditions.prompts is not None:
        words += ["--prompts", str(conditions.prompts)]
    if selection.voices != "default":
        words += ["--voices", selection.voices]
    if conditions.seed:
        words += ["--seed", str(conditions.seed)]
    return shlex.join([*words, "--ids", ",".join(selection.ids)])
