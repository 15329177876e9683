"""The solver: every task answered by rule from a transcript, as perfect use of its sounds would.

It knows the words of jieba and pypinyin and nothing of the gold answers. Where the transcript is not what
was said (a recogniser wrote other characters), it still goes by their sound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from apun import asking
from apun.errors import PhoneticError
from apun.phonetics.mandarin import Syllable, han, marked, match, numbered, parse, readings, similarity_type
from apun.prompts import MAIN, Prompt
from benchmarks.phun_bench import lexicon, rhyme
from benchmarks.phun_bench.items import LETTERS, Reading
from benchmarks.phun_bench.speaking import WHOLE, WORDS

_SHARED = {"T0": 0, "T1": 1, "T2": 1, "T3": 1, "T4": 2, "T5": 2, "T6": 2, "T7": 3}  # L_sim, Figure 1b
_COST = {"same": 0, "tone": 1, "near": 2, "different": 5}
_LONGEST_PUN, _SHORTEST_PUN = 8, 2
_WHOLE = re.compile(r"词是\W*(.+?)\W*第一[个個]\W*(.+?)\W*第二[个個]\W*(.+?)\W*第三[个個]\W*(.+?)\W*第四[个個]\W*(.+)")
_SYLLABLES = re.compile(r"音[节節]是\W*(.+)")


def as_json(**answer: object) -> str:
    """An answer in the form that the prompts ask for."""
    return json.dumps(answer, ensure_ascii=False)


def heard(prompt: Prompt, part: str = MAIN) -> str:
    """What was heard (or read) in a part of the question."""
    return asking.heard(prompt, part) or ""


def char2pinyin(prompt: Prompt) -> str:
    """The usual reading of the (first) character."""
    char = han(heard(prompt))[:1]
    if not char:
        raise PhoneticError(f"{heard(prompt)!r} holds no Chinese character")
    return as_json(answer=readings(char)[0].pinyin)


def word2pinyin(prompt: Prompt) -> str:
    """The readings of the characters, in context."""
    word = prompt.fields.get("word") or han(heard(prompt))
    return as_json(answer=marked(lexicon.citation(str(word), readings(str(word)))))


def chars_of_sound(prompt: Prompt) -> str:
    """Five common characters of the sound, without the one that was shown."""
    shown = han(heard(prompt))[:1]
    sound = str(prompt.fields["pinyin"]) if "pinyin" in prompt.fields else lexicon.usual(shown)
    found = lexicon.chars_by_sound().get(numbered(parse(sound)), ())
    return as_json(answer=[char for char in found if char != prompt.fields.get("query")][:5])


def pinyin2word(prompt: Prompt) -> str:
    """The commonest word of the sound, or the longest words that make it up."""
    return as_json(answer=spell(parse(re.sub(r"[，,]", " ", str(prompt.fields["pinyin"])))))


def homophone_recall(prompt: Prompt) -> str:
    """The chengyu that sounds the same, else the one that sounds closest."""
    text = heard(prompt) or heard(prompt, WHOLE)
    found = _SYLLABLES.search(text)
    reading = readings(han(found[1] if found else text))
    same = [word for word in lexicon.words_by_sound().get(numbered(reading), ()) if word != han(text)]
    return as_json(answer=same[0] if same else closest_idiom(reading))


def contextual_homophone(prompt: Prompt) -> str:
    """The longest stretch that is no word itself and sounds like one."""
    text = heard(prompt)
    pun, meant = find_pun(text)
    return as_json(**{"pun word": pun, "alternative word": meant})


def rhyming(count: int) -> Callable[[Prompt], str]:
    """A line that rhymes in its last ``count`` syllables."""

    def solve(prompt: Prompt) -> str:
        reference = heard(prompt)
        end = rhyme.ending(reference)
        if end is None:
            raise PhoneticError(f"{reference!r} does not end in Chinese characters")
        return as_json(answer=rhyme.compose(reference, end.groups[-2:], min(count, len(end.groups))))

    return solve


def similarity(prompt: Prompt) -> str:
    """The candidate whose syllables share most with the word's: initial, final class, tone."""
    if heard(prompt, WHOLE):
        found = _WHOLE.search(heard(prompt, WHOLE))
        if not found:
            raise PhoneticError("the transcript does not hold a word and four candidates")
        words = list(found.groups())
    else:
        words = [heard(prompt, part) for part in WORDS]
    reference, *candidates = (_syllables(word) for word in words)
    shares = [_share(reference, candidate) for candidate in candidates]
    return as_json(answer=LETTERS[shares.index(max(shares))])


def _syllables(text: str) -> Reading:
    """A word as its dictionary reads it, else in context; pinyin as it is."""
    word = han(text)
    if not word:
        return parse(text)
    known = lexicon.phrases().get(word)
    return parse(known) if known else readings(word)


def _share(a: Reading, b: Reading) -> float:
    """Shared features; the exact final breaks ties between candidates of one class."""
    pairs = list(zip(a, b, strict=False))
    exact = sum(x.final == y.final for x, y in pairs)
    return sum(_SHARED[similarity_type(x, y)] for x, y in pairs) + exact / 100 - abs(len(a) - len(b))


def spell(reading: Reading) -> str:
    """The fewest, then commonest words that make up a sound; characters where no word does."""
    words, chars = lexicon.words_by_sound(), lexicon.chars_by_sound()
    sounds = [syllable.numbered for syllable in reading]
    best: list[tuple[int, str]] = [(0, "")]
    for stop in range(1, len(sounds) + 1):
        options = []
        for start in range(max(0, stop - lexicon.LONGEST), stop):
            known = (words if stop - start > 1 else chars).get(" ".join(sounds[start:stop]))
            if known:
                options.append((best[start][0] + 1, best[start][1] + known[0]))
        best.append(min(options, key=lambda option: option[0], default=(best[-1][0] + 1, best[-1][1])))
    return best[-1][1]


def find_pun(text: str) -> tuple[str, str]:
    """A stretch that is no known word, and the known word of its sound; empty texts where there is none."""
    chars = han(text)
    sounds = _aligned(text)
    words = lexicon.words_by_sound()
    for size in range(min(_LONGEST_PUN, len(chars)), _SHORTEST_PUN - 1, -1):
        for start in range(len(chars) - size + 1):
            stretch = chars[start : start + size]
            known = words.get(" ".join(sounds[start : start + size]), ())
            if known and stretch not in known and stretch in text:
                return stretch, known[0]
    return "", ""


def _aligned(text: str) -> list[str]:
    """One sound a Chinese character, read in context, whatever else stands between them."""
    found: list[str] = []
    for part in re.split(r"[^\u3007\u3400-\u9fff\U00020000-\U0003ffff]+", text):
        if part:
            found += [syllable.numbered for syllable in readings(part)]
    return found


@lru_cache(maxsize=1)
def _idioms() -> Mapping[tuple[int, str], list[tuple[str, Reading]]]:
    """Chengyu by (place, syllable without its tone)."""
    found: dict[tuple[int, str], list[tuple[str, Reading]]] = {}
    for entry in lexicon.entries():
        if len(entry.word) != 4 or entry.part != "i":
            continue
        reading = parse(lexicon.word_sound(entry.word)) if lexicon.word_sound(entry.word) else ()
        for place, syllable in enumerate(reading):
            found.setdefault((place, syllable.letters), []).append((entry.word, reading))
    return found


def closest_idiom(reading: Iterable[Syllable]) -> str:
    """The chengyu closest in sound among those that agree in two syllables but for the tone; empty where none does."""
    syllables = tuple(reading)
    agreeing: dict[str, list[Reading]] = {}
    for place, syllable in enumerate(syllables[:4]):
        for word, own in _idioms().get((place, syllable.letters), ()):
            agreeing.setdefault(word, []).append(own)
    costs = {
        word: sum(_COST[match(a, b)] for a, b in zip(syllables, owns[0], strict=False))
        for word, owns in agreeing.items()
        if len(owns) > 1
    }
    return min(costs, key=lambda word: costs[word], default="")
