"""The two algorithms and the builder: every item fits its type, the same seed gives the same bytes."""

from __future__ import annotations

import random
import sys
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import DataError
from apun.phonetics.mandarin import Syllable, parse, similarity_type
from benchmarks.phun_bench import build
from benchmarks.phun_bench.data import SAMPLE, load_folder
from benchmarks.phun_bench.items import LETTERS, PERTURBATIONS, HomophoneItem, SimilarityItem
from benchmarks.phun_bench.perturb import ANSWER_TYPE, Choice, SoundIndex, homophones

Words = list[tuple[str, tuple[Syllable, ...]]]
CLOSE, FAR = {"T4", "T5", "T6"}, {"T1", "T2", "T3"}


@lru_cache(maxsize=1)
def words() -> Words:
    return list(build.default_words(1000))


def types(choice: Choice) -> list[list[str]]:
    return [[similarity_type(a, b) for a, b in zip(choice.reading, r, strict=True)] for r in choice.readings]


def check(kind: str, choice: Choice) -> None:
    """Exactly one candidate is of the answer's type, and three are distractors of the wanted types."""
    assert len({choice.word, *choice.candidates}) == 5
    found = types(choice)
    answer = found.pop(LETTERS.index(choice.answer))
    if kind == "pert4":
        assert set(answer) <= CLOSE
        assert all(set(pair) <= FAR for pair in found)
    else:
        wanted = ANSWER_TYPE[kind]
        assert sorted(answer) == [wanted, "T7"]
        assert sorted(map(sorted, found)) == [["T1", "T7"], ["T2", "T7"], ["T3", "T7"]]
        place = answer.index("T7")
        assert all(pair[place] == "T7" for pair in found), "the syllable that is kept is the same in all four"


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_every_built_item_has_one_answer_and_three_distractors(kind: str) -> None:
    choices = list(SoundIndex.of(words(), 42).items(kind, 42))
    assert len(choices) > 150
    for choice in choices:
        check(kind, choice)
    letters = [choice.answer for choice in choices]
    assert all(0.15 < letters.count(letter) / len(letters) < 0.35 for letter in LETTERS)


@given(seed=st.integers(0, 2**32), size=st.integers(200, 1500), kind=st.sampled_from(PERTURBATIONS))
@settings(deadline=None, max_examples=12)
def test_items_fit_whatever_the_seed_and_the_list(seed: int, size: int, kind: str) -> None:
    some = random.Random(seed).sample(words(), size)
    for choice in SoundIndex.of(some, seed).items(kind, seed):
        check(kind, choice)


def test_items_do_not_depend_on_the_order_of_the_list() -> None:
    some = words()[:1500]
    backwards = list(reversed(some))
    for kind in PERTURBATIONS:
        assert list(SoundIndex.of(some, 7).items(kind, 7)) == list(SoundIndex.of(backwards, 7).items(kind, 7))
    assert list(SoundIndex.of(some, 7).items("pert4", 7)) != list(SoundIndex.of(some, 8).items("pert4", 8))


def test_an_unknown_perturbation_is_refused() -> None:
    with pytest.raises(ValueError, match="pert5"):
        list(SoundIndex.of(words()[:10], 1).items("pert5", 1))


def test_work_grows_with_the_words_and_not_with_their_pairs() -> None:
    """Lines of Python run for the index and all four types; scripts/bench_phun_builder.py prints the seconds."""
    every = list(build.default_words(least=100))

    def lines(count: int) -> int:
        done = 0

        def follow(frame: FrameType, event: str, _: object) -> Any:
            nonlocal done
            done += event == "line"
            return follow

        sys.settrace(follow)
        try:
            index = SoundIndex.of(every[:count], 42)
            for kind in PERTURBATIONS:
                for _ in index.items(kind, 42):
                    pass
        finally:
            sys.settrace(None)
        return done

    small, large = lines(400), lines(1_600)
    assert len(every) >= 13_741
    assert small > 400
    assert large / small < 8, "four times the words would be sixteen times the work if all pairs were compared"


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=20)
def test_algorithm_1_keeps_the_sound_and_no_character(seed: int) -> None:
    groups = build.by_sound(build.gb2312(range(16, 56)))
    reading = parse("xīn huā nù fàng")
    written = homophones(reading, "心花怒放", groups, seed)
    if written is not None:
        assert all(a != b for a, b in zip(written, "心花怒放", strict=True))
        assert tuple(build.single_reading([char])[char] for char in written) == reading


def test_algorithm_1_gives_up_where_a_sound_has_no_other_character() -> None:
    assert homophones(parse("nǐ hǎo"), "你好", {parse("nǐ")[0]: ["你", "拟"]}, 1) is None


def test_gb2312_levels_have_their_known_sizes() -> None:
    first, second = build.gb2312(range(16, 56)), build.gb2312(range(56, 88))
    assert (len(first), len(second)) == (3755, 3008)
    assert (first[0], first[-1], second[0]) == ("啊", "座", "亍")


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    (tmp_path / "words.txt").write_text("\n".join(word for word, _ in words()[:2500]), encoding="utf-8")
    idioms = [word for word, _ in build.default_idioms(100)]
    (tmp_path / "idioms.txt").write_text("# chengyu\n" + "\n".join(idioms), encoding="utf-8")
    (tmp_path / "lines.txt").write_text("月光照着空空的码头\n太短了\n听首 song 再走吧\n", encoding="utf-8")
    (tmp_path / "puns.txt").write_text("他骑车上班，说自己乐在骑中。\t乐在骑中\t乐在其中\n", encoding="utf-8")
    return tmp_path


def arguments(lists: Path, out: Path, seed: int) -> list[str]:
    files = [f"--{name}={lists / name}.txt" for name in ("words", "idioms", "lines", "puns")]
    return [*files, f"--out={out}", f"--seed={seed}", "--limit=30"]


def test_the_same_seed_gives_the_same_bytes_and_the_files_load(lists: Path) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        assert build.main(arguments(lists, lists / name, seed)) == 0
    content = {name: {f.name: f.read_bytes() for f in sorted((lists / name).iterdir())} for name in "abc"}
    assert content["a"] == content["b"]
    assert content["a"].keys() == content["c"].keys() and content["a"] != content["c"]
    items = load_folder(lists / "a")
    strata = [item.stratum for item in items]
    assert {kind: strata.count(kind) for kind in PERTURBATIONS} == dict.fromkeys(PERTURBATIONS, 30)
    assert (strata.count("line"), strata.count("pun"), strata.count("homo_4")) == (1, 1, 30)
    for item in items:
        if isinstance(item, HomophoneItem):
            assert item.reading == item.target_reading and not set(item.text) & set(item.target)
        if isinstance(item, SimilarityItem):
            check(
                item.perturbation, Choice(item.text, item.reading, item.candidates, item.readings, LETTERS[item.answer])
            )


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("words", "民生\tmín\n", "1 syllables for '民生'"),
        ("words", "民生\tnot pinyin\n", "not pinyin"),
        ("words", "abc\n", "'abc' cannot be read"),
        ("puns", "他骑车。\t骑车\n", "needs a sentence"),
        ("puns", "他骑车上班。\t骑马\t棋码\n", "is not in"),
        ("puns", "他骑车上班。\t骑车\t开车\n", "is not read"),
    ],
)
def test_faulty_lists_are_named(lists: Path, name: str, content: str, problem: str) -> None:
    (lists / f"{name}.txt").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        build.main(arguments(lists, lists / "out", 1))
    assert not (lists / "out").exists()


def test_the_embedded_sample_is_what_its_script_makes(tmp_path: Path) -> None:
    import runpy

    for package, version in (("pypinyin", "0.55.0"), ("jieba", "0.42.1"), ("pypinyin-dict", "0.9.0")):
        try:
            found = metadata.version(package)
        except metadata.PackageNotFoundError:
            found = "none"
        if found != version:
            pytest.skip(f"the sample was made with {package} {version}; here is {found}")
    script = Path(__file__).resolve().parents[2] / "scripts" / "make_phun_sample.py"
    made = runpy.run_path(str(script))
    made["main"].__globals__["SAMPLE"] = tmp_path
    made["main"]()
    assert {f.name: f.read_bytes() for f in tmp_path.iterdir()} == {f.name: f.read_bytes() for f in SAMPLE.iterdir()}
