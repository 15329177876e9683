"""Experiment 2: explain why a riddle means what it means (X-Riddles §5).

Checked by machine: whether the gold homophones are named, and whether each homophony that the
explanation claims is one. Understanding and quality are rated by people (``ratings``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apun.phonetics.mandarin.pinyin import parse
from apun.prompts import MAIN, Prompt
from apun.replies import Reply
from apun.scores import Score, ScoreStatus
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.x_riddles.association import hidden_homophone
from benchmarks.x_riddles.claims import Claim, find_claims, has_cue, sentences
from benchmarks.x_riddles.heard import riddle_part
from benchmarks.x_riddles.homophony import LEVELS
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.options import read_options, template, variant_label, variants
from benchmarks.x_riddles.utterances import riddle_utterance, whole_utterance

NAME = "xriddles.explaining"
VERDICTS = {"same": "exact", "tone": "tone", "near": "near", "different": "false"}


def ask(items: Sequence[Riddle], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """One question an item. The answer is given as text; with ``form=spoken`` it is in the recording."""
    options = read_options(conditions)
    for item in items:
        for variant in variants(conditions):
            label = variant_label(variant, options)
            question_id = f"{NAME}/{item.id}/{label}"
            wording = template("explaining", variant + "_spoken" * options.spoken, conditions, options)
            fields = {"answer": item.intended}
            if speech:
                part = speech_of(item, conditions)[0].part
                clips = {MAIN: speech.clip(item.id, part)}
                prompt = wording.render(id=question_id, task=NAME, fields=fields, clips=clips)
            else:
                text = f"{item.riddle}——{item.intended}" if options.spoken else item.riddle
                prompt = wording.render(id=question_id, task=NAME, fields=fields, transcripts={MAIN: text})
            yield Question(question_id, NAME, item, label, prompt)


def speech_of(item: Riddle, conditions: Conditions) -> Sequence[Utterance]:
    """The riddle; with ``form=spoken`` the riddle and its answer."""
    return [whole_utterance(item) if read_options(conditions).spoken else riddle_utterance(item)]


def score(question: Question, reply: Reply) -> Score:
    """Whether the gold pair is named, and how many claimed homophonies are false."""
    item: Riddle = question.item  # type: ignore[assignment]
    text = reply.answer
    empty = text is None or not text.strip()
    claims = find_claims(text) if text else ()
    named = bool(text) and names_pair(text or "", item, claims)
    false = sum(claim.false for claim in claims)
    homophonic = item.type == "homophonic"
    status: ScoreStatus = "unparsed" if empty else "scored"
    if reply.status != "ok":
        status = reply.status
    return Score(
        question=question.id,
        item=item.id,
        cluster=item.cluster,
        task=NAME,
        variant=question.variant,
        status=status,
        statistics={
            "n": 1.0,
            "homophonic": float(homophonic),
            "named": float(named and homophonic),
            "claims": float(len(claims)),
            "false": float(false),
            "any_false": float(false > 0),
            "near": float(sum(claim.level == "near" for claim in claims)),
            "length": float(len(text or "")),
        },
        labels={"type": item.type, "split": item.split, "match": item.match or "none", "origin": item.origin},
        parsed=[[claim.first, claim.second, VERDICTS[claim.level]] for claim in claims] if not empty else None,
        detail={
            "riddle": item.riddle,
            "answer": item.intended,
            "named": named if homophonic else None,
            "gold": [[pair.literal, pair.intended, pair.match] for pair in item.pairs],
            "misread": sorted({word for claim in claims for word in claim.misread}),
            "length": len(text or ""),
        },
    )


def names_pair(text: str, item: Riddle, claims: Sequence[Claim]) -> bool:
    """Whether an explanation says that the gold words sound alike.

    It does when one of its claims has the literal word (or the literal answer) on one side and the
    intended one on the other, or when one sentence speaks of homophony and holds both words.
    """
    return bool(item.pairs) and all(_named(text, pair.literal, pair.intended, claims) for pair in item.pairs)


def _named(text: str, literal: str, intended: str, claims: Sequence[Claim]) -> bool:
    if _core(literal, intended) is None:
        return False
    ours, theirs = _core(literal, intended) or (literal, intended)
    for claim in claims:
        if claim.level == LEVELS[-1]:
            continue
        sides = (claim.first, claim.second)
        if any(ours in a and theirs in b for a, b in (sides, sides[::-1])):
            return True
    return any(ours in part and theirs in part and has_cue(part) for part in sentences(text))


def _core(literal: str, intended: str) -> tuple[str, str] | None:
    """The stretch where two words differ: 新丝/心思 stays, 补庙/不妙 stays, 高僧/高升 is 僧/升."""
    places = [i for i, (a, b) in enumerate(zip(literal, intended, strict=False)) if a != b]
    if not places:
        return None
    return literal[places[0] : places[-1] + 1], intended[places[0] : places[-1] + 1]


def solve(prompt: Prompt) -> str:
    """Names the homophone of one of the answer's characters that goes best with the riddle."""
    answer = str(prompt.fields["answer"])
    riddle = riddle_part(next(iter(prompt.fields["transcripts"].values())))
    link = hidden_homophone(riddle, answer)
    if link is None:
        return f"“{answer}”按字面就能从“{riddle}”想到。"
    literal = answer[: link.place] + link.hidden + answer[link.place + 1 :]
    return f"“{link.hidden}”与“{link.printed}”谐音。从“{riddle}”想到的是“{literal}”，说的是“{answer}”。"


def perfect(question: Question) -> str:
    """Names the gold pairs with their pinyin; for the other types, how the answer is meant."""
    item: Riddle = question.item  # type: ignore[assignment]
    if not item.pairs:
        return f"“{item.riddle}”按意思引到“{item.intended}”，靠的是词义，不靠读音。"
    named = "，".join(
        f"“{pair.literal}”（{_marked(pair.literal_pinyin)}）与“{pair.intended}”（{_marked(pair.intended_pinyin)}）谐音"
        for pair in item.pairs
    )
    return f"从“{item.riddle}”先想到“{item.literal}”。{named}。所以真正说的是“{item.intended}”。"


def _marked(pinyin: str) -> str:
    return " ".join(syllable.pinyin for syllable in parse(pinyin))


TASK = Task(
    name=NAME,
    title="Explain a xiehouyu (Experiment 2); claimed homophones verified by pinyin",
    version=1,
    ask=ask,
    score=score,
    metrics=(
        ratio("named", "homophone named", "named", "homophonic"),
        ratio("false_claims", "claims false", "false", "claims", higher_is_better=False),
        ratio("any_false", "with a false claim", "any_false", higher_is_better=False),
        ratio("length", "characters", "length", percent=False, higher_is_better=None),
        *(
            ratio(f"named_{split}", f"named, {split}", "named", "homophonic", where={"split": split})
            for split in ("high", "low", "new")
        ),
    ),
    solve=solve,
    perfect=perfect,
    max_new_tokens=512,
    speech=speech_of,
)
