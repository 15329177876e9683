"""The form only speech allows: one sound, two readings.

The literal and the intended answer of an exact pair sound alike. Riddle and answer are spoken once,
and both answers must be written down: what the riddle literally leads to, and what is meant. As
text, the answer is given in pinyin, which leaves the same two readings open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from apun.errors import PhoneticError
from apun.phonetics.mandarin import is_han, readings
from apun.phonetics.pinyin import Syllable, parse
from apun.prompts import MAIN, Prompt
from apun.readers.pair import pair
from apun.replies import Reply
from apun.scores import Score, ScoreStatus
from apun.speech import Speech, Utterance
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.x_riddles.association import hidden_homophone
from benchmarks.x_riddles.homophony import compare_words, han
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.lexicon import commonest_writing
from benchmarks.x_riddles.options import read_options, template, variant_label, variants
from benchmarks.x_riddles.utterances import whole_utterance

NAME = "xriddles.both_readings"
_LITERAL = (
    r"字面(?:上)?的?(?:义|意思|含义|写法)?的?(?:答案|后半句|谜底)?|literal(?:ly)?(?: (?:answer|reading|meaning))?"
)
_INTENDED = (
    r"(?:实际|實際)(?:上)?的?(?:义|意思|含义|写法)?的?(?:答案|后半句|谜底)?|真正的?(?:意思|含义|写法)?|本意|引申义?"
    r"|intended(?: (?:answer|reading|meaning))?"
)


def ask(items: Sequence[Riddle], conditions: Conditions, speech: Speech | None) -> Iterator[Question]:
    """Questions of the items whose two answers sound exactly alike."""
    options = read_options(conditions)
    for item in items:
        if item.match != "same" or not item.literal_pinyin:
            continue
        for variant in variants(conditions):
            label = variant_label(variant, options)
            question_id = f"{NAME}/{item.id}/{label}"
            wording = template("both_readings", variant, conditions, options)
            if speech:
                clips = {MAIN: speech.clip(item.id, whole_utterance(item).part)}
                prompt = wording.render(id=question_id, task=NAME, fields={}, clips=clips)
            else:
                marked = " ".join(syllable.pinyin for syllable in parse(item.literal_pinyin))
                text = f"{item.riddle}——{marked}"
                prompt = wording.render(id=question_id, task=NAME, fields={}, transcripts={MAIN: text})
            yield Question(question_id, NAME, item, label, prompt)


def speech_of(item: Riddle, conditions: Conditions) -> Sequence[Utterance]:
    """Riddle and answer in one clip, for the items that are asked."""
    return [whole_utterance(item)] if item.match == "same" and item.literal_pinyin else []


def read_both(answer: str) -> dict[str, str] | None:
    """The two readings as the model wrote them, by ``literal`` and ``intended``; None unless both are there."""
    literal, intended = pair(answer, _LITERAL, _INTENDED).value or ("", "")
    return {"literal": literal, "intended": intended} if literal and intended else None


def is_reading(written: str, gold: str, words: Sequence[str]) -> bool:
    """Whether a written answer is the gold one in everything that matters.

    It is when it is the gold answer, or sounds like it and holds the gold words of the pair in order
    (尽是书 for 净是书).
    """
    if written == gold:
        return True
    if len(written) != len(gold) or compare_words(written, gold) == "different":
        return False
    place = 0
    for word in words:
        place = written.find(word, place)
        if place < 0:
            return False
        place += len(word)
    return True


def score(question: Question, reply: Reply) -> Score:
    """Each reading right or wrong, and both together; swapped counts both in each other's place."""
    item: Riddle = question.item  # type: ignore[assignment]
    read = read_both(reply.answer) if reply.answer is not None else None
    status: ScoreStatus = "unparsed" if read is None else "scored"
    if reply.status != "ok":
        status = reply.status
    literal = [pair.literal for pair in item.pairs]
    intended = [pair.intended for pair in item.pairs]
    right = {"literal": False, "intended": False, "swapped": False}
    if read is not None:
        right["literal"] = is_reading(read["literal"], item.literal or "", literal)
        right["intended"] = is_reading(read["intended"], item.intended, intended)
        right["swapped"] = is_reading(read["literal"], item.intended, intended) and is_reading(
            read["intended"], item.literal or "", literal
        )
    return Score(
        question=question.id,
        item=item.id,
        cluster=item.cluster,
        task=NAME,
        variant=question.variant,
        status=status,
        statistics={
            "n": 1.0,
            "both": float(right["literal"] and right["intended"]),
            **{name: float(value) for name, value in right.items()},
        },
        labels={"type": item.type, "split": item.split, "origin": item.origin},
        parsed=read,
        detail={"literal": item.literal, "intended": item.intended},
    )


def riddle_part(text: str) -> str:
    """The riddle in a transcript that may go on with options: up to the first dash or full stop."""
    return next((part.strip() for part in re.split(r"——|—|--|[。.\n]", text) if part.strip()), text)


def riddle_and_answer(text: str) -> tuple[str, str]:
    """Both halves of a transcribed xiehouyu: apart at the first dash, else at the last mark.

    A transcript without any mark gives no answer: where it starts cannot be told.
    """
    text = text.strip().rstrip("。.！!？?")
    for marks in (r"——|—|--", r"[。，,.;；：:\n]"):
        parts = [part.strip() for part in re.split(marks, text) if part.strip()]
        if len(parts) > 1 and marks.startswith("——"):
            return parts[0], " ".join(parts[1:])
        if len(parts) > 1:
            return "".join(parts[:-1]), parts[-1]
    return text, ""


def solve(prompt: Prompt) -> str:
    """The likeliest writing of that sound is what is meant; its homophone that goes with the riddle is literal."""
    text = next(iter(prompt.fields["transcripts"].values()))
    riddle, answer = riddle_and_answer(text)
    intended = commonest_writing(_sounds(answer)) or han(answer) or riddle
    link = hidden_homophone(riddle, intended)
    literal = intended
    if link is not None:
        literal = intended[: link.place] + link.hidden + intended[link.place + 1 :]
    return f"字面：{literal}\n实际：{intended}"


def _sounds(answer: str) -> tuple[Syllable, ...]:
    try:
        return readings(han(answer)) if any(map(is_han, answer)) else parse(answer)
    except PhoneticError:
        return ()


def perfect(question: Question) -> str:
    """Both readings."""
    item: Riddle = question.item  # type: ignore[assignment]
    return f"字面：{item.literal}\n实际：{item.intended}"


TASK = Task(
    name=NAME,
    title="Hear one answer, write both readings: the literal and the intended one",
    version=1,
    ask=ask,
    score=score,
    metrics=(
        ratio("both", "both readings", "both"),
        ratio("literal", "literal", "literal"),
        ratio("intended", "intended", "intended"),
        ratio("swapped", "swapped", "swapped", higher_is_better=False),
        *(ratio(f"both_{split}", f"both, {split}", "both", where={"split": split}) for split in ("high", "low", "new")),
    ),
    solve=solve,
    perfect=perfect,
    max_new_tokens=96,
    speech=speech_of,
)
