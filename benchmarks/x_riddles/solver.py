"""The deterministic reasoner: homophones by rule, and the one that goes best with the riddle.

All it knows of the world is which characters stand in words together. The strength of two characters is their
positive pointwise mutual information over the common words of the lexicon, each word counted by its frequency.
A phonetic rule cannot know the world, so what it reaches is a floor and no ceiling.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from apun.asking import heard
from apun.errors import PhoneticError
from apun.phonetics.mandarin import is_han, readings
from apun.phonetics.mandarin.pinyin import Syllable, parse
from apun.prompts import Prompt
from apun.readers.choice import LETTERS
from benchmarks.x_riddles.homophony import compare_chars, compare_words, han, living_readings
from benchmarks.x_riddles.lexicon import RARE, common_words_with, commonest_writing, counts

_SMOOTHING = 200.0  # added to a character's count, so that rare characters are not linked by one word


@dataclass(frozen=True, slots=True)
class Link:
    """A homophone that an answer may hide.

    Attributes:
        place: character of the answer.
        printed: the character there.
        hidden: another character that sounds like it (tone apart, at most).
        strength: how strongly the hidden character goes with the riddle.
    """

    place: int
    printed: str
    hidden: str
    strength: float

    def put_into(self, answer: str) -> str:
        """The answer with the hidden character in the printed one's place."""
        return answer[: self.place] + self.hidden + answer[self.place + 1 :]


def match(prompt: Prompt) -> str:
    """Matching: the option that hides the homophone which goes best with the riddle."""
    choices: list[str] = prompt.fields["choices"]
    riddle = riddle_part(heard(prompt) or "")
    links = [hidden_homophone(riddle, option) for option in choices]
    strengths = [link.strength if link else 0.0 for link in links]
    return LETTERS[strengths.index(max(strengths))]


def explain(prompt: Prompt) -> str:
    """Explaining: names the homophone of one of the answer's characters that goes best with the riddle."""
    answer = str(prompt.fields["answer"])
    riddle = riddle_part(heard(prompt) or "")
    link = hidden_homophone(riddle, answer)
    if link is None:
        return f"“{answer}”按字面就能从“{riddle}”想到。"
    literal = link.put_into(answer)
    return f"“{link.hidden}”与“{link.printed}”谐音。从“{riddle}”想到的是“{literal}”，说的是“{answer}”。"


def read_both_ways(prompt: Prompt) -> str:
    """Both readings: the likeliest writing of the sound is what is meant; its homophone that goes with the riddle is
    literal."""
    riddle, answer = riddle_and_answer(heard(prompt) or "")
    intended = commonest_writing(_sounds(answer)) or han(answer) or riddle
    link = hidden_homophone(riddle, intended)
    return f"字面：{link.put_into(intended) if link else intended}\n实际：{intended}"


def create(prompt: Prompt) -> str:
    """Creating: a common word with the seed's intended word, and the literal word put in its place.

    The riddle names the word that goes best with the literal one. It is complete and homophonic; whether
    it is reasonable is another matter, which is what the human ratings are for.
    """
    fields = prompt.fields
    literal, intended = str(fields["seed_homophones"]).split("，")[0].split("/")
    shown = {str(fields["seed_intended"]), str(fields["model_intended"])}
    words = [word for word in common_words_with(intended) if word not in shown and literal not in word]
    about = [
        word for word in common_words_with(literal) if not set(literal + intended) & set(word.replace(literal, ""))
    ]
    about.sort(key=lambda word: (-association(literal[0], word), word))
    topic = about[0].replace(literal, "") if about else "手"
    alike = compare_words(literal, intended) in ("same", "tone")
    answers = (words[0].replace(intended, literal, 1), words[0]) if words and alike else (literal, intended)
    riddle = f"{topic}铺子开到家门口"
    return creation(riddle, *answers, (literal, intended), "说的是", f"这可真是{riddle}——{answers[1]}。")


def creation(riddle: str, literal: str, intended: str, pair: tuple[str, str], means: str, example: str) -> str:
    """A created xiehouyu as a model would write it."""
    return (
        f"前半句：{riddle}\n字面后半句：{literal}\n实际后半句：{intended}\n谐音：{'/'.join(pair)}\n"
        f"解释：“{pair[0]}”与“{pair[1]}”谐音，{means}{intended}。\n例句：{example}"
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


def _sounds(answer: str) -> tuple[Syllable, ...]:
    try:
        return readings(han(answer)) if any(map(is_han, answer)) else parse(answer)
    except PhoneticError:
        return ()


def hidden_homophone(riddle: str, answer: str) -> Link | None:
    """The homophone of one of the answer's characters that goes best with the riddle.

    Characters of the riddle itself are left out: a good xiehouyu does not print its homophone.
    """
    best: Link | None = None
    for place, char in enumerate(answer):
        for hidden in homophones(char):
            if hidden in riddle:
                continue
            link = Link(place, char, hidden, association(hidden, riddle))
            if best is None or link.strength > best.strength:
                best = link
    return best


def association(char: str, riddle: Iterable[str]) -> float:
    """Sum of a character's mutual information with each distinct character of the riddle."""
    return sum(_linked(other).get(char, 0.0) for other in sorted(set(riddle)) if is_han(other))


@lru_cache(maxsize=16_384)
def homophones(char: str) -> tuple[str, ...]:
    """Other common characters with a reading that differs in tone at most, in code-point order."""
    sounds = {syllable.letters for syllable in living_readings(char)}
    near = sorted({other for sound in sounds for other in _by_sound().get(sound, ())})
    return tuple(other for other in near if other != char and compare_chars(char, other) in ("same", "tone"))


@lru_cache(maxsize=1)
def _by_sound() -> Mapping[str, tuple[str, ...]]:
    """Common characters by the toneless spelling of their first reading."""
    found: dict[str, list[str]] = {}
    for char, count in _totals().items():
        readings = living_readings(char)
        if readings and count >= _SMOOTHING:
            found.setdefault(readings[0].letters, []).append(char)
    return {sound: tuple(chars) for sound, chars in found.items()}


@lru_cache(maxsize=1)
def _words() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Common words with their counts, by each character in them."""
    found: dict[str, list[tuple[str, int]]] = {}
    for word, count in counts().items():
        if 1 < len(word) <= 4 and count >= RARE:
            for char in set(word):
                found.setdefault(char, []).append((word, count))
    return {char: tuple(rows) for char, rows in found.items()}


@lru_cache(maxsize=1)
def _totals() -> Mapping[str, float]:
    return {char: sum(count for _, count in rows) for char, rows in _words().items() if is_han(char)}


@lru_cache(maxsize=8_192)
def _linked(char: str) -> Mapping[str, float]:
    """Positive mutual information of one character with every character it shares a word with."""
    together: Counter[str] = Counter()
    for word, count in _words().get(char, ()):
        for other in set(word) - {char}:
            together[other] += count
    totals = _totals()
    everything = _everything()
    own = totals.get(char, 0.0) + _SMOOTHING
    return {
        other: math.log(joint * everything / (own * (totals.get(other, 0.0) + _SMOOTHING)))
        for other, joint in together.items()
        if joint * everything > own * (totals.get(other, 0.0) + _SMOOTHING)
    }


@lru_cache(maxsize=1)
def _everything() -> float:
    return sum(_totals().values())
