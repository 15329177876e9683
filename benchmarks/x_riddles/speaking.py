"""What is spoken of a xiehouyu, with every reading forced.

Parts: ``main`` is the riddle; ``whole`` the riddle and its answer; ``choices`` the riddle and four
labelled answers. The literal and the intended answer of an exact pair sound alike, so the answer is
spoken once, in the reading of the literal one.
"""

from __future__ import annotations

from collections.abc import Sequence

from apun.errors import DataError, PhoneticError
from apun.phonetics.mandarin import numbered, readings
from apun.prompts import MAIN
from apun.readers.choice import STEMS
from apun.speech import Utterance
from benchmarks.x_riddles.homophony import han
from benchmarks.x_riddles.items import Riddle

WHOLE, CHOICES = "whole", "choices"


def utterances(item: Riddle, form: str) -> Sequence[Utterance]:
    """The riddle (``default``), or the riddle with its answer (``spoken``).

    The clip with four spoken options depends on the conditions; the task of matching has it.
    """
    return [whole_utterance(item)] if form == "spoken" else [riddle_utterance(item)]


def riddle_utterance(item: Riddle) -> Utterance:
    """The riddle alone."""
    return _utterance(item, MAIN, f"{item.riddle}。", item.riddle_pinyin)


def whole_utterance(item: Riddle) -> Utterance:
    """The riddle, a pause, and the answer, spoken once."""
    words = tuple(pair.literal for pair in item.pairs)
    text, pinyin = item.answer(literal=True)
    return _utterance(item, WHOLE, f"{item.riddle}——{text}。", _joined(item.riddle_pinyin, pinyin), words)


def choices_utterance(item: Riddle, options: Sequence[tuple[str, str]]) -> Utterance:
    """The riddle, then each option after its label 甲, 乙, 丙 or 丁.

    Args:
        item: the xiehouyu.
        options: text and pinyin of each option, in order; without pinyin it is read in context.
    """
    text, pinyin = f"{item.riddle}。", [item.riddle_pinyin or _read(item, item.riddle)]
    for stem, (option, reading) in zip(STEMS, options, strict=False):
        text += f"{stem}，{option}。"
        pinyin += [_read(item, stem), reading or _read(item, option)]
    return _utterance(item, CHOICES, text, " ".join(pinyin))


def _utterance(item: Riddle, part: str, text: str, pinyin: str, key_words: tuple[str, ...] = ()) -> Utterance:
    reading = spoken_tones(text, pinyin) if pinyin else ""
    return Utterance(
        item=item.id,
        text=text,
        language="zh",
        part=part,
        reading={"pinyin": reading} if reading else {},
        must_force=bool(reading),
        key_words=key_words,
    )


def _joined(*parts: str) -> str:
    return " ".join(parts) if all(parts) else ""


def _read(item: Riddle, text: str) -> str:
    try:
        return numbered(readings(text))
    except PhoneticError as error:  # a list's answer may hold letters or digits
        raise DataError(f"the option {text!r} cannot be read aloud", field=item.id, fix=str(error)) from error


def spoken_tones(text: str, pinyin: str) -> str:
    """Citation tones with 一 and 不 as they are said before the next syllable.

    不 is bú before a fourth tone; 一 is yí before a fourth and yì before any other tone, and yī at the
    end or in front of a neutral tone of counting. The third-tone rule is left to the voice.
    """
    syllables = pinyin.split()
    chars = han(text)
    if len(chars) != len(syllables):
        return pinyin
    for place, char in enumerate(chars[:-1]):
        following = syllables[place + 1][-1]
        if char == "不" and syllables[place] == "bu4" and following == "4":
            syllables[place] = "bu2"
        elif char == "一" and syllables[place] == "yi1" and following in "1234":
            syllables[place] = "yi2" if following == "4" else "yi4"
    return " ".join(syllables)
