"""Experiment 3: create a homophonic xiehouyu after a seed (X-Riddles §6).

Reasonableness and funniness are rated by people (``ratings``); here stands what a machine can check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from apun.prompts import Prompt
from apun.replies import Reply
from apun.scores import Score, ScoreStatus
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.x_riddles.association import association
from benchmarks.x_riddles.creation import check, read_creation
from benchmarks.x_riddles.distractors import shuffled
from benchmarks.x_riddles.homophony import compare_words
from benchmarks.x_riddles.items import BLANK, Riddle
from benchmarks.x_riddles.known import known
from benchmarks.x_riddles.lexicon import common_words_with
from benchmarks.x_riddles.load import novel
from benchmarks.x_riddles.options import read_options, template, variant_label, variants
from benchmarks.x_riddles.overlap import THRESHOLD, Corpus, Overlap, jaccard

NAME = "xriddles.creating"


def ask(items: Sequence[Riddle], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """Questions of the traditional or imported homophonic xiehouyu that can serve as seeds."""
    options = read_options(conditions)
    for item in items:
        if item.type != "homophonic" or item.novel or not item.literal:
            continue
        model = shuffled_novel(item)[0]
        for variant in variants(conditions):
            wording = template("creating", variant, conditions, options)
            for sample in range(1, options.samples + 1):
                label = variant_label(variant, options) + (f".{sample}" if options.samples > 1 else "")
                question_id = f"{NAME}/{item.id}/{label}"
                fields = {
                    **_fields("seed", item),
                    **_fields("model", model),
                    "again": _again(sample, options.lang),
                    "dictionary": options.dictionary,
                }
                prompt = wording.render(id=question_id, task=NAME, fields=fields, transcripts={})
                yield Question(question_id, NAME, item, label, prompt)


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


def score(question: Question, reply: Reply) -> Score:
    """What can be checked of the created xiehouyu."""
    item: Riddle = question.item  # type: ignore[assignment]
    creation = read_creation(reply.answer) if reply.answer is not None else None
    status: ScoreStatus = "unparsed" if creation is None else "scored"
    if reply.status != "ok":
        status = reply.status
    names = ("complete", "homophonic", "exact", "near", "hidden", "word", "original", "valid", "overlap", "parsed")
    statistics = {"n": 1.0, **dict.fromkeys(names, 0.0)}
    detail: dict[str, object] = {"seed": item.riddle}
    if creation is not None:
        fields = question.prompt.fields
        corpus = known(str(fields.get("dictionary", "")))
        found = check(creation, corpus)
        shown = _shown_overlap(creation.riddle + creation.intended, fields)
        overlap = max(found.overlap.score, shown)
        original = overlap < THRESHOLD
        statistics |= {
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
            "nearest": _nearest(corpus, found.overlap),
            "overlap": overlap,
        }
    return Score(
        question=question.id,
        item=item.id,
        cluster=item.cluster,
        task=NAME,
        variant=question.variant,
        status=status,
        statistics=statistics,
        labels={"type": item.type, "split": item.split, "origin": item.origin},
        parsed=None if creation is None else asdict(creation),
        detail=detail,
    )


def _shown_overlap(text: str, fields: object) -> float:
    """Overlap with the two xiehouyu of the prompt: copying them is no creation."""
    if not isinstance(fields, dict):
        return 0.0
    return max(
        jaccard(text, str(fields[f"{name}_riddle"]) + str(fields[f"{name}_intended"])) for name in ("seed", "model")
    )


def _nearest(corpus: Corpus, overlap: Overlap) -> list[str]:
    return ["——".join(corpus.entries[place]) for place in overlap.nearest[:3]]


def speech_of(item: Riddle, conditions: Conditions) -> Sequence[Utterance]:
    """Nothing is spoken."""
    return []


def solve(prompt: Prompt) -> str:
    """Homophony by rule: a common word with the seed's intended word, and the literal word put in its place.

    The riddle names the word that goes best with the literal one. It is complete and homophonic; whether
    it is reasonable is another matter, which is what the human ratings are for.
    """
    fields = prompt.fields
    literal, intended = str(fields["seed_homophones"]).split("，")[0].split("/")
    shown = {str(fields["seed_intended"]), str(fields["model_intended"])}
    words = [word for word in common_words_with(intended) if word not in shown and literal not in word]
    about = [word for word in common_words_with(literal) if not set(literal + intended) & set(_without(word, literal))]
    about.sort(key=lambda word: (-association(literal[0], word), word))
    topic = _without(about[0], literal) if about else "手"
    for word in words:
        if compare_words(literal, intended) in ("same", "tone"):
            riddle = f"{topic}铺子开到家门口"
            swapped = word.replace(intended, literal, 1)
            return _written(riddle, swapped, word, literal, intended)
    return _written(f"{topic}铺子开到家门口", literal, intended, literal, intended)


def _without(word: str, literal: str) -> str:
    return word.replace(literal, "")


def _written(riddle: str, literal: str, intended: str, a: str, b: str) -> str:
    return (
        f"前半句：{riddle}\n字面后半句：{literal}\n实际后半句：{intended}\n谐音：{a}/{b}\n"
        f"解释：“{a}”与“{b}”谐音，说的是{intended}。\n例句：这可真是{riddle}——{intended}。"
    )


def perfect(question: Question) -> str:
    """One of the new xiehouyu of this project that the prompt does not show."""
    item: Riddle = question.item  # type: ignore[assignment]
    shown = f"{question.prompt.fields['seed_riddle']}{question.prompt.fields['seed_intended']}"
    model = f"{question.prompt.fields['model_riddle']}{question.prompt.fields['model_intended']}"
    for other in shuffled_novel(item)[1:]:
        text = other.riddle + other.intended
        usable = other.match in ("same", "tone") and max(jaccard(text, shown), jaccard(text, model)) < THRESHOLD
        if usable and len(other.pairs) == 1:
            pair = other.pairs[0]
            example = other.example.replace(BLANK, other.intended)
            return (
                f"前半句：{other.riddle}\n字面后半句：{other.literal}\n实际后半句：{other.intended}\n"
                f"谐音：{pair.literal}/{pair.intended}\n"
                f"解释：“{pair.literal}”与“{pair.intended}”谐音，指{other.intended}。\n例句：{example}"
            )
    raise ValueError("the embedded sample has no other new xiehouyu")


TASK = Task(
    name=NAME,
    title="Create a homophonic xiehouyu after a seed (Experiment 3)",
    version=1,
    ask=ask,
    score=score,
    metrics=(
        ratio("valid", "all checks", "valid"),
        ratio("complete", "complete", "complete"),
        ratio("homophonic", "homophonic", "homophonic"),
        ratio("hidden", "not in the riddle", "hidden"),
        ratio("word", "real words", "word"),
        ratio("original", "original", "original"),
        ratio("overlap", "max overlap", "overlap", "parsed", percent=False, higher_is_better=False),
    ),
    solve=solve,
    perfect=perfect,
    modalities=("text",),
    max_new_tokens=512,
    speech=speech_of,
)
