"""The form only speech allows: one sound, two readings.

The literal and the intended answer of an exact pair sound alike. Riddle and answer are spoken once,
and both answers must be written down: what the riddle literally leads to, and what is meant. As
text, the answer is given in pinyin, which leaves the same two readings open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apun.asking import Case, Plan, item_of
from apun.phonetics.mandarin.pinyin import marked, parse
from apun.prompts import MAIN
from apun.readers.pair import pair
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.homophony import compare_words
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.speaking import WHOLE, whole_utterance
from benchmarks.x_riddles.tasks import PROMPTS, SPLITS, labels_of, prompt_file, suffix

NAME = "xriddles.both_readings"
_LITERAL = (
    r"字面(?:上)?的?(?:义|意思|含义|写法)?的?(?:答案|后半句|谜底)?|literal(?:ly)?(?: (?:answer|reading|meaning))?"
)
_INTENDED = (
    r"(?:实际|實際)(?:上)?的?(?:义|意思|含义|写法)?的?(?:答案|后半句|谜底)?|真正的?(?:意思|含义|写法)?|本意|引申义?"
    r"|intended(?: (?:answer|reading|meaning))?"
)


def _cases(items: Sequence[Riddle], conditions: Conditions, variant: str) -> Iterator[Case]:
    """The items whose two answers sound exactly alike."""
    for item in items:
        if item.match == "same" and item.literal_pinyin:
            yield Case(
                item,
                prompt_file("both_readings", conditions),
                suffix=suffix(conditions),
                clips={MAIN: WHOLE},
                texts={MAIN: f"{item.riddle}——{marked(parse(item.literal_pinyin))}"},
            )


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
    item = item_of(question, Riddle)
    read = reply.read(read_both)
    first, second = (read["literal"], read["intended"]) if read else ("", "")
    literal = (item.literal or "", [pair.literal for pair in item.pairs])
    intended = (item.intended, [pair.intended for pair in item.pairs])
    right = {
        "literal": is_reading(first, *literal),
        "intended": is_reading(second, *intended),
        "swapped": is_reading(first, *intended) and is_reading(second, *literal),
    }
    numbers = {name: float(value) for name, value in right.items()}
    numbers["both"] = numbers["literal"] * numbers["intended"]
    return Score.of(question, reply, read, numbers, labels_of(item), literal=item.literal, intended=item.intended)


def perfect(question: Question) -> str:
    """Both readings."""
    item = item_of(question, Riddle)
    return f"字面：{item.literal}\n实际：{item.intended}"


METRICS = (
    ratio("both", "both readings", "both"),
    ratio("literal", "literal", "literal"),
    ratio("intended", "intended", "intended"),
    ratio("swapped", "swapped", "swapped", higher_is_better=False),
    *(ratio(f"both_{split}", f"both, {split}", "both", where={"split": split}) for split in SPLITS),
)
TASK = Plan(NAME, PROMPTS, _cases, lambda item, conditions: [whole_utterance(item)]).as_task(
    "Hear one answer, write both readings: the literal and the intended one",
    score,
    METRICS,
    solver.read_both_ways,
    perfect,
    max_new_tokens=96,
)
