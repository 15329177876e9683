"""Answers in what a model wrote: read as a careful person would, or not at all.

The last JSON object with a known key decides, as in the released code, but only the answer is
searched, never the thinking. Where there is no such object, a plainly marked answer ("答案是B",
"the answer is **C**") or a reply that is nothing but an answer is accepted. Everything else is None:
unparsed. No function guesses.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Sequence
from typing import Any

from apun.errors import PhoneticError
from apun.phonetics.mandarin import NEUTRAL, Syllable, is_han, parse
from benchmarks.phun_bench.items import LETTERS
from benchmarks.phun_bench.objects import answer_text, objects

_ANSWER_KEYS = ("answer", "final answer", "答案", "回答", "最终答案", "结果", "result", "output")
KEYS = {
    "pinyin": (*_ANSWER_KEYS, "pinyin", "拼音", "读音"),
    "word": (*_ANSWER_KEYS, "word", "idiom", "成语", "词语", "词", "原词"),
    "chars": (*_ANSWER_KEYS, "characters", "chars", "汉字", "字", "同音字"),
    "line": (*_ANSWER_KEYS, "line", "sentence", "lyric", "歌词", "句子"),
    "choice": (*_ANSWER_KEYS, "choice", "option", "选项", "选择"),
    "pun": ("pun word", "pun_word", "pun", "谐音词", "双关词"),
    "original": ("alternative word", "alternative_word", "alternative", "original word", "original", "原词", "本词"),
}
_EDGES = " \t\r\n\"'“”‘’「」『』《》〈〉【】（）()[]*_`#~。．.，,！!？?；;：:、…"
_MARKER = re.compile(
    r"(?:最终答案|正确答案|正确选项|答案|回答|结果|应该是|应当是|(?<![不别勿能])选(?![项自中])|"
    r"(?:the\s+)?(?:final\s+|correct\s+|right\s+|best\s+)?answer|(?:correct|right|best)\s+(?:choice|option)|"
    r"i(?:'d|\s+would)?\s+(?:choose|pick|select|go\s+with|going\s+with))"
    r"\s*(?:应该|应当|就)?\s*(?:是|为|选|is|would\s+be|should\s+be)?\s*[:：]?\s*(?:选择|选项|option\b|choice\b)?\s*",
    re.IGNORECASE,
)
_ORDINALS = (("1", "一", "first"), ("2", "二", "second"), ("3", "三", "third"), ("4", "四", "fourth"))
_ORDINAL = re.compile(
    r"(?:第|the\s+)?(" + "|".join(name for names in _ORDINALS for name in names) + r")(?:[个個]?词?|\s+(?:word|one))?",
    re.IGNORECASE,
)
_REASONS = frozenset(("because", "since", "as", "which", "with", "for"))
_REFUSAL = re.compile(
    r"抱歉|对不起|不知道|不清楚|听不清|没有答案|无法(?:回答|确定|判断|识别|完成|提供|理解)|不能(?:回答|确定)|作为.{0,6}(?:模型|助手)"
)
_FEW, _NEAR, _PROSE = 8, 200, 20_000  # a run-away reply must cost neither minutes nor gigabytes
_FENCE = re.compile(r"```[a-zA-Z]*\n?|```")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip(_EDGES)


def keyed(text: str, kind: str) -> Any:
    """The value of a known key in the last object that has one; None where there is none."""
    wanted = KEYS[kind]
    for found in reversed(objects(answer_text(text))):
        by_name = {_name(key): value for key, value in found.items()}
        for key in wanted:
            if key in by_name:
                return by_name[key]
    return None


def _name(key: str) -> str:
    return unicodedata.normalize("NFKC", key).strip().lower()


def _prose(text: str) -> str:
    """The answer without code fences; empty where it holds an object (which then had no usable answer)."""
    answer = answer_text(text)
    return "" if objects(answer) else _FENCE.sub("", answer[-_PROSE:]).strip()


def _marked(text: str) -> list[str]:
    """What follows each of the last few "the answer is", to the end of its line, last first."""
    ends = deque((match.end() for match in _MARKER.finditer(text)), maxlen=_FEW)
    return [text[end : end + _NEAR].split("\n", 1)[0] for end in reversed(ends)]


def choice(text: str, options: Sequence[str]) -> int | None:
    """The chosen option, 0 to 3; by letter, or by the option's own text."""
    value = keyed(text, "choice")
    if value is not None:
        return _option(value, options) if isinstance(value, str) else None
    prose = unicodedata.normalize("NFKC", _prose(text))
    whole = _option(prose, options)
    if whole is not None:
        return whole
    for rest in _marked(prose):
        found = _leading_letter(rest)
        if found is None:
            found = _option(rest, options)
        if found is not None:
            return found
    lines = [line for line in prose.split("\n") if line.strip()]
    # The last of the options said over again, or the last of several letters, is no choice of it.
    if len(lines) < 2 or _option(lines[-2], options) not in (None, _option(lines[-1], options)):
        return None
    return _option(lines[-1], options)


def _leading_letter(rest: str) -> int | None:
    """The letter that a marked answer starts with; the article of "the answer is a matter of …" is none."""
    found = re.match(r"[\s*_`\"'“‘「【(\[]*([A-Da-d])(?![A-Za-z'’])", rest)
    if not found:
        return None
    following = re.match(r"\s+([A-Za-z]+)", rest[found.end() :])
    if following and (found[1].islower() or (found[1] == "A" and following[1].lower() not in _REASONS)):
        return None
    return LETTERS.index(found[1].upper())


def _option(value: str, options: Sequence[str]) -> int | None:
    """``B``, ``(b)``, ``B. 提升``, ``选项B``, ``Option C``, ``B，因为…`` or an option's text, standing alone."""
    bare = _plain(unicodedata.normalize("NFKC", value))
    bare = _plain(re.sub(r"^(?:选项|选|option|choice)\s*", "", bare, flags=re.IGNORECASE))
    if bare in options:
        return list(options).index(bare)
    ordinal = _ORDINAL.fullmatch(bare)
    if ordinal:
        return next(place for place, names in enumerate(_ORDINALS) if ordinal[1].lower() in names)
    found = re.fullmatch(r"([A-Da-d])(?:[\s.、:,)\]*_-]+(.*))?", bare, flags=re.DOTALL)
    if not found:
        return None
    place, said = LETTERS.index(found[1].upper()), _plain(found[2] or "")
    if not said or said == options[place] or re.match(r"因为|because\b|since\b", said):
        return place
    return None  # "B. 提升" where 提升 is another option contradicts itself; "A word …" is prose


def pinyin(text: str) -> tuple[Syllable, ...] | None:
    """The pinyin answered."""
    value = keyed(text, "pinyin")
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = " ".join(value)
    if value is not None:
        return _syllables(value) if isinstance(value, str) else None
    prose = _prose(text)
    for candidate in (prose, *_marked(prose), prose.rsplit("\n", 1)[-1]):
        found = _syllables(candidate)
        if found and (len(found) == 1 or any(syllable.tone != NEUTRAL for syllable in found)):
            return found  # English words can spell toneless syllables; a run of them is no pinyin
    return None


def _syllables(value: str) -> tuple[Syllable, ...] | None:
    if len(value) > 10 * _NEAR:
        return None
    bare = re.sub(r"[，,、;；]", " ", _plain(value))
    try:
        return parse(bare)
    except PhoneticError:
        return None


def word(text: str, length: int | None = None) -> str | None:
    """The word answered, without its punctuation; of ``length`` characters when it stands in prose."""
    value = keyed(text, "word")
    if value is not None:
        return _han_only(value) if isinstance(value, str) else None
    return _word_in_prose(_prose(text), length)


def _han_only(value: str) -> str | None:
    """A text of Chinese characters with nothing but punctuation around and between them; else None."""
    if _REFUSAL.search(value):
        return None
    folded = unicodedata.normalize("NFKC", value)
    if any(char.isalnum() and not is_han(char) for char in folded):
        return None
    return "".join(char for char in folded if is_han(char)) or None


def _word_in_prose(prose: str, length: int | None) -> str | None:
    whole = _han_only(prose) if "\n" not in prose else None
    if whole and (len(whole) == length or (length is None and len(whole) <= 12)) and not _sentence(prose):
        return whole
    for rest in _marked(prose):
        found = _quoted(rest) or _han_only(re.split(r"[。，,；;！!\n（(]", rest.strip(" \t"), maxsplit=1)[0])
        if found and (length is None or len(found) == length):
            return found
    return None


def _sentence(prose: str) -> bool:
    return bool(re.search(r"[，,；;：:]", prose.strip(_EDGES)))


def _quoted(text: str) -> str | None:
    found = re.match(r"\s*(?:\*\*|[「『《“\"'‘【])([^」』》”\"'’】*]+)(?:\*\*|[」』》”\"'’】])", text)
    return _han_only(found[1]) if found else None


def chars(text: str) -> list[str] | None:
    """The characters answered, in order; entries that are no single character are kept as they are."""
    value = keyed(text, "chars")
    if isinstance(value, str):
        value = _split(value)
    if value is not None:
        if not isinstance(value, list) or not value or not all(isinstance(entry, str) for entry in value):
            return None
        return [entry.strip() for entry in value]
    prose = _prose(text)
    for candidate in (prose, *_marked(prose)):
        found = re.findall(r"\[[^\[\]]*\]", candidate)
        if found:
            entries = _split(found[-1])
        elif "\n" not in candidate.strip() and not re.search(r"[^\s，,、\"'“”。.]{2}", candidate):
            entries = _split(candidate)
        else:
            continue
        if entries and all(len(entry) == 1 and is_han(entry) for entry in entries):
            return entries
    return None


def _split(value: str) -> list[str]:
    """Entries of a list that was written as text; five characters run together are five entries."""
    bare = value.strip(_EDGES)
    entries = [entry for entry in re.split(r"[\s,，、;；/|\"'“”‘’]+", bare) if entry]
    return list(bare) if len(entries) == 1 and all(map(is_han, bare)) else entries


def line(text: str) -> str | None:
    """The line of verse answered."""
    value = keyed(text, "line")
    if value is not None:
        return value.strip() if isinstance(value, str) and any(map(is_han, value)) else None
    prose = _prose(text)
    for candidate in (*_marked(prose), prose):
        candidate = candidate.strip()
        if candidate and "\n" not in candidate and _is_verse(candidate):
            return candidate
    return None


def _is_verse(text: str) -> bool:
    """Chinese characters and punctuation only, and not a refusal."""
    foreign = any(char.isalnum() and not is_han(char) for char in text)
    return any(map(is_han, text)) and not foreign and not _REFUSAL.search(text)


def pun(text: str) -> tuple[str, str] | None:
    """The pun word and the word it stands for; either may be empty where the model left it so."""
    answer = answer_text(text)
    for found in reversed(objects(answer)):
        by_name = {_name(key): value for key, value in found.items()}
        pair = [next((by_name[key] for key in KEYS[kind] if key in by_name), None) for kind in ("pun", "original")]
        if any(value is not None for value in pair):
            texts = [value if isinstance(value, str) else "" for value in pair]
            return _plain(texts[0]), _plain(texts[1])
    if objects(answer):
        return None
    answer = answer[-_PROSE:]
    first = _labelled(answer, r"谐音词|双关词|pun\s*word|pun")
    second = _labelled(answer, r"原词|本词|原来的词|alternative\s*word|original\s*word|original")
    return (first, second) if first and second else None


def _labelled(text: str, label: str) -> str | None:
    found = re.findall(rf"(?:{label})\W{{0,4}}?\s*(?:是|为|is)?\s*[:：]?\s*([^\n；;,，。]+)", text, flags=re.IGNORECASE)
    return (_han_only(found[-1]) if found else None) or None
