"""What a reply is worth, task by task (the released rules, with their defects mended).

Mended, on purpose:

* the denominator is every item: a reply that failed or cannot be read is an item with nothing right;
* an empty prediction covers nothing (an empty text is a part of every text), and what pun word and target have
  in common recovers nothing;
* spellings are compared as syllables, not as texts: ``lü4``, ``lv4`` and ``lǜ`` are one;
* words are compared as their Chinese characters, without punctuation, width or compatibility forms;
* another real chengyu of the same sound counts under ``accuracy_any``, beside the strict ``accuracy``;
* spoken puns are found by sound, since a listener cannot know which character was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from apun.errors import PhoneticError
from apun.phonetics.mandarin import Syllable, all_readings, is_han, readings
from apun.readers import lines, pair, reading, words
from apun.readers.choice import choice
from apun.readers.one import Parsed
from apun.readers.word import chinese_word
from apun.replies import Reply
from apun.scores import Score, ScoreStatus
from apun.tasks import Question
from benchmarks.phun_bench import rhyme
from benchmarks.phun_bench.items import LETTERS, marked

FULL = 5  # characters that are asked for
PUN_LABELS = (
    r"谐音词|双关词|pun[ _]?word|pun",
    r"原词|本词|原来的词|原本的词|alternative(?:[ _]?word)?|original(?:[ _]?word)?",
)
Labels = Mapping[str, str]


def _score(
    question: Question,
    reply: Reply,
    parsed: Any,
    statistics: Mapping[str, float],
    labels: Labels | None = None,
    detail: Mapping[str, Any] | None = None,
) -> Score:
    """A score whose status is the reply's where that failed, else whether the answer could be read."""
    item: Any = question.item
    status: ScoreStatus = "unparsed" if parsed is None else "scored"
    if reply.status != "ok":
        status = reply.status
    return Score(
        question.id,
        item.id,
        item.cluster,
        question.task,
        question.variant,
        status,
        {"n": 1.0, **statistics},
        {"stratum": item.stratum, "modality": "audio" if question.prompt.audios else "text", **(labels or {})},
        parsed,
        detail or {},
    )


def _read(reply: Reply, read: Callable[[str], Parsed[Any]]) -> Any:
    return read(reply.answer).value if reply.status == "ok" and reply.answer is not None else None


def char2pinyin(question: Question, reply: Reply) -> Score:
    """Right when syllable and tone agree; ``letters`` and ``tone`` say what was right apart."""
    item: Any = question.item
    found: tuple[Syllable, ...] | None = _read(reply, reading.pinyin)
    one = found[0] if found is not None and len(found) == 1 else None
    gold: Syllable = item.syllable
    statistics = {
        "correct": float(one == gold),
        "letters": float(one is not None and one.letters == gold.letters),
        "tone": float(one is not None and one.tone == gold.tone),
    }
    parsed = None if found is None else marked(found)
    return _score(question, reply, parsed, statistics, {"tier": item.tier}, {"gold": gold.pinyin})


def chars(question: Question, reply: Reply) -> Score:
    """A fifth for each of the first five entries that is a new character of the sound, other than the one asked."""
    item: Any = question.item
    found: list[str] | None = _read(reply, words.characters)
    query = question.prompt.fields.get("query", "")
    right: list[str] = []
    for entry in (found or [])[:FULL]:
        if entry not in (query, *right) and item.syllable in all_readings(entry):
            right.append(entry)
    statistics = {"share": len(right) / FULL, "perfect": float(len(right) == FULL)}
    return _score(question, reply, found, statistics, detail={"right": right, "gold": item.syllable.pinyin})


def homophone(question: Question, reply: Reply) -> Score:
    """Right when the word is the target; ``any`` when it is another real chengyu of the target's sound."""
    item: Any = question.item
    found: str | None = _read(reply, lambda text: chinese_word(text, len(item.target)))
    exact = found == bare(item.target)
    other = found is not None and found in getattr(item, "alternatives", ())
    statistics = {"correct": float(exact), "any": float(exact or other)}
    return _score(question, reply, found, statistics, detail={"gold": item.target})


def bare(text: str) -> str:
    """The Chinese characters of a text."""
    return "".join(char for char in text if is_han(char))


def word2pinyin(question: Question, reply: Reply) -> Score:
    """Right when every syllable is; ``share`` is the mean over syllables, none where their number is wrong."""
    item: Any = question.item
    gold: tuple[Syllable, ...] = item.reading
    found: tuple[Syllable, ...] | None = _read(reply, reading.pinyin)
    same = 0
    if found is not None and len(found) != len(gold) and _run_together(found) == _run_together(gold):
        found = gold  # written without spaces, where the letters can be cut in two ways
    if found is not None and len(found) == len(gold):
        same = sum(a == b for a, b in zip(found, gold, strict=True))
    statistics = {"correct": float(same == len(gold)), "share": same / len(gold)}
    parsed = None if found is None else marked(found)
    return _score(question, reply, parsed, statistics, detail={"gold": marked(gold)})


def _run_together(syllables: tuple[Syllable, ...]) -> str:
    return "".join(syllable.pinyin for syllable in syllables)


def contextual(question: Question, reply: Reply) -> Score:
    """Detection: the pun word found is part of the gold one. Recovery: so is its target, and detection is right."""
    item: Any = question.item
    found: tuple[str, str] | None = _read(reply, lambda text: pair.pair(text, *PUN_LABELS, sounding=True))
    spoken = bool(question.prompt.audios)
    pun, original = (bare(part) for part in found) if found else ("", "")
    detected = bool(pun) and (pun in bare(item.pun) or (spoken and sounds_within(pun, item.reading)))
    # 家法结合律 and 加法结合律 share 法: naming what both hold recovers nothing.
    recovered = detected and bool(original) and original in bare(item.target) and original not in bare(item.pun)
    statistics = {"detected": float(detected), "recovered": float(recovered)}
    parsed = None if found is None else {"pun word": pun, "alternative word": original}
    detail = {"gold": {"pun word": item.pun, "alternative word": item.target}}
    return _score(question, reply, parsed, statistics, detail=detail)


def sounds_within(word: str, reading: tuple[Syllable, ...]) -> bool:
    """Whether a word's syllables stand in a row inside a reading; no word of unknown sound does."""
    try:
        own = readings(word)
    except PhoneticError:
        return False
    size = len(own)
    return bool(own) and any(own == reading[start : start + size] for start in range(len(reading) - size + 1))


def rhyming(count: int) -> Callable[[Question, Reply], Score]:
    """The score of a line that must rhyme in its last ``count`` syllables."""

    def score(question: Question, reply: Reply) -> Score:
        item: Any = question.item
        line: str | None = _read(reply, lines.verse)
        verdict = rhyme.judge(item.text, item.groups, line, count)
        if verdict.cause == "unparsed":
            line = None
        statistics = {"correct": float(verdict.correct)}
        statistics |= {cause: float(verdict.cause == cause) for cause in rhyme.CAUSES}
        labels = {"cause": verdict.cause or "none", **({"where": verdict.where} if verdict.where else {})}
        detail = {"gold": " ".join(item.groups[-count:]), "groups": " ".join(verdict.groups)}
        return _score(question, reply, line, statistics, labels, detail)

    return score


def similarity(question: Question, reply: Reply) -> Score:
    """Right when the option is."""
    item: Any = question.item
    found: int | None = _read(reply, lambda text: choice(text, options(question)))
    statistics = {"correct": float(found == item.answer)}
    labels = {"perturbation": item.perturbation, "gold": LETTERS[item.answer]}
    parsed = None if found is None else LETTERS[found]
    return _score(question, reply, parsed, statistics, labels, {"gold": LETTERS[item.answer]})


def options(question: Question) -> tuple[str, ...]:
    """The candidates as the question shows them: words, or their pinyin."""
    item: Any = question.item
    if question.variant.endswith(".pinyin"):
        return tuple(marked(reading) for reading in item.readings)
    shown: tuple[str, ...] = item.candidates
    return shown
