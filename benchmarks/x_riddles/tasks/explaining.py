"""Experiment 2: explain why a riddle means what it means (X-Riddles §5).

Checked by machine: whether the gold homophones are named, and whether each homophony that the
explanation claims is one. Understanding and quality are rated by people (``ratings``).

A claim is two words that the text says sound alike: 「“书”与“输”谐音」. Words are taken where they are
quoted, where pinyin follows in parentheses, or where they stand bare on both sides of a joining word;
they are paired by the joining word and the cue (谐音, 同音, 读音相近, 听起来像, homophones …) around them. Each
claim is then judged by pinyin, whatever the text says about dialects: exact, tone differs, near, or
false - a hallucinated homophone (X-Riddles §5.2, Table 16).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apun.asking import Case, Plan, item_of
from apun.errors import PhoneticError
from apun.phonetics.mandarin.pinyin import marked, parse
from apun.prompts import MAIN
from apun.readers.denials import negated
from apun.readers.thinking import answer_of
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Conditions, Question, ratio
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.homophony import LEVELS, Level, compare_words, han, living_readings
from benchmarks.x_riddles.items import Riddle
from benchmarks.x_riddles.speaking import WHOLE, riddle_utterance, whole_utterance
from benchmarks.x_riddles.tasks import FORM, PROMPTS, SPLITS, changed, labels_of, prompt_file, suffix

NAME = "xriddles.explaining"
VERDICTS = {"same": "exact", "tone": "tone", "near": "near", "different": "false"}
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


def _cases(items: Sequence[Riddle], conditions: Conditions, variant: str) -> Iterator[Case]:
    """One question an item. The answer is given as text; with ``form=spoken`` it is in the recording."""
    spoken = changed(FORM, conditions)
    for item in items:
        yield Case(
            item,
            prompt_file("explaining", conditions),
            {"answer": item.intended},
            suffix(conditions),
            wording=variant + "_spoken" * spoken,
            clips={MAIN: WHOLE if spoken else MAIN},
            texts={MAIN: f"{item.riddle}——{item.intended}" if spoken else item.riddle},
        )


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


def score(question: Question, reply: Reply) -> Score:
    """Whether the gold pair is named, and how many claimed homophonies are false."""
    item = item_of(question, Riddle)
    text = reply.read(lambda said: answer_of(said).strip() or None)
    claims = find_claims(text) if text else ()
    homophonic = item.type == "homophonic"
    named = text is not None and homophonic and names_pair(text, item, claims)
    false = sum(claim.false for claim in claims)
    return Score.of(
        question,
        reply,
        None if text is None else [[claim.first, claim.second, VERDICTS[claim.level]] for claim in claims],
        {
            "homophonic": float(homophonic),
            "named": float(named),
            "claims": float(len(claims)),
            "false": float(false),
            "any_false": float(false > 0),
            "near": float(sum(claim.level == "near" for claim in claims)),
            "length": float(len(reply.answer or "")),
        },
        labels_of(item),
        riddle=item.riddle,
        answer=item.intended,
        named=named if homophonic else None,
        gold=[[pair.literal, pair.intended, pair.match] for pair in item.pairs],
        misread=sorted({word for claim in claims for word in claim.misread}),
        length=len(reply.answer or ""),
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


def perfect(question: Question) -> str:
    """Names the gold pairs with their pinyin; for the other types, how the answer is meant."""
    item = item_of(question, Riddle)
    if not item.pairs:
        return f"“{item.riddle}”按意思引到“{item.intended}”，靠的是词义，不靠读音。"
    named = "，".join(
        f"“{pair.literal}”（{marked(parse(pair.literal_pinyin))}）与“{pair.intended}”（{marked(parse(pair.intended_pinyin))}）谐音"
        for pair in item.pairs
    )
    return f"从“{item.riddle}”先想到“{item.literal}”。{named}。所以真正说的是“{item.intended}”。"


METRICS = (
    ratio("named", "homophone named", "named", "homophonic"),
    ratio("false_claims", "claims false", "false", "claims", higher_is_better=False),
    ratio("any_false", "with a false claim", "any_false", higher_is_better=False),
    ratio("length", "characters", "length", percent=False, higher_is_better=None),
    *(ratio(f"named_{split}", f"named, {split}", "named", "homophonic", where={"split": split}) for split in SPLITS),
)
TASK = Plan(NAME, PROMPTS, _cases, lambda item, conditions: [riddle_utterance(item), whole_utterance(item)]).as_task(
    "Explain a xiehouyu (Experiment 2); claimed homophones verified by pinyin",
    score,
    METRICS,
    solver.explain,
    perfect,
    max_new_tokens=512,
)
