"""SemEval-2017 Task 7 as items: the original XML with its gold files, or the one-file JSONL form.

The texts are APUN-Bench's synthetic data (paper §3.1): 1,607 + 1,271 puns and 643 + 509 negatives, of
which 1,298 + 1,098 puns have their interpretation annotated. Puns without one keep their pun word and
are ``untyped`` where their type depends on the alternative.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apun.errors import DataError
from apun.paths import read_text
from apun.records import Record, read, unique
from benchmarks.apun_bench.items import (
    HETEROGRAPHIC,
    HOMOGRAPHIC,
    HOMOPHONIC,
    LONGEST_INDEX,
    NEGATIVE,
    PunItem,
    PunType,
    gold_sounds,
    inflected_like,
    item_from,
    type_of,
    words,
)

SCHEMA_FILE = "semeval_apun_schema.jsonl"
SETS = ("homographic", "heterographic")
SOURCE = "semeval2017-task7"
FREE, NON_COMMERCIAL = "CC BY 4.0", "CC BY-NC 4.0"
NON_COMMERCIAL_IDS = "homographic_nc_ids.txt"
_UNPACK = "Unpack the whole SemEval-2017 Task 7 archive."
_KEY = re.compile(r"[^%\s;]+%[1-5]:\d\d:\d\d:[^;\s]*")
_WORDNET_FILES = {"1": "data.noun", "2": "data.verb", "3": "data.adj", "4": "data.adv", "5": "data.adj"}
_WORDNET = "Give the 'dict' folder of WordNet 3.1: it holds index.sense, data.noun, data.verb, data.adj and data.adv."


@dataclass
class Text:
    """One text while its gold files are gathered."""

    id: str
    set: str
    tokens: list[str]
    is_pun: bool = False
    pun_token: int = -1
    senses: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    licence: str = FREE
    glosses: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()


def is_here(folder: Path) -> bool:
    """Whether a folder holds the data in either form."""
    return (folder / SCHEMA_FILE).is_file() or _xml_folder(folder) is not None


def read_folder(folder: Path, wordnet: Path | None = None) -> list[PunItem]:
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
    return unique(((row, to_item(_of_row(row), row)) for row in read(path)), path)


def _of_row(row: Record) -> Text:
    tokens = row.values.get("tokens")
    if not isinstance(tokens, list) or not tokens:
        raise row.fault("must be a list of texts", "tokens")
    return Text(
        id=row.text("id"),
        set=row.text("semeval_set"),
        tokens=[str(token) for token in tokens],  # one of the release's is a space
        is_pun=row.flag("is_pun"),
        pun_token=row.whole("pun_word_index", 0, LONGEST_INDEX, default=-1),
        senses=_lists(row, "sense_keys"),
        text=row.text("text"),
        licence=row.text("license", FREE),
        glosses=tuple("; ".join(dict.fromkeys(found)) for found in _lists(row, "meanings")),
        lemmas=row.texts("pun_lemmas"),
        alternatives=row.texts("alternative_words"),
    )


def _lists(row: Record, name: str) -> tuple[tuple[str, ...], ...]:
    found = row.values.get(name) or []
    if not isinstance(found, list) or not all(isinstance(texts, list) for texts in found):
        raise row.fault("must be a list of lists of texts", name)
    return tuple(tuple(map(str, texts)) for texts in found)


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
        for text, (value,), _ in _gold(folder / f"subtask1-{kind}-test.gold", 2, texts):
            text.is_pun = value == "1"
        for text, (token,), row in _gold(folder / f"subtask2-{kind}-test.gold", 2, texts):
            text.pun_token = _token(token, text, row)
        for text, (first, second), row in _gold(folder / f"subtask3-{kind}-test.gold", 3, texts, of_word=True):
            text.senses = (tuple(_keys(first, row)), tuple(_keys(second, row)))
    barred = set(read_text(non_commercial).split()) if non_commercial else set()
    keys = (key for text in texts.values() for sense in text.senses for key in sense)
    known = glosses(wordnet, keys) if wordnet is not None else {}
    items = []
    for text in texts.values():
        text.licence = NON_COMMERCIAL if text.id in barred else FREE
        text.text = joined(text.tokens)
        text.lemmas, text.alternatives = _lemmas(text.senses)
        text.glosses = tuple("; ".join(dict.fromkeys(known[k] for k in keys if k in known)) for keys in text.senses)
        row = Record({}, folder / f"subtask1-{text.set}-test.xml")
        items.append((row, to_item(text, row)))
    return unique(items, folder)


def _texts(path: Path, kind: str) -> Iterator[Text]:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, parse

    if not path.is_file():
        raise DataError("missing", file=path, fix=_UNPACK)
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


def _gold(
    path: Path, width: int, texts: Mapping[str, Text], *, of_word: bool = False
) -> Iterator[tuple[Text, list[str], Record]]:
    """The text that each line of a gold file is about, the line's other fields, and where it stands.

    A line begins with the id of a text or, ``of_word``, with that of one of its words.
    """
    if not path.is_file():
        raise DataError("missing", file=path, fix=_UNPACK)
    for number, line in enumerate(read_text(path).splitlines(), 1):
        row, fields = Record({}, path, number), line.split()
        if not fields:
            continue
        if len(fields) != width:
            raise row.fault(f"has {len(fields)} fields, not {width}")
        name = fields[0].rpartition("_")[0] if of_word else fields[0]
        if name not in texts:
            raise row.fault(f"no text has the id {name!r}")
        yield texts[name], fields[1:], row


def _token(name: str, text: Text, row: Record) -> int:
    owner, _, place = name.rpartition("_")
    if owner != text.id or not place.isdigit() or not 1 <= int(place) <= len(text.tokens):
        raise row.fault(f"{name!r} is no word of text {text.id!r}")
    return int(place) - 1


def _keys(field_text: str, row: Record) -> list[str]:
    keys = field_text.split(";")
    for key in keys:
        if not _KEY.fullmatch(key):
            raise row.fault(f"{key!r} is not a WordNet sense key")
    return keys


def _lemmas(senses: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lemmas of the pun word, and of the alternative, from their sense keys."""
    if len(senses) != 2:
        return (), ()
    pun, other = (tuple(dict.fromkeys(key.partition("%")[0].replace("_", " ") for key in keys)) for keys in senses)
    return pun, other


def glosses(folder: Path, keys: Iterable[str]) -> Mapping[str, str]:
    """Definitions of WordNet sense keys, without WordNet's examples; keys that this WordNet lacks are absent.

    Args:
        folder: a WordNet ``dict`` folder, which the user gives.
        keys: such as ``bark%1:11:00::``.

    Raises:
        DataError: the folder is no WordNet, or its files do not fit together.
    """
    wanted = set(keys)
    index = folder / "index.sense"
    if not index.is_file():
        raise DataError("no WordNet index", file=index, fix=_WORDNET)
    found: dict[str, str] = {}
    for number, line in enumerate(read_text(index).splitlines(), 1):
        fields = line.split()
        if fields and fields[0] in wanted:
            if len(fields) < 2 or not fields[1].isdigit():
                raise DataError("is not 'sense_key offset …'", file=index, line=number, fix=_WORDNET)
            kind = fields[0].partition("%")[2][:1]
            if kind in _WORDNET_FILES:
                found[fields[0]] = _gloss(folder / _WORDNET_FILES[kind], fields[0], int(fields[1]))
    return found


def _gloss(path: Path, key: str, offset: int) -> str:
    """The gloss at an offset, up to its first quoted example."""
    if not path.is_file():
        raise DataError("missing", file=path, fix=_WORDNET)
    with path.open("rb") as data:
        data.seek(offset)
        line = data.readline().decode("utf-8", "replace")
    if not line.startswith(f"{offset:08d} ") or " | " not in line:
        problem = f"has no synset at {offset}, where index.sense puts {key}"
        raise DataError(problem, file=path, fix="Take index.sense and the data files from one WordNet release.")
    return line.split(" | ", 1)[1].split('; "', 1)[0].strip()


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


def to_item(text: Text, row: Record) -> PunItem:
    """A text with its gold as an item, its type decided by spelling and IPA."""
    values: dict[str, Any] = {"id": text.id, "text": text.text, "source": SOURCE, "licence": text.licence}
    if not text.is_pun:
        return item_from(replace(row, values=values | {"type": NEGATIVE}))
    if not 0 <= text.pun_token < len(text.tokens):
        raise row.fault(f"the pun of text {text.id!r} is not located", "pun_word_index")
    index = _word_index(text)
    pun_word = _part(words(text.text)[index], text.tokens[text.pun_token])
    kind: PunType = HOMOGRAPHIC
    if text.set == HETEROGRAPHIC:
        spoken = [inflected_like(pun_word, text.lemmas, other) for other in text.alternatives]
        kind = type_of((pun_word, *text.lemmas), (*text.alternatives, *spoken))
        if kind == HOMOGRAPHIC:
            # annotated as two spellings, though one lemma is shared; the sounds are then the same
            kind = HOMOPHONIC
    values |= {"type": kind, "pun_word": pun_word, "pun_index": index}
    if kind == HOMOGRAPHIC:
        meanings = [gloss for gloss in text.glosses if gloss]
        values["meanings"] = meanings if len(set(meanings)) == 2 else []
    elif text.alternatives:
        others = [a.replace("_", " ") for a in text.alternatives if a.casefold() != pun_word.casefold()]
        forms = (pun_word, *text.lemmas) if kind == HOMOPHONIC else (pun_word,)
        values |= {"alternatives": others, "swap_word": inflected_like(pun_word, text.lemmas, others[0])}
        values |= gold_sounds(forms, [*others, *spoken], same=kind == HOMOPHONIC)
    return item_from(replace(row, values=values))


def _word_index(text: Text) -> int:
    """Place of the pun token among the text's words, by counting letters and digits."""
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
