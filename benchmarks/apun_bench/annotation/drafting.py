"""Drafts: what a recogniser and a language model say about each clip, for people to correct."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.models import Generation, Model, Recogniser
from apun.prompts import MAIN, Prompt, template_for
from apun.readers.lines import labelled
from apun.readers.pair import meanings
from apun.readers.verdict import verdict
from apun.readers.word import word
from apun.speech import Split
from benchmarks.apun_bench.asking import PROMPTS
from benchmarks.apun_bench.items import words

DRAFTS = "drafts.jsonl"
ROOM = 96  # tokens for an answer
LABELS = {"pun": "pun", "word": "word", "kind": "kind"}


@dataclass(frozen=True, slots=True)
class Draft:
    """What the machines say of one clip.

    Attributes:
        id: the item's id.
        transcript: the recogniser's text; empty when it failed.
        is_pun: the model's verdict; None when it gave none.
        pun_word: the word it named, where that is a word of the transcript.
        alternatives: the other word (puns on sound).
        meanings: the two meanings (puns on meaning).
        problem: why something is missing; empty otherwise.
        recogniser: name of the recogniser.
        model: name of the language model.
    """

    id: str
    transcript: str
    is_pun: bool | None = None
    pun_word: str = ""
    alternatives: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    problem: str = ""
    recogniser: str = ""
    model: str = ""


def transcribe(
    split: Split, ids: Sequence[str], recogniser: Recogniser, batch: int = 8
) -> Iterator[tuple[str, str, str]]:
    """``(id, transcript, problem)`` of each item's main clip, in order; a clip that fails is told, not dropped."""
    for start in range(0, len(ids), batch):
        part = ids[start : start + batch]
        clips = [split.clip(name) for name in part]
        for name, clip, found in zip(part, clips, recogniser.transcribe(clips, "en"), strict=True):
            yield name, found.text.strip(), found.error or ("" if found.text.strip() else "nothing was recognised")
            clip.release()


def draft(
    texts: Sequence[tuple[str, str, str]],
    model: Model,
    recogniser: str,
    name: str | None = None,
) -> Iterator[Draft]:
    """Drafts of transcribed clips, in order.

    Two questions a clip: where is the pun, and what is also meant. A reply that cannot be read leaves its
    field empty and says so; nothing is guessed.

    Args:
        texts: ``(id, transcript, problem)`` as ``transcribe`` gives them.
        model: any text-reading model of the toolkit.
        recogniser: name of what wrote the transcripts.
        name: what to call the model; its own name when None.
    """
    size = max(1, model.info.max_batch)
    for start in range(0, len(texts), size):
        part = texts[start : start + size]
        first = _ask(model, [_prompt("annotate_location.en.toml", n, t) for n, t, p in part if not p])
        found = {n: _located(t, first[n]) for n, t, p in part if not p}
        second = _ask(model, [p for n, t, _ in part if n in found for p in _follow_up(n, t, found[n])])
        for item, text, problem in part:
            base: dict[str, Any] = {"id": item, "transcript": text, "recogniser": recogniser}
            base["model"] = name or model.info.name
            if problem:
                yield Draft(**base, problem=f"recogniser: {problem}")
            else:
                yield Draft(**base, **_interpreted(found[item], second.get(item)))


def _prompt(file: str, name: str, text: str, **fields: str) -> Prompt:
    template = template_for(PROMPTS / file, "p0")
    task = "apun.chain" if "location" in file else "apun.inference"
    return template.render(id=name, task=task, fields=fields, transcripts={MAIN: text})


def _ask(model: Model, prompts: Sequence[Prompt]) -> dict[str, tuple[str | None, str]]:
    """``(answer, problem)`` by prompt id."""
    if not prompts:
        return {}
    replies = model.generate(prompts, Generation(max_new_tokens=ROOM))
    return {
        prompt.id: (reply.answer, "" if reply.answer is not None else f"model: {reply.reason}")
        for prompt, reply in zip(prompts, replies, strict=True)
    }


def _located(text: str, reply: tuple[str | None, str]) -> dict[str, Any]:
    answer, problem = reply
    if answer is None:
        return {"problem": problem}
    lines = labelled(answer, LABELS)
    said_pun = verdict(lines.get("pun", ""), "pun").value
    if said_pun is None:
        return {"problem": "model: the first answer could not be read"}
    if said_pun == "non-pun":
        return {"is_pun": False}
    said = word(lines.get("word", "")).value
    spoken = {word.casefold(): word for word in words(text)}
    if said is None or said.casefold() not in spoken:
        return {"is_pun": True, "problem": "model: named no word of the transcript"}
    kind = "meaning" if "meaning" in lines.get("kind", "").casefold() else "sound"
    return {"is_pun": True, "pun_word": spoken[said.casefold()], "kind": kind}


def _follow_up(name: str, text: str, found: Mapping[str, Any]) -> Sequence[Prompt]:
    if "pun_word" not in found:
        return ()
    meaning = found["kind"] == "meaning"
    file = "annotate_meaning.en.toml" if meaning else "annotate_sound.en.toml"
    wanted = "meanings" if meaning else "word"
    return (_prompt(file, name, text, pun_word=found["pun_word"], wanted=wanted),)


def _interpreted(found: Mapping[str, Any], reply: tuple[str | None, str] | None) -> dict[str, Any]:
    fields = {key: value for key, value in found.items() if key != "kind"}
    if reply is None:
        return fields
    answer, problem = reply
    if answer is None:
        return fields | {"problem": problem}
    if found["kind"] == "meaning":
        pair = meanings(answer).value
        return fields | ({"meanings": pair} if pair else {"problem": "model: gave no two meanings"})
    said = word(answer, "other", found["pun_word"]).value
    return fields | ({"alternatives": (said,)} if said else {"problem": "model: named no other word"})


def write_drafts(path: Path, drafts: Sequence[Draft]) -> None:
    """Append drafts, one JSON line each."""
    append(path, [asdict(found) for found in drafts])


def append(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append rows as JSON lines, in one write."""
    with path.open("a", encoding="utf-8") as handle:
        handle.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def cut_torn_line(path: Path) -> None:
    """Drop a last line that a stop left unfinished; whole lines stay."""
    if not path.is_file():
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        with path.open("r+b") as handle:
            handle.truncate(whole)


def read_drafts(path: Path) -> dict[str, Draft]:
    """Drafts by id, the last line of an id counting.

    Raises:
        DataError: no drafts, or a malformed line; names file and line.
    """
    from apun.splits import read_rows

    if not path.is_file():
        raise DataError("no drafts", file=path, fix="Run 'apun annotate draft' first.")
    drafts: dict[str, Draft] = {}
    for line, row in read_rows(path):
        try:
            fields = {name: row[name] for name in Draft.__dataclass_fields__ if name in row}
            fields["alternatives"] = tuple(fields.get("alternatives", ()))
            fields["meanings"] = tuple(fields.get("meanings", ()))
            drafts[fields["id"]] = Draft(**fields)
        except (TypeError, KeyError) as error:
            raise DataError(f"is no draft ({error})", file=path, line=line, fix="Delete the line.") from error
    return drafts
