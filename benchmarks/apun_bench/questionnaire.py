"""Questions for people (paper, Appendix E.3): an audio page to answer on, and the same as a sheet.

The answers come back as ``question,answer`` rows and are scored as ``--model sheet:FILE``.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apun.clips import SAMPLE_RATE, Clip
from apun.paths import write_atomic
from apun.prompts import Audio
from apun.prompts import Text as TextPart
from apun.run.data import Selection, open_data
from apun.sheets import write_sheet
from apun.tasks import Conditions, Question
from benchmarks.apun_bench.inference import concerns
from benchmarks.apun_bench.items import PUN_TYPES, PunItem

COLUMNS = ("question", "stage", "asked", "answer")
TEMPLATE = Path(__file__).parent / "data" / "questionnaire.html.j2"
STAGES = ("recognition", "location", "inference")


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """What was written: how many questions, and the commands that score the answers."""

    questions: int
    commands: tuple[str, ...]


def choose(items: Sequence[PunItem], per_stage: int, seed: int) -> dict[str, list[PunItem]]:
    """A seeded sample of items for each stage, independent of the items' order.

    Recognition keeps the data's share of puns by chance alone; location takes puns; inference takes the
    three types in equal number, as far as there are enough.
    """

    def drawn(pool: Sequence[PunItem], stage: str, count: int) -> list[PunItem]:
        ranked = sorted(pool, key=lambda item: hashlib.sha256(f"{seed}:{stage}:{item.id}".encode()).digest())
        return ranked[:count]

    third = -(-per_stage // len(PUN_TYPES))
    by_type = [drawn([i for i in items if i.type == kind and concerns(i)], "inference", third) for kind in PUN_TYPES]
    return {
        "recognition": drawn(items, "recognition", per_stage),
        "location": drawn([i for i in items if i.is_pun], "location", per_stage),
        "inference": [item for row in zip(*by_type, strict=False) for item in row][:per_stage]
        if len({len(x) for x in by_type}) == 1
        else [item for found in by_type for item in found][:per_stage],
    }


def export(
    out: Path,
    *,
    subset: str = "sample",
    data_dir: Path | None = None,
    per_stage: int = 60,
    seed: int = 0,
    modality: str = "audio",
) -> Questionnaire:
    """Write ``questionnaire.html``, ``.csv`` and ``.xlsx``.

    Args:
        out: folder to write to.
        subset: ``sample``, ``synthetic`` or ``real``.
        data_dir: the user's data folder.
        per_stage: questions a stage.
        seed: seed of the sample.
        modality: ``audio``, or ``text`` (the sentence is shown in place of a player).

    Raises:
        UsageError, DataError: as opening the data does.
    """
    from benchmarks.apun_bench.exporting import load_subset

    chosen = choose(load_subset(subset, data_dir), per_stage, seed)
    asked: list[tuple[str, Question]] = []
    commands = []
    for stage in STAGES:
        if not chosen[stage]:
            continue
        ids = tuple(item.id for item in chosen[stage])
        options = {"polarity": "pun"} if stage == "recognition" else {}
        conditions = Conditions(modality="text" if modality == "text" else "audio", seed=seed, options=options)
        data = open_data(Selection(tasks=(stage,), subset=subset, data_dir=data_dir, ids=ids, conditions=conditions))
        asked += [(stage, question) for question in data.questions()]
        commands.append(_command(stage, ids, subset, data_dir, modality, seed, options))
    out.mkdir(parents=True, exist_ok=True)
    rows = [{"question": q.id, "stage": stage, "asked": plain(q)} for stage, q in asked]
    write_sheet(out / "questionnaire.csv", COLUMNS, rows)
    write_sheet(out / "questionnaire.xlsx", COLUMNS, rows)
    write_atomic(out / "questionnaire.html", page(asked))
    return Questionnaire(len(asked), tuple(commands))


def _command(
    stage: str,
    ids: Sequence[str],
    subset: str,
    data_dir: Path | None,
    modality: str,
    seed: int,
    options: dict[str, str],
) -> str:
    words = ["python -m apun.eval --model sheet:answers.csv --benchmark apun", f"--tasks {stage}", f"--subset {subset}"]
    if data_dir is not None:
        words.append(f"--data-dir {data_dir}")
    words += [f"--set {name}={value}" for name, value in options.items()]
    if modality != "audio":
        words.append(f"--modality {modality}")
    if seed:
        words.append(f"--seed {seed}")
    return " ".join([*words, f"--ids {','.join(ids)}"])


def plain(question: Question) -> str:
    """The question as text, with ♪ where the clip goes."""
    parts = question.prompt.messages[-1].parts
    return "".join(part.text if isinstance(part, TextPart) else "♪ " for part in parts).strip()


def page(asked: Sequence[tuple[str, Question]]) -> str:
    """A self-contained page: players with the clips inside, a field for each answer, a button that saves them.

    Everything shown is escaped; the page may load nothing and send nothing.
    """
    import jinja2

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    shown = []
    sound: dict[str, str] = {}
    for stage, question in asked:
        parts = question.prompt.messages[-1].parts
        clip = next((part.clip for part in parts if isinstance(part, Audio)), None)
        if clip is not None and clip.sha256 not in sound:
            sound[clip.sha256] = flac(clip)
            clip.release()
        shown.append(
            {
                "id": question.id,
                "stage": stage,
                "text": "".join(part.text for part in parts if isinstance(part, TextPart)).strip(),
                "audio": sound[clip.sha256] if clip is not None else "",
            }
        )
    return template.render(questions=shown)


def flac(clip: Clip) -> str:
    """A clip as a data URI of 16-bit FLAC."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, clip.samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
    return "data:audio/flac;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
