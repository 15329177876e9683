"""Experiment 3: create a homophonic xiehouyu after a seed (X-Riddles §6).

Checked by machine (§3, §6, Appendices C and E): the format is complete; the two answers are homophones;
the homophone is not already in the riddle; the intended answer is made of real words; and no known
xiehouyu overlaps with it by half. Reasonableness and funniness are rated by people (``ratings``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from apun.asking import Case, Plan, item_of
from apun.readers.lines import labelled
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.data import known, novel
from benchmarks.x_riddles.distractors import shuffled
from benchmarks.x_riddles.homophony import Level, compare_words, han, worst
from benchmarks.x_riddles.items import BLANK, Riddle
from benchmarks.x_riddles.lexicon import plausible
from benchmarks.x_riddles.novelty import THRESHOLD, Corpus, Overlap, jaccard
from benchmarks.x_riddles.tasks import DICTIONARY, LANG, PROMPTS, SAMPLES, labels_of, prompt_file, suffix

NAME = "xriddles.creating"
LABELS: Mapping[str, str] = {
    "xiehouyu": r"歇后语|xiehouyu",
    "riddle": r"前半句|谜面|riddle|first half",
    "literal": r"字面(?:义|意思)?(?:的)?(?:后半句|谜底|答案)?|literal(?: answer)?",
    "intended": r"(?:实际|引申)(?:义|意思)?(?:的)?(?:后半句|谜底|答案)?|(?:intended|figurative)(?: answer)?",
    "homophones": r"谐音(?:字|词)?|homophones?",
    "meaning": r"解释|意思|explanation|meaning",
    "example": r"例句|example(?: sentence)?",
}
REQUIRED = ("riddle", "literal", "intended", "homophones", "meaning", "example")
_LONGEST = 60  # characters of a riddle or an answer; the longest in the public lists has 40
_PAIR = re.compile(r"[/／:：、→|和与-]+")


def _cases(items: Sequence[Riddle], conditions: Conditions, variant: str) -> Iterator[Case]:
    """The traditional or imported homophonic xiehouyu that can serve as seeds; nothing is spoken."""
    samples = int(SAMPLES.of(conditions))
    for item in items:
        if item.type != "homophonic" or item.novel or not item.literal:
            continue
        fields = {**_fields("seed", item), **_fields("model", shuffled_novel(item)[0])}
        fields["dictionary"] = DICTIONARY.of(conditions)
        for sample in range(1, samples + 1):
            number = f".{sample}" if samples > 1 else ""
            again = _again(sample, LANG.of(conditions))
            file = prompt_file("creating", conditions)
            yield Case(item, file, {**fields, "again": again}, f"{suffix(conditions)}{number}")


def shuffled_novel(item: Riddle) -> list[Riddle]:
    """New xiehouyu in an order of the seed's own; the first is shown as the model to follow."""
    by_id = {other.id: other for other in novel()}
    shared = {pair.literal for pair in item.pairs}
    order = shuffled(sorted(by_id), item, 0)
    # After the same homophone first, as in the paper: its second example is made from its first.
    return sorted((by_id[i] for i in order), key=lambda other: not shared & {pair.literal for pair in other.pairs})


def _fields(prefix: str, item: Riddle) -> dict[str, str]:
    answer = item.intended
    return {
        f"{prefix}_riddle": item.riddle,
        f"{prefix}_literal": item.literal or "",
        f"{prefix}_intended": answer,
        f"{prefix}_homophones": "，".join(f"{pair.literal}/{pair.intended}" for pair in item.pairs),
        f"{prefix}_example": item.example.replace(BLANK, answer),
    }


def _again(sample: int, lang: str) -> str:
    if sample == 1:
        return ""
    return f"这是第{sample}次，请换一个。\n" if lang == "zh" else f"This is request {sample}; write a different one.\n"


@dataclass(frozen=True, slots=True)
class Creation:
    """A created xiehouyu as it was written; a missing field is the empty string."""

    riddle: str
    literal: str
    intended: str
    homophones: tuple[str, str] | None
    meaning: str
    example: str

    @property
    def missing(self) -> tuple[str, ...]:
        """Required fields that are not there."""
        return tuple(name for name in REQUIRED if not getattr(self, name))


@dataclass(frozen=True, slots=True)
class Checks:
    """What was found out about a creation.

    Attributes:
        complete: every field is there.
        level: how the literal and intended answer sound alike where they differ.
        named: whether the homophones that are named are those where the answers differ.
        hidden: the homophones do not stand in the riddle.
        word: the intended answer is made of real words.
        overlap: largest character overlap with a known xiehouyu.
    """

    complete: bool
    level: Level
    named: bool
    hidden: bool
    word: bool
    overlap: Overlap

    @property
    def homophonic(self) -> bool:
        """Initials and finals agree; the tone may differ."""
        return self.level in ("same", "tone")

    @property
    def valid(self) -> bool:
        """Everything a machine can check holds."""
        return self.complete and self.homophonic and self.hidden and self.word and self.overlap.original


def read_creation(answer: str) -> Creation | None:
    """The last created xiehouyu in an answer, from its labelled lines or the fields of its JSON.

    Returns:
        None unless riddle, literal and intended answer are all there, each of 60 characters at most.
    """
    found = labelled(answer, LABELS, fold=False)
    if not found.get("riddle") and "xiehouyu" in found:
        found["riddle"] = re.split(r"——|—|--", found["xiehouyu"])[0]
    texts = {name: _text(found.get(name, "")) for name in ("riddle", "literal", "intended")}
    if not all(0 < len(text) <= _LONGEST for text in texts.values()):
        return None
    return Creation(
        **texts,
        homophones=_named_pair(found.get("homophones", "")),
        meaning=found.get("meaning", "").strip(),
        example=found.get("example", "").strip(),
    )


def check(creation: Creation, corpus: Corpus) -> Checks:
    """Everything that can be checked by machine."""
    spans = differences(creation.literal, creation.intended)
    level = worst(compare_words(a, b) for a, b in spans) if spans else "different"
    differing = set("".join(a + b for a, b in spans)) if spans else set()
    named = creation.homophones is not None and {*"".join(creation.homophones)} >= differing
    return Checks(
        complete=not creation.missing,
        level=level,
        named=bool(differing) and named,
        hidden=bool(differing) and not differing & set(creation.riddle),
        word=plausible(creation.intended),
        overlap=corpus.overlap(creation.riddle, creation.intended),
    )


def differences(literal: str, intended: str) -> list[tuple[str, str]]:
    """Where two answers of one length differ, neighbouring places together; empty when they cannot be aligned."""
    if len(literal) != len(intended):
        return []
    spans: list[tuple[str, str]] = []
    previous = -2
    for place, (a, b) in enumerate(zip(literal, intended, strict=True)):
        if a == b:
            continue
        if place == previous + 1:
            spans[-1] = (spans[-1][0] + a, spans[-1][1] + b)
        else:
            spans.append((a, b))
        previous = place
    return spans


def _text(value: str) -> str:
    """Chinese characters of a field, without glosses in parentheses."""
    return han(re.sub(r"[（(][^（）()]*[）)]", "", value))


def _named_pair(value: str) -> tuple[str, str] | None:
    words = [han(part) for part in _PAIR.split(re.sub(r"[（(][^（）()]*[）)]", "", value))]
    words = [word for word in words if word]
    return (words[0], words[1]) if len(words) >= 2 else None


def score(question: Question, reply: Reply) -> Score:
    """What can be checked of the created xiehouyu."""
    item = item_of(question, Riddle)
    creation = reply.read(read_creation)
    names = ("complete", "homophonic", "exact", "near", "hidden", "word", "original", "valid", "overlap", "parsed")
    numbers = dict.fromkeys(names, 0.0)
    detail: dict[str, object] = {"seed": item.riddle}
    if creation is not None:
        fields = question.prompt.fields
        corpus = known(str(fields["dictionary"]))
        found = check(creation, corpus)
        overlap = max(found.overlap.score, _shown_overlap(creation.riddle + creation.intended, fields))
        original = overlap < THRESHOLD
        numbers = {
            "parsed": 1.0,
            "complete": float(found.complete),
            "homophonic": float(found.homophonic),
            "exact": float(found.level == "same"),
            "near": float(found.level == "near"),
            "hidden": float(found.hidden),
            "word": float(found.word),
            "original": float(original),
            "overlap": overlap,
            "valid": float(found.valid and original),
        }
        detail |= {
            "level": found.level,
            "missing": list(creation.missing),
            "named": found.named,
            "known": len(corpus.entries),
            "nearest": ["——".join(corpus.entries[place]) for place in found.overlap.nearest[:3]],
            "overlap": overlap,
        }
    parsed = None if creation is None else asdict(creation)
    return Score.of(question, reply, parsed, numbers, labels_of(item), **detail)


def _shown_overlap(text: str, fields: Mapping[str, object]) -> float:
    """Overlap with the two xiehouyu of the prompt: copying them is no creation."""
    return max(jaccard(text, f"{fields[f'{name}_riddle']}{fields[f'{name}_intended']}") for name in ("seed", "model"))


def perfect(question: Question) -> str:
    """One of the new xiehouyu of this project that the prompt does not show."""
    for other in shuffled_novel(item_of(question, Riddle))[1:]:
        copied = _shown_overlap(other.riddle + other.intended, question.prompt.fields) >= THRESHOLD
        if other.match in ("same", "tone") and not copied and len(other.pairs) == 1 and other.literal:
            pair = (other.pairs[0].literal, other.pairs[0].intended)
            example = other.example.replace(BLANK, other.intended)
            return solver.creation(other.riddle, other.literal, other.intended, pair, "指", example)
    raise ValueError("the embedded sample has no other new xiehouyu")


METRICS = (
    ratio("valid", "all checks", "valid"),
    ratio("complete", "complete", "complete"),
    ratio("homophonic", "homophonic", "homophonic"),
    ratio("hidden", "not in the riddle", "hidden"),
    ratio("word", "real words", "word"),
    ratio("original", "original", "original"),
    ratio("overlap", "max overlap", "overlap", "parsed", percent=False, higher_is_better=False),
)
TASK = Plan(NAME, PROMPTS, _cases, lambda item, conditions: ()).as_task(
    "Create a homophonic xiehouyu after a seed (Experiment 3)",
    score,
    METRICS,
    solver.create,
    perfect,
    modalities=("text",),
    max_new_tokens=512,
)
