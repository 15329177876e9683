"""Make Phun-Bench's embedded sample: ``python scripts/make_phun_sample.py``.

Characters come from GB 2312 (tier 1: its level 1, tier 2: its level 2) and, for tier 3, from the standard
character table as pypinyin-dict lists it, less GB 2312; words and chengyu from jieba and pypinyin; the puns
and the lines in ``scripts/phun_sample`` were written for this project. Running it again changes nothing.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

from pypinyin_dict.pinyin_data import ktghz2013

from benchmarks.phun_bench import build
from benchmarks.phun_bench.data import SAMPLE

SEED = 42
LIMITS = {"char_tier": 10, "char_group": 12, "idioms": 24, "sim_word": 15}
SOURCES = Path(__file__).with_name("phun_sample")


def standard_characters() -> list[str]:
    """The characters of the standard table, in code point order."""
    return sorted(chr(code) for code in ktghz2013.pinyin_dict if unicodedata.name(chr(code), "").startswith("CJK "))


def main() -> None:
    first, second = build.gb2312(range(16, 56)), build.gb2312(range(56, 88))
    third = [char for char in standard_characters() if char not in {*first, *second}]
    groups = build.by_sound([*first, *second])
    files: build.Files = {
        **build.char_files({"1": first, "2": second, "3": third}),
        **build.group_file(groups),
        **build.homophone_file(build.default_idioms(100), build.by_sound(first), SEED),
    }
    for name, records in files.items():
        limit = next(size for start, size in LIMITS.items() if name.startswith(start))
        files[name] = build.sampled(records, limit, SEED)
    files |= build.similarity_files(build.default_words(1000), SEED, LIMITS["sim_word"])
    files |= build.rhyme_file(line for _, line in build.read_lines(SOURCES / "lines.txt"))
    files |= build.pun_file(build.pun_rows(SOURCES / "puns.tsv"))
    build.write(files, SAMPLE)
    for name, records in files.items():
        print(f"{name}: {len(records)}")


if __name__ == "__main__":
    main()
