"""Drafts: what a recogniser and a language model say about each clip, for people to correct."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun.errors import UsageError
from apun.models import Generation, LoadOptions, Model, Recogniser
from apun.paths import write_atomic
from apun.prompts import MAIN, Prompt, template_for
from apun.readers.lines import labelled
from apun.readers.pair import meanings
from apun.readers.verdict import verdict
from apun.readers.word import word
from apun.records import read
from apun.registry import load_model, load_recogniser
from apun.run.log import repair
from apun.speech import Split
from benchmarks.apun_bench.annotation import label_studio as project
from benchmarks.apun_bench.annotation.reviewing import Draft, append, read_drafts, write_drafts, write_reviews
from benchmarks.apun_bench.items import words
from benchmarks.apun_bench.tasks import PROMPTS

DRAFTS = "drafts.jsonl"
TRANSCRIPTS = "transcripts.jsonl"
SOURCE = "source.json"
GIVEN = "given"
ROOM = 96  # tokens for an answer
LABELS = {"pun": "pun", "word": "word", "kind": "kind"}

Tell = Callable[[str], object]
Texts = Sequence[tuple[str, str, str]]  # id, transcript, problem


def make_drafts(
    data_dir: Path,
    out: Path,
    *,
    model: str,
    recogniser: str,
    reviewers: Sequence[str],
    limit: int | None = None,
    device: str = "auto",
    label_studio: bool = True,
    tell: Tell = print,
) -> int:
    """Transcribe, annotate, and write what people review; what is drafted already is not asked again.

    Args:
        data_dir: an AudioFolder.
        out: folder for ``drafts.jsonl``, ``review-NAME.csv``/``.xlsx`` and ``label_studio/``.
        model: name of a model.
        recogniser: name of a recogniser; ``given`` takes each row's ``text`` or ``transcript``.
        reviewers: names of the people.
        limit: only so many clips, in the sheet's order.
        device: where local models run.
        label_studio: whether to write the Label Studio project.
        tell: receives a line of progress.

    Returns:
        The number of drafts in the folder.

    Raises:
        UsageError: reviewers' names cannot be file names, or the folder holds drafts of another model.
        DataError, ModelUnavailable: as reading the folder and loading the models do.
    """
    from apun.splits import read_split

    for name in reviewers:
        if not name.replace("-", "").replace("_", "").isalnum():
            raise UsageError(f"{name!r} cannot be part of a file name; name reviewers with letters and digits")
    split = read_split(data_dir)
    ids = list(dict.fromkeys(item for item, _ in split.rows))[:limit]
    out.mkdir(parents=True, exist_ok=True)
    path = out / DRAFTS
    repair(path)
    known = read_drafts(path) if path.exists() and path.stat().st_size else {}
    other = {(d.recogniser, d.model) for d in known.values()} - {(recogniser, model)}
    if other:
        heard, asked = sorted(other)[0]
        raise UsageError(f"{path} holds drafts by {heard} and {asked}; take another --out for {recogniser} and {model}")
    todo = [name for name in ids if name not in known or known[name].is_pun is None]  # failures are asked again
    if todo:
        _draft(split, todo, path, model, recogniser, device, tell)
        known = read_drafts(path)
    drafts = [known[name] for name in ids if name in known]
    audio = {name: str(split.row(name).get("file_name", "")) for name in ids}
    write_atomic(out / SOURCE, json.dumps({"data_dir": str(data_dir.resolve())}) + "\n")
    written = write_reviews(out, drafts, audio, reviewers)
    if label_studio:
        written.append(project.write_project(out, drafts, split))
    unclear = sum(bool(draft.problem) for draft in drafts)
    tell(f"{len(drafts)} drafts, {sum(bool(d.is_pun) for d in drafts)} of them puns, {unclear} with a problem noted")
    for file in written:
        tell(f"  {file}")
    return len(drafts)


def _draft(split: Split, ids: Sequence[str], path: Path, model: str, recogniser: str, device: str, tell: Tell) -> None:
    """Transcribe first and free the recogniser, so that only one model is held at a time."""
    options = LoadOptions(device=device)
    if recogniser == GIVEN:
        texts: Texts = [(name, *_given(split.row(name))) for name in ids]
    else:
        texts = _transcribed(split, ids, path.with_name(TRANSCRIPTS), recogniser, options, tell)
    reader = load_model(model, options)
    try:
        for done, found in enumerate(draft(texts, reader, recogniser, name=model), 1):
            write_drafts(path, [found])
            _tell_progress(tell, "drafted", done, len(texts))
    finally:
        reader.close()


def _given(row: Mapping[str, Any]) -> tuple[str, str]:
    text = str(row.get("text") or row.get("transcript") or "").strip()
    return text, "" if text else "the row has neither text nor transcript"


def _transcribed(
    split: Split, ids: Sequence[str], path: Path, recogniser: str, options: LoadOptions, tell: Tell
) -> Texts:
    """The transcript of each clip; what was transcribed before a stop is read back."""
    repair(path)
    rows = [row.values for row in read(path)] if path.is_file() else []
    known = {row["id"]: row["text"] for row in rows if row.get("recogniser") == recogniser and not row["problem"]}
    todo = [name for name in ids if name not in known]
    problems: dict[str, str] = {}
    if todo:
        ears = load_recogniser(recogniser, options)
        try:
            for done, (name, text, problem) in enumerate(transcribe(split, todo, ears), 1):
                append(path, [{"id": name, "text": text, "problem": problem, "recogniser": recogniser}])
                known[name], problems[name] = text, problem
                _tell_progress(tell, "transcribed", done, len(todo))
        finally:
            ears.close()
    return [(name, known[name], problems.get(name, "")) for name in ids]


def _tell_progress(tell: Tell, what: str, done: int, total: int) -> None:
    """A line every 25 clips and at the end."""
    if done % 25 == 0 or done == total:
        tell(f"{what} {done}/{total}")


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


def draft(texts: Texts, model: Model, recogniser: str, name: str | None = None) -> Iterator[Draft]:
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
    called = verdict(lines.get("pun", ""), "pun").value
    if called is None:
        return {"problem": "model: the first answer could not be read"}
    if called == "non-pun":
        return {"is_pun": False}
    said = word(lines.get("word", "")).value
    spoken = {token.casefold(): token for token in words(text)}
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
