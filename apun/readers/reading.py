"""The reading a reply gives: pinyin, or the kana of a Japanese word or kanji (also as romaji, or beside the kanji)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apun.errors import PhoneticError
from apun.phonetics.japanese import from_romaji, is_kana, normalise
from apun.phonetics.mandarin import NEUTRAL, Syllable, parse
from apun.readers import denials, rules, text
from apun.readers.one import Parsed, one, only
from apun.readers.text import bare

KANA = "ぁ-ゖァ-ヺーゝゞヽヾ"
KANJI = "㐀-鿿𠀀-𪛟々〆"
_LONGEST = 80
_SIDE = re.compile(rf"([{KANA}]+)\s*[/,、-]?\s*([a-zāīūēōâîûêô'’-]+)", re.IGNORECASE)
_NOTED = re.compile(r"([^()]+?)\s*\(\s*([^()]+?)\s*\)")
_IN_QUOTES = re.compile(
    r"[「『\"“*]+([^「」『』\"“”*]+)[」』\"”*]+(?:です|だ|になります|となります|と(?:読|よ)みます)?[。.!]?"
)
_POLITE = re.compile(
    r"(?:と(?:読|よ)(?:みます|む|みました)?|です(?:ね|よ)?|でしょう|になります|となります|と(?:い|言)います)$"
)


def without_politeness(kana: str) -> str:
    """Kana without a trailing です or と読みます."""
    return _POLITE.sub("", kana) or kana


def word_in(piece: str) -> tuple[str, ...]:
    """The kana a short piece stands for: kana as they are, or romaji; empty when it is neither or several words.

    Kana followed by its romaji, by its kanji in brackets, or by one in brackets of the other (``はつめい(発明)``,
    ``発明(はつめい)``, ``かく / kaku``) is one word. Romaji may stand for several kana spellings.
    """
    if len(piece) > _LONGEST:
        return ()
    inner = _IN_QUOTES.fullmatch(piece.strip())
    piece = without_politeness(bare(inner[1] if inner else piece))
    if is_kana(piece):
        return (normalise(piece),)
    side = _SIDE.fullmatch(piece)
    if side:
        return (normalise(side[1]),) if normalise(side[1]) in romaji(side[2]) else ()
    noted = _NOTED.fullmatch(piece)
    return _with_note(bare(noted[1]), bare(noted[2])) if noted else romaji(piece)


def _with_note(head: str, note: str) -> tuple[str, ...]:
    spelled = romaji(note)
    if is_kana(head):
        # a gloss in another script confirms; another reading in the brackets would be a second answer
        second = is_kana(note) or (spelled and normalise(head) not in spelled)
        return () if second else (normalise(head),)
    if is_kana(note) and re.fullmatch(rf"[{KANJI}{KANA}]+", head):
        return (normalise(note),)
    return romaji(head) if is_kana(note) and normalise(note) in romaji(head) else ()


def romaji(piece: str) -> tuple[str, ...]:
    """Kana of a single romaji word that is no common English word."""
    piece = piece.strip(" .,!?\"'")
    if not piece or " " in piece or rules.pattern("{english}").fullmatch(piece):
        return ()
    return from_romaji(piece)


_LONGEST_PINYIN = 2_000
_LONGEST_LIST = 200  # characters of a list of words
_BESIDE = re.compile(r"(?:[\u3400-\u9fff,、;。()\[\]\"“”「」|→]|(?<!u):)+")
_LATIN = re.compile(r"(?:[^\W\d_\u3400-\u9fff]|u:)+[0-5]?")
_TONED = re.compile(
    r"(?<![^\W\u3400-\u9fff])(?=[a-zü:]{0,7}(?:[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ]|[1-5]))(?:[^\W\d_\u3400-\u9fff]|u:){1,7}[1-5]?(?!\w)",
    re.IGNORECASE,
)
_LIST = r"\s*(?:[、,・/|;=→]|->|{either}|\band\b|(?<=[ぁ-ゖ])か(?=\s))\s*"
_TIED = (
    r"\s*(?:という(?:漢)?字)?(?:の(?:読み(?:方)?|部分))?\s*(?:は|が|を|:|=|→|-|,|、|is|\(){1,3}[^「『\"*\n。]{0,14}?[「『\"'“‘*]{0,3}"
    rf"([{KANA}]{{1,12}}|[a-zāīūēōâîûêô']{{1,20}})(?=[」』\"'”’*)。\n\s]|です|と読|$)"
)
_SAID = (
    re.compile(rf"(?<![{KANA}])([{KANA}]{{1,30}}?)[」』\"*]*\s*と(?:読|発音|よみ)"),
    re.compile(
        r"(?:(?:read|pronounced)\b(?: here| in this word)?(?: as)?"
        r"|(?:reading|pronunciation) of [^.:\n]{1,60}?(?: is|:))"
        r"\s*[\"'“‘「*(]*([^\s\"'”’」*().,。、]{1,40})",
        re.IGNORECASE,
    ),
    re.compile(rf"\bit(?:'s| is)\s+[\"“「]?([{KANA}]{{1,30}})", re.IGNORECASE),
)
_GLOSSED = re.compile(
    rf"[{KANJI}][{KANJI}{KANA}]{{0,20}}\(([{KANA}]{{1,30}})\)|([{KANA}]{{1,30}})\((?=[^()]{{0,20}}[{KANJI}])[{KANJI}{KANA}]{{1,20}}\)"
)
_LABEL = re.compile(r"^[^\s:「」()]{1,8}:\s*(?=\S)")
_KANJI_WORD = re.compile(rf"(?=.{{1,8}}$)[{KANA}]*[{KANJI}][{KANJI}{KANA}]*")


def pinyin(reply: str) -> Parsed[tuple[Syllable, ...]]:
    """The pinyin answered; characters may stand beside it (吕 lǚ, 缘(yuán) 袁(yuán))."""
    cleaned = text.clean(reply, "pinyin")

    def alone(piece: str) -> list[tuple[tuple[Syllable, ...]]]:
        if len(piece) > _LONGEST_PINYIN:
            return []
        parts = rules.pattern(r"{either}|(?<=\S)\s?/\s?(?=\S)").split(_without_denied(piece))
        found = [_syllables(_BESIDE.sub(" ", part), alone=part.isascii()) for part in parts]
        return [(syllables,) for syllables in found] if all(found) else []

    def named(piece: str) -> list[tuple[tuple[Syllable, ...]]]:
        """Runs of syllables with their tones; English around them has none."""
        runs: list[str] = []
        end = -1
        for said in _TONED.finditer(_without_denied(piece)):
            if runs and not said.string[end : said.start()].strip(" ,、"):
                runs[-1] += " " + said[0]
            else:
                runs.append(said[0])
            end = said.end()
        return [(syllables,) for run in runs if (syllables := _syllables(run))]

    answer = " ".join(cleaned.entries) if cleaned.entries else cleaned.text
    return only(one(answer, alone, named, label="pinyin_word"))


def _without_denied(piece: str) -> str:
    return _LATIN.sub(lambda said: "" if denials.dismissed(piece, *said.span()) else said[0], piece)


def _syllables(piece: str, *, alone: bool = False) -> tuple[Syllable, ...]:
    """The syllables of a text of pinyin; one without a tone only alone, since English words spell such (``he can``)."""
    try:
        found = parse(text.bare(piece))
    except PhoneticError:
        return ()
    return found if (alone and len(found) == 1) or any(syllable.tone != NEUTRAL for syllable in found) else ()


def kana(
    reply: str, *, kanji: str = "", word: str = "", okurigana: str = "", given: str = ""
) -> Parsed[tuple[str, ...]]:
    """The reading a reply gives in kana or romaji, or the word it offers.

    Args:
        reply: what the model wrote.
        kanji: the kanji whose reading was asked for; what is said of this very kanji counts first.
        word: the word it stands in.
        okurigana: kana that follow the kanji there; ``おぼ(える)`` is read as ``おぼ``.
        given: a word the question named; it may stand beside the answer, and is it where nothing else is named.

    Returns:
        The kana spellings of the one reading given: romaji may stand for several.
    """
    answer = re.sub(r"^(?:はい|ええ)[、,。]\s*", "", text.clean(reply, "kana").text)
    query = normalise(given)

    def others(found: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
        read = [spellings for spellings in found if spellings]
        return [spellings for spellings in read if query not in spellings] or read

    def alone(piece: str) -> Sequence[tuple[str, ...]]:
        if denials.refuses(piece):
            return []
        bare = text.bare(piece)
        cut = re.fullmatch(rf"([{KANA}]{{1,30}})[.・-]?(?:\(([{KANA}]{{1,30}})\)|(?<=[.・-])([{KANA}]{{1,30}}))", bare)
        if cut and okurigana and okurigana.startswith(normalise(cut[2] or cut[3])):
            return [(normalise(cut[1]),)]
        parts = [word_in(piece) or (() if kanji else word_in(_LABEL.sub("", bare)))]
        if not parts[0] and len(bare) <= _LONGEST_LIST:
            parts = [word_in(part) for part in rules.pattern(_LIST).split(bare)]
        return others(parts) if all(parts) else []

    def named(piece: str) -> Sequence[tuple[str, ...]]:
        for pieces in (_of_kanji(piece, kanji), re.findall(r"\*\*([^*\n]{1,60})\*\*", piece), text.quoted(piece)):
            own = [said for said in pieces if not re.search(rf"[{KANJI}]", said.partition("(")[0]) or not kanji]
            words = [(said, spellings) for said in own if (spellings := word_in(said))]
            in_kana = [spellings for said, spellings in words if is_kana(said.partition("(")[0].strip())]
            if words:
                return others(in_kana or [spellings for _, spellings in words])
        said = [part for pattern in _SAID for part in _unless_denied(pattern, piece)]
        found = others([word_in(part) for part in said if part != word])
        return found or others([(normalise(match[1] or match[2]),) for match in _GLOSSED.finditer(piece)])

    found = one(answer, alone, named, label="kana_word", ends=(text.first_sentence, text.last_line))
    if found.cause == "no_answer" and not kanji:
        pieces = [answer, *text.quoted(answer), *text.announced(answer)]
        if any(_KANJI_WORD.fullmatch(text.bare(piece)) for piece in pieces):
            return Parsed(None, "not_kana")
    return found


def _of_kanji(piece: str, kanji: str) -> list[str]:
    """Kana that a text ties to the kanji itself: 「覚」は「かく」, 覚(かく), 覚=かく, 覚の読みは「かく」."""
    if not kanji:
        return []
    own = re.escape(kanji)
    tied = re.compile(rf"(?<![{KANJI}]){own}[」』\"'”’*]{{0,3}}{_TIED}", re.IGNORECASE)
    return [*_unless_denied(tied, piece), *_unless_denied(re.compile(rf"{own}\(([{KANA}]{{1,30}})\)"), piece)]


def _unless_denied(pattern: re.Pattern[str], piece: str) -> list[str]:
    """The first group of each match, without politeness, where the reply does not say that it is not so."""
    found = [match for match in pattern.finditer(piece) if not denials.dismissed(piece, *match.span(1))]
    return [without_politeness(match[1]) for match in found]
