"""How is this kanji read in this word? (paper section 3.3, reading prediction)"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apun.asking import Case, item_of
from apun.draws import generator
from apun.phonetics.japanese import LONG, LONG_SPELLINGS, STOP, VOWEL_OF, normalise, same_reading
from apun.readers.reading import kana
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, Task, ratio
from benchmarks.yomi_bench import solver
from benchmarks.yomi_bench.items import Kind, ReadingItem, YomiItem
from benchmarks.yomi_bench.kanji import sounds
from benchmarks.yomi_bench.speaking import utterances
from benchmarks.yomi_bench.tasks import CORRECTED, accuracy, case_of, plan, read, shots, statistics

SHOTS = 3
METRICS = (
    *accuracy(),
    ratio("lenient", "Acc (lenient)", "lenient"),
    ratio("unparsed", "Unparsed", "unparsed", higher_is_better=False),
)


def chosen(items: Sequence[YomiItem], kind: Kind, conditions: Conditions) -> list[ReadingItem]:
    """The items of a kind; with ``corrected=yes`` without known slips, their share going to the kanji's other items."""
    own = [item for item in items if isinstance(item, ReadingItem) and item.kind == kind]
    if CORRECTED.of(conditions) == "no":
        return own
    return [replace(item, weight=item.weight_corrected, corrected=True) for item in own if item.slip is None]


def few_shots(item: ReadingItem, count: int, seed: int) -> list[dict[str, str]]:
    """Examples for an item, the same in every prompt variant."""
    pool = item.reading_examples
    drawn = generator(seed, "reading", item.id).sample(pool, min(count, len(pool)))
    return [{"word": other.word, "kanji": other.kanji, "answer": other.reading} for other in drawn]


def _cases(items: Sequence[YomiItem], conditions: Conditions, variant: str, kind: Kind) -> Iterator[Case]:
    for item in chosen(items, kind, conditions):
        if conditions.modality == "audio" and not utterances(item, "default"):
            continue
        yield case_of(
            item,
            variant,
            conditions,
            "reading",
            {"word": item.word, "kanji": item.kanji},
            heard="",
            released="kanji_reading_prediction",
            examples=few_shots(item, shots(conditions, SHOTS), conditions.seed),
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a reading is right.

    Attributes:
        exact: it is the gold reading (the paper's score).
        lenient: it shows the right knowledge: the gold reading with its okurigana, the whole word's reading, or the
            official reading before voicing or ``っ``.
        cause: ``right``, ``okurigana``, ``whole_word``, ``base``, ``voicing``, ``small_tsu``, ``long_vowel``,
            ``other_reading`` (one of the kanji's other readings) or ``wrong``.
    """

    exact: bool
    lenient: bool
    cause: str


def judge(answers: Sequence[str], item: ReadingItem) -> Verdict:
    """The best verdict over the kana spellings that an answer may stand for.

    Args:
        answers: kana spellings; more than one only where romaji left them open.
        item: the item with its gold reading.
    """
    verdicts = [_judge(answer, item) for answer in answers]
    return max(verdicts, key=lambda verdict: (verdict.exact, verdict.lenient))


def _judge(answer: str, item: ReadingItem) -> Verdict:
    gold = item.reading
    if same_reading(answer, gold):
        return Verdict(True, True, "right")
    tails = [item.okurigana[:length] for length in range(1, len(item.okurigana) + 1)]
    if any(same_reading(answer, gold + tail) for tail in tails):
        return Verdict(False, True, "okurigana")
    if item.word_kana and same_reading(answer, item.word_kana):
        return Verdict(False, True, "whole_word")
    if item.base and same_reading(answer, item.base):
        return Verdict(False, True, "base")
    return Verdict(False, False, _difference(normalise(answer), item))


def _difference(answer: str, item: ReadingItem) -> str:
    gold = item.reading
    if _short(answer) == _short(gold):
        return "long_vowel"
    if _unvoiced(answer) == _unvoiced(gold):
        return "voicing"
    if answer[:-1] == gold[:-1] and STOP in (answer[-1:], gold[-1:]):
        return "small_tsu"
    if any(answer in sounds(other) for other in item.others):
        return "other_reading"
    return "wrong"


def _unvoiced(kana: str) -> str:
    plain = unicodedata.normalize("NFD", kana)
    return "".join(char for char in plain if char not in "\u3099\u309a")


def _short(kana: str) -> str:
    """Kana without the second half of long vowels."""
    out: list[str] = []
    vowel = ""
    for char in kana:
        if char == LONG or char in LONG_SPELLINGS.get(vowel, ""):
            vowel = ""
            continue
        out.append(char)
        vowel = VOWEL_OF.get(char, "")
    return "".join(out)


def score(question: Question, reply: Reply) -> Score:
    """Right when the reading is the gold's; ``lenient`` also counts answers that show the same knowledge."""
    item = item_of(question, ReadingItem)
    answer, cause = read(reply, lambda text: kana(text, kanji=item.kanji, word=item.word, okurigana=item.okurigana))
    verdict = judge(answer, item) if answer else None
    numbers = statistics(
        question,
        item.weight,
        correct=verdict is not None and verdict.exact,
        lenient=verdict is not None and verdict.lenient,
        unparsed=reply.status == "ok" and answer is None,
    )
    shown = None if answer is None else answer[0] if len(answer) == 1 else list(answer)
    labels = {"cause": verdict.cause if verdict else cause}
    labels |= {"slip": "yes"} if item.slip else {"corrected": "yes"} if item.corrected else {}
    return Score.of(question, reply, shown, numbers, labels, gold=item.reading, word=item.word, kanji=item.kanji)


def perfect(question: Question) -> str:
    """The gold reading."""
    return item_of(question, ReadingItem).reading


def make_task(kind: Kind) -> Task:
    """The task for kanji with one reading or with more."""
    asking = plan(f"yomi.reading_{kind}", lambda items, conditions, variant: _cases(items, conditions, variant, kind))
    readings = "one reading" if kind == "single" else "several readings"
    title = f"How is the kanji read in this word? (kanji with {readings})"
    return asking.as_task(title, score, METRICS, solver.answer_reading, perfect, max_new_tokens=32)


SINGLE, MULTIPLE = make_task("single"), make_task("multiple")
