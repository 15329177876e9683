"""Homophones that an explanation claims, and whether they are any.

A claim is two words that the text says sound alike: 「“书”与“输”谐音」. Words are taken where they are
quoted, where pinyin follows in parentheses, or where they stand bare on both sides of a joining word;
they are paired by the joining word and the cue (谐音, 同音, 读音相近, 听起来像, homophones …) around them. Each
claim is then judged by pinyin, whatever the text says about dialects: exact, tone differs, near, or
false - a hallucinated homophone (X-Riddles §5.2, Table 16).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apun.errors import PhoneticError
from apun.phonetics.pinyin import parse
from apun.readers.denials import negated
from benchmarks.x_riddles.homophony import Level, compare_words, han
from benchmarks.x_riddles.living import living_readings

_HAN = r"[\u3400-\u9fff\U00020000-\U0002fa1f]"
_PINYIN = r"[a-zA-ZüÜāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜɡńňǹḿ0-5\s'’·-]+"
_QUOTED = re.compile(rf"[“\"‘'「『《【]({_HAN}{{1,8}})[”\"’'」』》】](?:的)?(?:\s*[（(]\s*({_PINYIN})[^（）()]*[）)])?")
_WITH_PINYIN = re.compile(rf"({_HAN}{{1,8}})\s*[（(]\s*({_PINYIN})(?:[,，;；][^（）()]*)?[）)]")
_ALIKE = r"(?:相同|相近|相似|一样|接近|近似|类似|一致|相仿|雷同)"
_CUE = (
    rf"(?:谐音|同音|音同|音近|近音|近似|(?:读|发|字|声|语)?音(?:都|很|也|完全|十分|非常|几乎)*{_ALIKE}"
    r"|(?:听|读|念)(?:起来|上去|着)(?:很|就|都|十分|非常|几乎)*(?:像|如|是|跟|和|与|相)"
    r"|homophon\w*|sounds? (?:just |exactly |much )?(?:like|alike|the same|similar|identical)"
    r"|(?:are |is )?pronounced (?:the same|alike|similarly|identically|like)|pun(?:s|ning)? on)"
)
_JOIN = r"(?:与|和|跟|同|及|以及|、|/|／|→|⇒|:|：|谐|通|and|with|vs\.?|-)"
_M = "[\ue000-\uf8ff]"  # one private-use character stands for each word found
_ANY = "[^\ue000-\uf8ff]"
_FLOW = "[^\ue000-\uf8ff，。,；;]"  # text without a break: "“甲”和“乙”是亲戚，这里用了谐音" claims nothing of 甲 and 乙
_BREAK_BEFORE_SOUND = rf"{_FLOW}{{0,20}}[，,]{_FLOW}{{0,6}}?(?=(?:读|发|字)音)"
_FORWARD = re.compile(
    rf"({_M})({_ANY}{{0,30}}?{_JOIN}{_ANY}{{0,8}}?|{_FLOW}{{0,2}}?)({_M})({_FLOW}{{0,40}}?|{_BREAK_BEFORE_SOUND}){_CUE}",
    re.I,
)
_MIDDLE = re.compile(rf"({_M})({_ANY}{{0,28}}?)(?:{_CUE}|谐)([^\ue000-\uf8ff，。,（）()]{{0,6}})({_M})", re.I)
_BACKWARD = re.compile(
    rf"{_CUE}({_FLOW}{{0,8}}?|[，,](?:即|也就是|就是))({_M})({_FLOW}{{0,4}}?){_JOIN}({_FLOW}{{0,4}}?)({_M})", re.I
)
_BARE = re.compile(
    rf"({_HAN}{{1,4}})(?:与|和|跟|同|/|／|→)({_HAN}{{1,4}}?)(?:两字|两个字|二字)?(?:是|为|的|读音)?{_CUE}"
)
_BARE_AFTER = re.compile(rf"(?:谐音|同音)(?:字|词|双关)?\s*[:：]\s*({_HAN}{{1,4}})\s*[/／→、:：和与]\s*({_HAN}{{1,4}})")
_LONGEST = 20_000  # characters read; an explanation has about a thousand
_SENTENCE = re.compile(r"[。！？!?；;\n]+")


@dataclass(frozen=True, slots=True)
class Claim:
    """Two words said to sound alike.

    Attributes:
        first: one word.
        second: the other.
        level: how alike they really are; ``different`` is a false claim.
        misread: words whose stated pinyin is none of their readings.
    """

    first: str
    second: str
    level: Level
    misread: tuple[str, ...] = ()

    @property
    def false(self) -> bool:
        """Whether the homophony is hallucinated."""
        return self.level == "different"


def find_claims(text: str) -> tuple[Claim, ...]:
    """Every homophony claimed in a text, each pair once, in order of appearance."""
    found: dict[frozenset[str], Claim] = {}
    for sentence in sentences(text):
        for first, second, stated in _pairs(sentence):
            key = frozenset((first, second))
            if first != second and key not in found:
                found[key] = Claim(first, second, compare_words(first, second), _misread(stated))
    return tuple(found.values())


def has_cue(text: str) -> bool:
    """Whether a text speaks of homophony at all."""
    return re.search(_CUE, text[:_LONGEST], re.I) is not None


def sentences(text: str) -> list[str]:
    """Sentences of a text, as claims are looked for in."""
    return [part for part in _SENTENCE.split(text[:_LONGEST]) if part.strip()]


def _pairs(sentence: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    marked, words, stated = _mark(sentence)
    for match in _FORWARD.finditer(marked):
        if not negated(match.group(4)):
            yield words[match.group(1)], words[match.group(3)], stated
    for match in _MIDDLE.finditer(marked):
        if not negated(match.group(2)):
            yield words[match.group(1)], words[match.group(4)], stated
    for match in _BACKWARD.finditer(marked):
        if not negated(marked[max(0, match.start() - 4) : match.start()]):
            yield words[match.group(2)], words[match.group(5)], stated
    for bare in _BARE.finditer(marked):
        first, second = bare.groups()
        # Homophones are as long as each other: what stands before the first is no part of it.
        yield first[-len(second) :], second, stated
    for bare in _BARE_AFTER.finditer(marked):
        yield bare.group(1), bare.group(2), stated


def _mark(sentence: str) -> tuple[str, dict[str, str], dict[str, str]]:
    """The sentence with each word replaced by one private-use character; words; stated pinyin by word."""
    words: dict[str, str] = {}
    stated: dict[str, str] = {}

    def token(word: str, pinyin: str | None) -> str:
        mark = chr(0xE000 + len(words) % 0x1800)
        words[mark] = word
        if pinyin and pinyin.strip():
            stated[word] = pinyin.strip()
        return mark

    def quoted(match: re.Match[str]) -> str:
        return token(match.group(1), match.group(2))

    def with_pinyin(match: re.Match[str]) -> str:
        run, pinyin = match.group(1), match.group(2)
        size = _syllables(pinyin)
        if not size or size > len(run):
            return match.group()
        return run[: len(run) - size] + token(run[-size:], pinyin)

    sentence = re.sub("[\ue000-\uf8ff]", "", sentence)
    return _WITH_PINYIN.sub(with_pinyin, _QUOTED.sub(quoted, sentence)), words, stated


def _syllables(pinyin: str) -> int:
    try:
        return len(parse(pinyin))
    except PhoneticError:
        return 0


def _misread(stated: dict[str, str]) -> tuple[str, ...]:
    wrong = []
    for word, pinyin in stated.items():
        try:
            said = parse(pinyin)
        except PhoneticError:
            continue
        chars = han(word)
        if len(said) != len(chars):
            continue
        letters = [{reading.letters for reading in living_readings(char)} for char in chars]
        if any(syllable.letters not in known for syllable, known in zip(said, letters, strict=True) if known):
            wrong.append(word)
    return tuple(wrong)
