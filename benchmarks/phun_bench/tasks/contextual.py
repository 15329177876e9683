"""The pun word of a sentence and the word it stands for, at once (§4.2.2) and in its two steps (§5.2.2)."""

from __future__ import annotations

from apun.asking import item_of
from apun.errors import PhoneticError
from apun.phonetics.mandarin import han, marked, readings
from apun.readers.pair import pair
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Question, ratio
from benchmarks.phun_bench import solver
from benchmarks.phun_bench.items import PunItem, Reading
from benchmarks.phun_bench.tasks import ACCURACY, heard, kind, task, written
from benchmarks.phun_bench.tasks.homophones import READING, perfect_reading, perfect_word, score_reading, score_word

PUN_LABELS = (
    r"谐音词|双关词|pun[ _]?word|pun",
    r"原词|本词|原来的词|原本的词|alternative(?:[ _]?word)?|original(?:[ _]?word)?",
)


def score_pun(question: Question, reply: Reply) -> Score:
    """Detection: the pun word found is part of the gold one. Recovery: so is its target, and detection is right."""
    item = item_of(question, PunItem)
    found = reply.read(lambda text: pair(text, *PUN_LABELS, sounding=True).value)
    spoken = bool(question.prompt.audios)
    pun, original = (han(part) for part in found) if found else ("", "")
    detected = bool(pun) and (pun in han(item.pun) or (spoken and sounds_within(pun, item.reading)))
    # 家法结合律 and 加法结合律 share 法: naming what both hold recovers nothing.
    recovered = detected and bool(original) and original in han(item.target) and original not in han(item.pun)
    statistics = {"detected": float(detected), "recovered": float(recovered)}
    parsed = None if found is None else {"pun word": pun, "alternative word": original}
    gold = {"pun word": item.pun, "alternative word": item.target}
    return Score.of(question, reply, parsed, statistics, {"stratum": item.stratum}, gold=gold)


def sounds_within(word: str, reading: Reading) -> bool:
    """Whether a word's syllables stand in a row inside a reading; no word of unknown sound does."""
    try:
        own = readings(word)
    except PhoneticError:
        return False
    size = len(own)
    return bool(own) and any(own == reading[start : start + size] for start in range(len(reading) - size + 1))


def _perfect(question: Question) -> str:
    item = item_of(question, PunItem)
    return solver.as_json(**{"pun word": item.pun, "alternative word": item.target})


AT_ONCE = task(
    "contextual_homophone",
    "The pun word in a sentence, and the word it stands for (§4.2.2)",
    heard("contextual_homophone", kind(PunItem)),
    score_pun,
    (ratio("recovery", "Recovery", "recovered"), ratio("detection", "Detection", "detected")),
    solver.contextual_homophone,
    _perfect,
)
WORD2PINYIN = task(
    "contextual_word2pinyin",
    "Contextual, step 1: the pun word's pinyin (§5.2.2)",
    written("contextual_word2pinyin", kind(PunItem), lambda item: {"sentence": item.text, "word": item.pun}),
    score_reading,
    READING,
    solver.word2pinyin,
    perfect_reading,
    by_ear=False,
)
PINYIN2WORD = task(
    "contextual_pinyin2word",
    "Contextual, step 2: the word of the pinyin (§5.2.2)",
    written("contextual_pinyin2word", kind(PunItem), lambda item: {"pinyin": marked(item.reading)}),
    score_word,
    (ACCURACY,),
    solver.pinyin2word,
    perfect_word,
    by_ear=False,
)
