"""SemEval-2017 Task 7 as items: the original XML with its gold files, or the one-file JSONL form.

The texts are APUN-Bench's synthetic data (paper §3.1): 1,607 + 1,271 puns and 643 + 509 negatives, of
which 1,298 + 1,098 puns have their interpretation annotated. Puns without one keep their pun word and
are ``untyped`` where their type depends on the alternative.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apun.errors import DataError
from benchmarks.apun_bench.classify import inflected_like, ipa_of, type_of
from benchmarks.apun_bench.items import (
    HETEROGRAPHIC,
    HOMOGRAPHIC,
    HOMOPHONIC,
    NEGATIVE,
    PunItem,
    PunType,
    item_from,
    unique,
    words,
)

SCHEMA_FILE = "semeval_apun_schema.jsonl"
SETS = ("homographic", "heterographic")
SOURCE = "semeval2017-task7"
FREE, NON_COMMERCIAL = "CC BY 4.0", "CC BY-NC 4.0"
NON_COMMERCIAL_IDS = "homographic_nc_ids.txt"
_KEY = re.compile(r"[^%\s;]+%[1-5]:\d\d:\d\d:[^;\s]*")


@dataclass
class Text:
    """One text while its gold files are gathered."""

    id: str
    set: str
    tokens: list[str]
    is_pun: bool = False
    pun_token: int | None = None
    senses: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    licence: str = FREE
    glosses: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = field(default=())


def is_here(folder: Path) -> bool:
    """Whether a folder holds the data in either form."""
    return (folder / SCHEMA_FILE).is_file() or _xml_folder(folder) is not None


def read(folder: Path, wordnet: Path | None = None) -> list[PunItem]:
    """Items from a folder in either form; the JSONL form is preferred, because it has glosses.

    Args:
        folder: the archive's folder, its ``data/test``, or the folder of ``semeval_apun_schema.jsonl``.
        wordnet: a WordNet ``dict`` folder, for the glosses of the XML form; ``folder/dict`` when it is there.

    Raises:
        DataError: neither form is there, or it is malformed; names file and line.
    """
    if wordnet is None and (folder / "dict" / "index.sense").is_file():
        wordnet = folder / "dict"
    if (folder / SCHEMA_FILE).is_file() and wordnet is None:
        return read_schema(folder / SCHEMA_FILE)
    xml = _xml_folder(folder)
    if xml is None:
        raise DataError(
            f"holds neither {SCHEMA_FILE} nor data/test/subtask1-homographic-test.xml",
            file=folder,
            fix="Unpack the SemEval-2017 Task 7 archive there.",
        )
    listed = folder / NON_COMMERCIAL_IDS
    return read_xml(xml, wordnet, listed if listed.is_file() else None)


def _xml_folder(folder: Path) -> Path | None:
    for candidate in (folder / "data" / "test", folder / "test", folder):
        if (candidate / "subtask1-homographic-test.xml").is_file():
            return candidate
    return None


def read_schema(path: Path) -> list[PunItem]:
    """Items from ``semeval_apun_schema.jsonl``: one text a row, with tokens, senses and glosses.

    Raises:
        DataError: a row is malformed; names file, line and field.
    """
    from apun.splits import read_rows

    items = []
    for line, row in read_rows(path):
        for name, kind in (("id", str), ("text", str), ("semeval_set", str), ("tokens", list), ("is_pun", bool)):
            if not isinstance(row.get(name), kind):
                raise DataError("is missing or of the wrong kind", file=path, line=line, field=name)
        text = Text(
            id=row["id"],
            set=row["semeval_set"],
            tokens=[str(token) for token in row["tokens"]],
            is_pun=row["is_pun"],
            pun_token=row.get("pun_word_index"),
            senses=tuple(tuple(keys) for keys in row.get("sense_keys", ())),
            text=row["text"],
            licence=row.get("license", FREE),
            glosses=tuple("; ".join(dict.fromkeys(found)) for found in row.get("meanings", ())),
            lemmas=tuple(row.get("pun_lemmas", ())),
            alternatives=tuple(row.get("alternative_words", ())),
        )
        items.append(to_item(text, path, line))
    return unique(items, path)


def read_xml(folder: Path, wordnet: Path | None = None, non_commercial: Path | None = None) -> list[PunItem]:
    """Items from the original ``*-test.xml`` and ``*-test.gold`` files of the three subtasks.

    Args:
        folder: ``data/test`` of the archive.
        wordnet: a WordNet ``dict`` folder; without one homographic puns have no meanings.
        non_commercial: the file that lists the ids under CC BY-NC.

    Raises:
        DataError: a file is missing or malformed; names file and line.
    """
    texts: dict[str, Text] = {}
    for kind in SETS:
        texts |= {text.id: text for text in _texts(folder / f"subtask1-{kind}-test.xml", kind)}
        for (name, value), _ in _gold(folder / f"subtask1-{kind}-test.gold", 2, texts):
            texts[name].is_pun = value == "1"
        for (name, token), line in _gold(folder / f"subtask2-{kind}-test.gold", 2, texts):
            texts[name].pun_token = _token(token, texts[name], folder / f"subtask2-{kind}-test.gold", line)
        gold = folder / f"subtask3-{kind}-test.gold"
        for (token, first, second), line in _gold(gold, 3):
            name = token.rpartition("_")[0]
            if name not in texts:
                raise DataError(f"no text {name!r} for {token!r}", file=gold, line=line)
            texts[name].senses = (tuple(_keys(first, gold, line)), tuple(_keys(second, gold, line)))
    barred = set(non_commercial.read_text(encoding="utf-8").split()) if non_commercial else set()
    glosses: Mapping[str, str] = {}
    if wordnet is not None:
        from benchmarks.apun_bench.wordnet import glosses as read_glosses

        glosses = read_glosses(wordnet, (key for t in texts.values() for keys in t.senses for key in keys))
    items = []
    for text in texts.values():
        text.licence = NON_COMMERCIAL if text.id in barred else FREE
        text.text = joined(text.tokens)
        text.lemmas, text.alternatives = _lemmas(text.senses)
        text.glosses = tuple(
            "; ".join(dict.fromkeys(glosses[key] for key in keys if key in glosses)) for keys in text.senses
        )
        items.append(to_item(text, folder / f"subtask1-{text.set}-test.xml", None))
    return unique(items, folder)


def _texts(path: Path, kind: str) -> Iterable[Text]:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, parse

    if not path.is_file():
        raise DataError("missing", file=path, fix="Unpack the whole SemEval-2017 Task 7 archive.")
    try:
        root = parse(path).getroot()
    except ParseError as error:
        raise DataError(f"is not well-formed XML ({error})", file=path, fix="Unpack it again.") from error
    except DefusedXmlException as error:
        raise DataError(f"is refused ({type(error).__name__})", file=path, fix="Use the original file.") from error
    for node in root.iter("text"):
        tokens = [word.text or "" for word in node.iter("word")]
        if not node.get("id") or not tokens:
            raise DataError("a text has no id or no words", file=path)
        yield Text(id=str(node.get("id")), set=kind, tokens=tokens)


def _gold(path: Path, width: int, known: Mapping[str, Text] | None = None) -> Iterable[tuple[list[str], int]]:
    if not path.is_file():
        raise DataError("missing", file=path, fix="Unpack the whole SemEval-2017 Task 7 archive.")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != width:
            raise DataError(f"has {len(fields)} fields, not {width}", file=path, line=number)
        if known is not None and fields[0] not in known:
            raise DataError(f"no text has the id {fields[0]!r}", file=path, line=number)
        yield fields, number


def _token(name: str, text: Text, path: Path, line: int) -> int:
    owner, _, place = name.rpartition("_")
    if owner != text.id or not place.isdigit() or not 1 <= int(place) <= len(text.tokens):
        raise DataError(f"{name!r} is no word of text {text.id!r}", file=path, line=line)
    return int(place) - 1


def _keys(field_text: str, path: Path, line: int) -> list[str]:
    keys = field_text.split(";")
    for key in keys:
        if not _KEY.fullmatch(key):
            raise DataError(f"{key!r} is not a WordNet sense key", file=path, line=line)
    return keys


def _lemmas(senses: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lemmas of the pun word, and of the alternative, from their sense keys."""
    if len(senses) != 2:
        return (), ()
    pun, other = (tuple(dict.fromkeys(key.partition("%")[0].replace("_", " ") for key in keys)) for keys in senses)
    return pun, other


_NO_SPACE_BEFORE = re.compile(r"[.,;:!?%)\]}…]|'|’|-|n't|''|\"", re.IGNORECASE)
_GLUE = frozenset("-/'’@_$#([{")


def joined(tokens: Sequence[str]) -> str:
    """Tokens as running text: quotation marks paired, no space inside hyphens, clitics or before stops."""
    text, quoted, glue = "", False, True
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token in ("'", "`") and i + 1 < len(tokens) and tokens[i + 1] == token:
            token, i = '"', i + 1
        if token in ('"', "``", "''", "“", "”"):
            text += '"' if quoted or glue else ' "'
            quoted = not quoted
            glue = quoted
        elif token in ("'", "’", "-", "/"):
            text += token if _inner(tokens, i) or glue else f" {token}"
            glue = _inner(tokens, i) or glue
        else:
            tight = glue or bool(_NO_SPACE_BEFORE.fullmatch(token))
            text += token if tight else f" {token}"
            glue = token in _GLUE
        i += 1
    return text.strip()


def _inner(tokens: Sequence[str], i: int) -> bool:
    """Whether an apostrophe or hyphen stands between two pieces of one word."""
    before = i > 0 and tokens[i - 1][-1:].isalnum()
    after = i + 1 < len(tokens) and tokens[i + 1][:1].isalnum()
    if tokens[i] in ("'", "’"):
        return (
            before and after and tokens[i + 1].casefold() in ("s", "t", "m", "d", "re", "ve", "ll", "em", "n", "clock")
        )
    return before and after


def to_item(text: Text, path: Path, line: int | None) -> PunItem:
    """A text with its gold as an item, its type decided by spelling and IPA."""
    record: dict[str, Any] = {"id": text.id, "text": text.text, "source": SOURCE, "licence": text.licence}
    if not text.is_pun:
        return item_from(record | {"type": NEGATIVE}, path, line or 0)
    if text.pun_token is None or not 0 <= text.pun_token < len(text.tokens):
        raise DataError(f"the pun of text {text.id!r} is not located", file=path, line=line, field="pun_word_index")
    index = _word_index(text)
    pun_word = _part(words(text.text)[index], text.tokens[text.pun_token])
    kind: PunType = HOMOGRAPHIC
    if text.set == HETEROGRAPHIC:
        spoken = [inflected_like(pun_word, text.lemmas, other) for other in text.alternatives]
        kind = type_of((pun_word, *text.lemmas), (*text.alternatives, *spoken))
        if kind == HOMOGRAPHIC:
            # annotated as two spellings, though one lemma is shared; the sounds are then the same
            kind = HOMOPHONIC
    record |= {"type": kind, "pun_word": pun_word, "pun_index": index}
    if kind == HOMOGRAPHIC:
        meanings = [gloss for gloss in text.glosses if gloss]
        record["meanings"] = meanings if len(set(meanings)) == 2 else []
    elif text.alternatives:
        others = [a.replace("_", " ") for a in text.alternatives if a.casefold() != pun_word.casefold()]
        record |= {"alternatives": others, "swap_word": inflected_like(pun_word, text.lemmas, others[0])}
        record |= _sounds(kind, pun_word, text.lemmas, [*others, *spoken])
    return item_from(record, path, line or 0)


def _sounds(kind: PunType, pun_word: str, lemmas: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Gold IPA of the pair that decided the type; none where a word cannot be read."""
    forms = (pun_word, *lemmas) if kind == HOMOPHONIC else (pun_word,)
    pairs = [(a, b) for form in forms for a in ipa_of(form) for other in others for b in ipa_of(other)]
    chosen = [pair for pair in pairs if (pair[0] == pair[1]) == (kind == HOMOPHONIC)]
    return {"pun_ipa": chosen[0][0], "alternative_ipa": chosen[0][1]} if chosen else {}


def _word_index(text: Text) -> int:
    """Place of the pun token among the text's words, by counting letters and digits."""
    assert text.pun_token is not None
    before = sum(_letters(token) for token in text.tokens[: text.pun_token])
    seen = 0
    spoken = words(text.text)
    for index, word in enumerate(spoken):
        seen += _letters(word)
        if seen > before:
            return index
    return len(spoken) - 1


def _letters(text: str) -> int:
    return sum(char.isalnum() for char in text)


def _part(word: str, token: str) -> str:
    """The pun token as it stands in the word; the whole word where the text spells it otherwise."""
    bare = "".join(char for char in token if char.isalnum() or char in "'’-")
    return bare if bare and bare.casefold() in re.split(r"['’\-]", word.casefold()) else word
