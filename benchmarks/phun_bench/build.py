"""``python -m benchmarks.phun_bench.build``: fresh, uncontaminated items from a seed and word lists.

Writes files of the released format, so everything that reads the released data reads these. The same
seed and lists give byte-identical files. Lists are text files with one entry a line, optionally followed
by a tab and its pinyin; ``#`` starts a comment. Without a list, the words of jieba, the phrases of pypinyin
and the levels of GB 2312 are used.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apun import cli
from apun.errors import DataError, PhoneticError, UsageError
from apun.paths import read_text, write_atomic
from apun.phonetics.mandarin import Syllable, all_readings, han, is_han, marked, numbered, parse
from benchmarks.phun_bench import lexicon
from benchmarks.phun_bench.data import GROUPS, LINES, PUNS
from benchmarks.phun_bench.items import HOMOPHONE, PERTURBATIONS, SMALLEST_GROUP
from benchmarks.phun_bench.perturb import SoundIndex, generator, homophones
from benchmarks.phun_bench.rhyme import ending

SHORTEST_LINE = 6  # characters, as the paper says (77 of the released lines are shorter)
Files = dict[str, dict[str, Any]]
Pairs = Sequence[tuple[str, tuple[Syllable, ...]]]


def single_reading(chars: Iterable[str]) -> dict[str, Syllable]:
    """The characters for which pypinyin lists one reading (§3.3), in the order given."""
    return {char: found[0] for char in chars if len(found := all_readings(char)) == 1}


def char_files(tiers: Mapping[str, Iterable[str]]) -> Files:
    """``char_tier_N.json``: characters with a single reading, by tier."""
    return {
        f"char_tier_{tier}.json": {
            char: [syllable.pinyin, syllable.numbered] for char, syllable in single_reading(chars).items()
        }
        for tier, chars in tiers.items()
    }


def by_sound(chars: Iterable[str]) -> dict[Syllable, list[str]]:
    """Characters with a single reading, by it: Algorithm 1's map from pinyin to characters."""
    found: dict[Syllable, list[str]] = {}
    for char, syllable in single_reading(chars).items():
        found.setdefault(syllable, []).append(char)
    return found


def group_file(groups: Mapping[Syllable, Sequence[str]]) -> Files:
    """``char_group_5_plus.json``: sounds with enough characters."""
    large = [(syllable, chars) for syllable, chars in sorted(groups.items()) if len(chars) >= SMALLEST_GROUP]
    found = {s.numbered: {"py1": s.numbered, "py2": s.pinyin, "chars": list(chars)} for s, chars in large}
    return {GROUPS: found}


def homophone_file(idioms: Pairs, groups: Mapping[Syllable, Sequence[str]], seed: int) -> Files:
    """``idioms_homo_4_perturbed.json``: Algorithm 1 over four-character chengyu."""
    found = {}
    for idiom, reading in idioms:
        if len(idiom) != 4 or len(reading) != 4:
            continue
        written = homophones(reading, idiom, groups, seed)
        if written is not None:
            spelled = {"py1": numbered(reading), "py2": marked(reading)}
            same = {f"new_{name}": text for name, text in spelled.items()}
            found[idiom] = {"w": idiom, **spelled, "new_w": written, **same, "p_flags": "1111"}
    return {f"idioms_{HOMOPHONE}_perturbed.json": found}


def similarity_files(words: Pairs, seed: int, limit: int | None = None) -> Files:
    """``sim_word_pertN.json``: Algorithm 2 over two-character words, ``limit`` reference words a type."""
    index = SoundIndex.of(words, seed)
    found: Files = {}
    for kind in PERTURBATIONS:
        built = {
            choice.word: {
                "w": choice.word,
                "py1": numbered(choice.reading),
                "py2": marked(choice.reading),
                "w_pert": list(choice.candidates),
                "py2_pert": [marked(reading) for reading in choice.readings],
                "answer": choice.answer,
            }
            for choice in index.items(kind, seed)
        }
        found[f"sim_word_{kind}.json"] = sampled(built, limit, seed)
    return found


def rhyme_file(lines: Iterable[str]) -> Files:
    """``rhyme_gen_public.json``: lines of six or more Chinese characters with the groups of their last two."""
    found = {}
    for number, line in enumerate(dict.fromkeys(lines), 1):
        end = ending(line)
        foreign = any(char.isalnum() and not is_han(char) for char in line)
        if end is not None and not foreign and len(han(line)) >= SHORTEST_LINE:
            found[str(number)] = {"s": line, "rg": " ".join(end.groups[-2:])}
    return {LINES: found}


def pun_file(rows: Iterable[tuple[str, str, str]]) -> Files:
    """``puns_filter_homo_public.json`` from (sentence, pun word, word it stands for).

    Raises:
        DataError: the pun word is not in the sentence, or the two words differ in sound.
    """
    found = {}
    for number, (sentence, pun, target) in enumerate(rows, 1):
        if pun not in sentence:
            raise DataError(f"{pun!r} is not in {sentence!r}", line=number, field="pun")
        reading = parse(lexicon.word_sound(target))
        for syllable, char, meant in zip(reading, pun, target, strict=True):
            if char != meant and syllable not in all_readings(char):
                raise DataError(f"{char} in {pun} is not read {syllable}, as {meant} in {target}", line=number)
        different = sum(a != b for a, b in zip(pun, target, strict=True))
        found[str(number)] = {"s": sentence, "pw": pun, "aw": target, "diff_char": different, "pinyin": marked(reading)}
    return {PUNS: found}


def sampled(records: dict[str, Any], limit: int | None, seed: int) -> dict[str, Any]:
    """At most ``limit`` records, drawn by seed and key, in their order."""
    if limit is None or len(records) <= limit:
        return records
    kept = set(sorted(records, key=lambda key: generator(seed, "sample", key).random())[:limit])
    return {key: record for key, record in records.items() if key in kept}


def write(files: Files, folder: Path) -> None:
    """Write the files that hold anything, each whole or not at all."""
    for name, records in files.items():
        if records:
            write_atomic(folder / name, json.dumps(records, ensure_ascii=False, indent=1) + "\n")


def gb2312(rows: range) -> list[str]:
    """Characters of rows of GB 2312: rows 16-55 are its level 1 (frequent), 56-87 its level 2."""
    codes = (bytes((0xA0 + row, 0xA0 + cell)) for row in rows for cell in range(1, 95))
    return [char for code in codes if (char := code.decode("gb2312", errors="ignore"))]


def default_words(least: int = 100) -> Pairs:
    """jieba's two-character words that occur at least so often, but for 一 and 不, whose tone their neighbour sets."""
    common = [entry.word for entry in lexicon.entries() if len(entry.word) == 2 and entry.count >= least]
    return _read(word for word in common if not set(word) & set("一不"))


def default_idioms(least: int = 10) -> Pairs:
    """Chengyu that pypinyin lists as a phrase and jieba as an idiom, occurring at least so often."""
    known = lexicon.phrases()
    found = [e.word for e in lexicon.entries() if e.part == "i" and e.count >= least and e.word in known]
    return _read(word for word in found if len(word) == 4)


def _read(words: Iterable[str]) -> Pairs:
    return [(word, parse(sound)) for word in words if (sound := lexicon.word_sound(word))]


def read_list(file: Path) -> Pairs:
    """A word list: an entry a line, and optionally its pinyin after a tab.

    Raises:
        DataError: a line without Chinese characters, pinyin that does not fit, or an unreadable word.
    """
    found = []
    for number, line in read_lines(file):
        word, _, spelled = (part.strip() for part in line.partition("\t"))
        try:
            reading = parse(spelled) if spelled and not spelled.isdigit() else _read([word])[0][1]
        except (PhoneticError, IndexError) as error:
            raise DataError(
                f"{word!r} cannot be read ({error})", file=file, line=number, fix="Give its pinyin."
            ) from error
        if len(reading) != len(word):
            raise DataError(f"{len(reading)} syllables for {word!r}", file=file, line=number, fix="Correct the pinyin.")
        found.append((word, reading))
    return found


def read_lines(file: Path) -> list[tuple[int, str]]:
    """Numbered lines of a text file, without blank lines and comments."""
    lines = [(number, line.rstrip()) for number, line in enumerate(read_text(file).split("\n"), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = argparse.ArgumentParser(prog="python -m benchmarks.phun_bench.build", description=__doc__.splitlines()[0])
    result.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the files")
    result.add_argument("--seed", type=int, default=42, help="seed of every choice (default: 42)")
    result.add_argument("--limit", type=cli.positive, metavar="N", help="at most N items a file (default: all)")
    result.add_argument("--words", type=Path, metavar="FILE", help="two-character words for similarity")
    result.add_argument("--idioms", type=Path, metavar="FILE", help="chengyu for homophone recall")
    result.add_argument("--chars", type=Path, action="append", metavar="FILE", help="characters; once a tier")
    result.add_argument("--lines", type=Path, metavar="FILE", help="lines of verse to rhyme with")
    result.add_argument("--puns", type=Path, metavar="FILE", help="sentence, pun word, word meant; tab separated")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Build and write; returns the exit code."""
    args = parser().parse_args(argv)
    tiers = _tiers(args.chars)
    common = [char for tier in ("1", "2") for char in tiers.get(tier, ())]
    groups = by_sound(common)
    idioms = read_list(args.idioms) if args.idioms else default_idioms()
    words = read_list(args.words) if args.words else default_words()
    files: Files = {**char_files(tiers), **group_file(groups), **homophone_file(idioms, groups, args.seed)}
    if args.lines:
        files |= rhyme_file(line for _, line in read_lines(args.lines))
    if args.puns:
        files |= pun_file(pun_rows(args.puns))
    files = {name: sampled(records, args.limit, args.seed) for name, records in files.items()}
    files |= similarity_files(words, args.seed, args.limit)
    write(files, args.out)
    for name, records in files.items():
        print(f"{name}: {len(records)}")
    return 0


def _tiers(lists: Sequence[Path] | None) -> dict[str, list[str]]:
    if lists is None:
        return {"1": gb2312(range(16, 56)), "2": gb2312(range(56, 88))}
    if len(lists) > 3:
        raise UsageError("--chars is given once a tier, three times at most")
    return {
        str(tier): [char for _, line in read_lines(file) for char in han(line)] for tier, file in enumerate(lists, 1)
    }


def pun_rows(file: Path) -> list[tuple[str, str, str]]:
    """Sentence, pun word and word meant, from a tab-separated file."""
    found = []
    for number, line in read_lines(file):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 3 or not all(cells):
            raise DataError(
                "needs a sentence, the pun word and the word meant", file=file, line=number, fix="Use tabs."
            )
        found.append((cells[0], cells[1], cells[2]))
    return found


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
