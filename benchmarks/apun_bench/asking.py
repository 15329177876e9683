"""What the stages share: filling prompts, and statistics and labels of a score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from apun.prompts import MAIN, Prompt, template_for
from apun.replies import Reply
from apun.scores import Score, ScoreStatus
from apun.speech import Speech
from apun.tasks import Conditions, Question
from benchmarks.apun_bench.items import PunItem

PROMPTS = Path(__file__).parent / "prompts"
VOICE_FIELDS = ("voice", "snr_db", "perturbation")  # of a clip's metadata row; kept to break results down by


def variants(conditions: Conditions, default: Sequence[str] = ("p0",)) -> Sequence[str]:
    """The prompt variants asked for."""
    return conditions.variants or default


def ask_one(
    task: str,
    item: PunItem,
    variant: str,
    conditions: Conditions,
    speech: Speech | None,
    *,
    file: str,
    suffix: str = "",
    part: str = MAIN,
    transcript: str | None = None,
    **fields: str,
) -> Question:
    """One question about one clip of an item.

    Args:
        file: prompt file under ``prompts/``; a user's own file takes its place.
        suffix: condition appended to the variant, such as ``.pun``.
        part: the clip's name in the split; the prompt knows it as its main clip.
        transcript: what is said in the clip, for the text modality; the item's text by default.
        fields: values for the template's placeholders.
    """
    template = template_for(conditions.prompts or PROMPTS / file, variant)
    name = f"{task}/{item.id}/{variant}{suffix}"
    if conditions.modality == "text":
        prompt = template.render(id=name, task=task, fields=fields, transcripts={MAIN: transcript or item.text})
    else:
        if speech is None:
            raise ValueError(f"{task} was asked with audio, but no speech was given")
        shown: Mapping[str, Any] = {**fields, **_row(speech, item.id, part)}
        prompt = template.render(id=name, task=task, fields=shown, clips={MAIN: speech.clip(item.id, part)})
    return Question(name, task, item, f"{variant}{suffix}", prompt)


def _row(speech: Speech, item: str, part: str) -> dict[str, Any]:
    """What results are broken down by, and the word times a split may state (``words``)."""
    row = speech.row(item, part)
    row = {**row, "voice": row.get("voice") or row.get("speaker")}  # a recording's speaker is its voice
    shown: dict[str, Any] = {name: str(row[name]) for name in VOICE_FIELDS if row.get(name) not in (None, "")}
    return shown | ({"word_times": row["words"]} if isinstance(row.get("words"), list) else {})


def item_of(question: Question) -> PunItem:
    """The question's item; every question of this benchmark has a ``PunItem``."""
    return cast(PunItem, question.item)


def puns(items: Iterable[PunItem]) -> Iterator[PunItem]:
    """The items that are puns."""
    return (item for item in items if item.is_pun)


def heard(prompt: Prompt) -> str:
    """The transcript a text model was given; empty where there is none."""
    transcripts = prompt.fields.get("transcripts", {})
    return str(transcripts.get(MAIN, "")) if isinstance(transcripts, Mapping) else ""


def make_score(
    question: Question,
    reply: Reply,
    parsed: Any,
    statistics: Mapping[str, float],
    labels: Mapping[str, str],
    detail: Mapping[str, Any],
) -> Score:
    """A score with the labels every stage has; unparsed where the reply is ok but says nothing readable."""
    item = item_of(question)
    status: ScoreStatus = ("scored" if parsed is not None else "unparsed") if reply.status == "ok" else reply.status
    shown = {name: str(question.prompt.fields[name]) for name in VOICE_FIELDS if name in question.prompt.fields}
    detail = {"spoken": item.text, **detail}
    if reply.reason:
        detail = {**detail, "reason": reply.reason}
    if reply.transcripts:
        detail = {**detail, "transcript": reply.transcripts[0]}
    return Score(
        question=question.id,
        item=item.id,
        cluster=item.cluster,
        task=question.task,
        variant=question.variant,
        status=status,
        statistics=statistics,
        labels={"type": item.type, "modality": "audio" if question.prompt.audios else "text", **shown, **labels},
        parsed=parsed,
        detail=detail,
    )


def show(text: str, limit: int = 300) -> str:
    """A piece of a model's text short enough for a log."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def letters_backend() -> dict[str, str]:
    """The letter-to-sound backend for words CMUdict lacks; it decides locations."""
    from apun.phonetics.english import backend

    return {"g2p": backend()}
