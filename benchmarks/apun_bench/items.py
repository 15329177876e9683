"""PunItem: one spoken sentence with its gold annotation (APUN-Bench §3), and the rows it is read from; the type of a
pun from the two words' spelling and IPA (§3.2), and a word's readings, lemmas and forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from apun.errors import PhoneticError
from apun.records import Record, read, unique

PunType = Literal["heterographic", "homophonic", "homographic", "untyped", "negative"]

HETEROGRAPHIC: PunType = "heterographic"  # near in sound, not the same
HOMOPHONIC: PunType = "homophonic"  # same sound, other spelling
HOMOGRAPHIC: PunType = "homographic"  # same word, two meanings
UNTYPED: PunType = "untyped"  # a pun whose alternative nobody annotated, so its type is unknown
NEGATIVE: PunType = "negative"
PUN_TYPES: tuple[PunType, ...] = (HETEROGRAPHIC, HOMOPHONIC, HOMOGRAPHIC)
TYPES: tuple[PunType, ...] = (*PUN_TYPES, UNTYPED, NEGATIVE)
SHORT = {HETEROGRAPHIC: "het", HOMOPHONIC: "hop", HOMOGRAPHIC: "hog", UNTYPED: "untyped", NEGATIVE: "neg"}
HEADS = {HETEROGRAPHIC: "Heg", HOMOPHONIC: "Hop", HOMOGRAPHIC: "Hog"}  # the paper's column heads
LONGEST_TEXT = 2_000
LONGEST_INDEX = 9_999

_ID = re.compile(r"[\w][\w.:+-]{0,127}")
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_VERDICTS = {"pun": True, "non-pun": False}


def words(text: str) -> list[str]:
    """The words of a text, in order: letters and digits with inner hyphens and apostrophes."""
    return _WORD.findall(text)


@dataclass(frozen=True, slots=True)
class PunItem:
    """One sentence and what is known of it.

    Attributes:
        id: unique in its subset; must not tell the answer, since people see it in questionnaires.
        text: the sentence as spoken, in standard spelling.
        is_pun: whether it is a pun.
        type: ``heterographic``, ``homophonic``, ``homographic``, ``untyped`` or ``negative``.
        pun_word: the word that carries the pun, as it stands in ``text``; empty for negatives.
        pun_index: its 0-based place among ``words(text)``; -1 for negatives.
        alternatives: lemmas of the word that is also meant (heterographic, homophonic); any is right.
        meanings: the two meanings of a homographic pun; empty where none are annotated.
        pun_ipa: gold IPA of the pun word, without stress marks.
        alternative_ipa: gold IPA of the first alternative as it would be spoken in place of the pun word.
        swap_word: the first alternative inflected to stand in the pun word's place.
        transcript: what a recogniser or a person wrote down for the recording, where it was kept.
        speaker: who speaks, where the item comes with a recording.
        source: where the text comes from.
        licence: licence of this row.
        cluster_id: shared by variants of one item; the id where there are none.
        language: always ``en`` in this benchmark.
    """

    id: str
    text: str
    is_pun: bool
    type: PunType
    pun_word: str = ""
    pun_index: int = -1
    alternatives: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    pun_ipa: str = ""
    alternative_ipa: str = ""
    swap_word: str = ""
    transcript: str = ""
    speaker: str = ""
    source: str = ""
    licence: str = ""
    cluster_id: str = ""
    language: str = "en"

    @property
    def cluster(self) -> str:
        """Bootstrap cluster."""
        return self.cluster_id or self.id

    @property
    def interpreted(self) -> bool:
        """Whether it is a pun whose other word or meanings are annotated."""
        return self.is_pun and self.type != UNTYPED and bool(self.alternatives or self.meanings)

    @property
    def swapped_text(self) -> str:
        """The sentence with ``swap_word`` in the pun word's place; raises ``ValueError`` where there is none."""
        if not self.swap_word:
            raise ValueError(f"item {self.id} has no word to swap in")
        match = list(_WORD.finditer(self.text))[self.pun_index]
        start = match.start() + match.group().find(self.pun_word)
        return self.text[:start] + self.swap_word + self.text[start + len(self.pun_word) :]

    @property
    def commercial(self) -> bool:
        """Whether the row's licence allows commercial use; an unstated licence does not."""
        licence = self.licence.upper().replace("-", " ").split()
        return bool(licence) and "NC" not in licence and "NONCOMMERCIAL" not in licence

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; empty fields are left out."""
        return {name: value for name, value in asdict(self).items() if value not in ("", (), -1)}


_OPTIONAL = tuple(name for name, field in PunItem.__dataclass_fields__.items() if field.default == "")


def item_from(row: Record) -> PunItem:
    """Build and validate an item from a row.

    In a sheet, ``alternatives`` and ``meanings`` hold their parts separated by ``;``; ``is_pun`` may be
    left out where ``type`` says it. ``pun_index`` may be left out where the pun word occurs once; the
    last occurrence is taken only when it is named.

    Raises:
        DataError: a field is missing, of the wrong kind, or contradicts another; names file, line, field.
    """
    id, text, kind = row.text("id"), row.text("text"), row.one_of("type", TYPES)
    if not _ID.fullmatch(id):
        raise row.fault(f"{id[:40]!r} is not a usable id", "id", "Use letters, digits and . : + - _ only.")
    if len(text) > LONGEST_TEXT:
        raise row.fault(f"is longer than {LONGEST_TEXT} characters", "text", "One sentence an item.")
    if row.text("language", "en") != "en":
        raise row.fault(f"is {row.text('language')!r}; APUN-Bench is English", "language")
    values: dict[str, Any] = {name: row.text(name, "") for name in _OPTIONAL}
    values |= {name: row.texts(name) for name in ("alternatives", "meanings")}
    is_pun = _is_pun(row, kind != NEGATIVE)
    if is_pun != (kind != NEGATIVE):
        raise row.fault(f"contradicts type {kind!r}", "is_pun")
    index = row.whole("pun_index", 0, LONGEST_INDEX, default=-1)
    if is_pun:
        values["pun_index"] = _locate(row, text, index)
    elif values["pun_word"] or values["alternatives"] or values["meanings"]:
        raise row.fault("a negative item has no pun word, alternative or meaning", "pun_word")
    item = PunItem(id, text, is_pun, kind, **values)  # type: ignore[arg-type]  # one of TYPES
    _check_type(row, item)
    return item


def _is_pun(row: Record, default: bool) -> bool:
    verdict = _VERDICTS.get(str(row.values.get("is_pun")).strip().casefold())
    return row.flag("is_pun", default) if verdict is None else verdict


def _locate(row: Record, text: str, index: int) -> int:
    pun_word = row.text("pun_word")
    places = [i for i, word in enumerate(words(text)) if _holds(word, pun_word)]
    if index >= 0:
        if index not in places:
            fix = f"Count words from 0; it stands at {', '.join(map(str, places)) or 'no place'}."
            raise row.fault(f"word {index} of the text is not {pun_word!r}", "pun_index", fix)
        return index
    if len(places) != 1:
        fix = "Say which in pun_index, counting words from 0." if places else "Spell it as in the text."
        raise row.fault(f"{pun_word!r} occurs {len(places)} times in the text", "pun_word", fix)
    return places[0]


def _holds(word: str, pun_word: str) -> bool:
    """Whether a word of the text is the pun word, or a compound or clitic form that contains it."""
    word, pun_word = word.casefold().replace("’", "'"), pun_word.casefold().replace("’", "'")
    return word == pun_word or pun_word in re.split(r"['\-]", word)


def _check_type(row: Record, item: PunItem) -> None:
    """Refuse an annotation that does not fit the type."""
    if item.type == HOMOGRAPHIC:
        if len(item.meanings) not in (0, 2):
            raise row.fault(f"has {len(item.meanings)} meanings; a homographic pun has two", "meanings")
        if len(set(item.meanings)) == 1:
            raise row.fault("the two meanings are the same", "meanings")
    if item.type not in (HETEROGRAPHIC, HOMOPHONIC):
        return
    if not item.alternatives:
        raise row.fault(f"a {item.type} pun needs at least one alternative word", "alternatives")
    if item.pun_word.casefold() in {other.casefold() for other in item.alternatives}:
        raise row.fault("the pun word itself is no alternative", "alternatives", f"Or is the pun {HOMOGRAPHIC}?")
    same = item.pun_ipa == item.alternative_ipa
    if item.pun_ipa and item.alternative_ipa and same != (item.type == HOMOPHONIC):
        pair = f"/{item.pun_ipa}/ and /{item.alternative_ipa}/ {'sound the same' if same else 'differ'}"
        fix = "Types follow IPA: equal is homophonic, different is heterographic."
        raise row.fault(f"is {item.type}, but {pair}", "type", fix)


def load_items(path: str | Path) -> list[PunItem]:
    """Read items from ``.jsonl``, ``.csv``, ``.tsv`` or ``.xlsx``.

    Raises:
        DataError: the file is missing or malformed, or an id stands twice; names file, line and field.
    """
    return unique(((row, item_from(row)) for row in read(path, ("id", "text", "type"))), path)


def type_of(pun_forms: Sequence[str], alternatives: Sequence[str]) -> PunType:
    """Homographic by spelling; then homophonic or heterographic by IPA.

    Args:
        pun_forms: the pun word and its lemmas.
        alternatives: lemmas of the other word.

    Returns:
        Homographic where a form is spelled as an alternative; homophonic where any two readings (CMUdict lists
        several for many words) are the same; else heterographic. Untyped without alternatives.
    """
    if not alternatives:
        return UNTYPED
    if {form.casefold() for form in pun_forms} & {other.casefold() for other in alternatives}:
        return HOMOGRAPHIC
    heard = {ipa for form in pun_forms for ipa in ipa_of(form)}
    return HOMOPHONIC if any(ipa in heard for other in alternatives for ipa in ipa_of(other)) else HETEROGRAPHIC


def ipa_of(word: str) -> tuple[str, ...]:
    """Every reading of a word, the most usual first; empty where it cannot be read."""
    from apun.phonetics import sounds

    try:
        return tuple(sound.ipa for sound in sounds(word))
    except PhoneticError:
        return ()


def gold_sounds(forms: Iterable[str], others: Sequence[str], *, same: bool) -> dict[str, str]:
    """Gold IPA of the first pair of readings that shows the type: equal or different; none where no pair does."""
    pairs = ((mine, ipa) for form in forms for mine in ipa_of(form) for other in others for ipa in ipa_of(other))
    for mine, theirs in pairs:
        if (mine == theirs) is same:
            return {"pun_ipa": mine, "alternative_ipa": theirs}
    return {}


def lemmas_of(word: str) -> tuple[str, ...]:
    """Every lemma a word may have, by spelling; the word itself where lemminflect knows none."""
    from lemminflect import getAllLemmas

    found = {lemma for lemmas in getAllLemmas(word.casefold()).values() for lemma in lemmas}
    return tuple(sorted(found)) or (word.casefold(),)


def inflected_like(pun_word: str, pun_lemmas: Sequence[str], other: str) -> str:
    """The other lemma in the grammatical form that the pun word has, such as ``votes`` for ``goats``.

    The lemma itself where the pun word is no regular form of its lemmas, or the other has no such form.
    """
    from lemminflect import getAllInflections, getInflection

    word = pun_word.casefold()
    for lemma in pun_lemmas:
        tags = [tag for tag, forms in getAllInflections(lemma).items() if word in forms]
        for tag in sorted(tags, key=lambda t: (t in ("NN", "VB", "JJ", "RB") and lemma != word, t)):
            if tag in ("NN", "VB", "VBP", "JJ", "RB"):
                return other
            if forms := getInflection(other, tag):
                return str(forms[0])
    return other
