"""The builder from the official table, the embedded sample, and loading."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apun.errors import DataError
from apun.phonetics.japanese import morae, vowel_sequence
from apun.records import Record
from apun.tasks import Subset
from benchmarks.yomi_bench.build import _moved, build, negative, rows, write
from benchmarks.yomi_bench.data import DATA, load
from benchmarks.yomi_bench.items import HeardItem, ReadingItem, RhymeItem
from benchmarks.yomi_bench.kanji import Kanji, align, place, read_table, sounds, stems
from benchmarks.yomi_bench.lexicon import dictionary_readings
from benchmarks.yomi_bench.near import distance


@pytest.fixture(scope="module")
def table(shared_data: Path) -> list[Kanji]:
    return read_table(shared_data / "joyo")


SAMPLE = load(Subset("sample"))


def test_the_official_table(table: list[Kanji]) -> None:
    assert len(table) == 2136
    assert sum(kanji.single for kanji in table) == 807
    assert sum(not kanji.single for kanji in table) == 1329


@pytest.mark.parametrize(
    ("char", "expected"),
    [
        ("覚", ("かく", "おぼ", "さ")),
        ("病", ("びょう", "へい", "や", "やまい")),
        ("白", ("はく", "びゃく", "しろ", "しら")),
        ("集", ("しゅう", "あつ", "つど")),
        ("滝", ("たき",)),
    ],
)
def test_stems_are_what_the_kanji_itself_carries(table: list[Kanji], char: str, expected: tuple[str, ...]) -> None:
    assert stems(next(kanji for kanji in table if kanji.char == char)) == expected


def test_the_sample_is_what_the_builder_makes(table: list[Kanji], tmp_path: Path) -> None:
    """Same table, dictionary and seed: the embedded files, byte for byte."""
    write(build(table, dictionary_readings, seed=0), tmp_path)
    for path in sorted(DATA.glob("*.jsonl")):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_another_seed_draws_other_kanji(table: list[Kanji]) -> None:
    one, two = (build(table, lambda word: {READ[word]} if word in READ else set(), seed, 5) for seed in (1, 2))
    assert [item.kanji for item in one.readings] != [item.kanji for item in two.readings]


READ = {item.word: item.word_kana for item in SAMPLE if isinstance(item, ReadingItem) and item.word_kana}
READ |= {w: k for i in SAMPLE if isinstance(i, RhymeItem) for w, k in zip(i.options_kanji, i.options_kana, strict=True)}
READ |= {item.query_kanji: item.query_kana for item in SAMPLE if isinstance(item, RhymeItem)}


def test_too_small_a_table_is_refused(table: list[Kanji]) -> None:
    with pytest.raises(DataError, match="100 were asked for"):
        build(table[:50], lambda word: {READ[word]} if word in READ else set(), count=100)


def test_sample_readings(table: list[Kanji]) -> None:
    """100 kanji of each kind; every reading is the table's, in a word of the table, up to voicing and っ."""
    official = {kanji.char: kanji for kanji in table}
    readings = [item for item in SAMPLE if isinstance(item, ReadingItem)]
    assert Counter(item.kind for item in readings if item.kind == "single") == {"single": 100}
    multiple = Counter(item.kanji for item in readings if item.kind == "multiple")
    assert len(multiple) == 100 and min(multiple.values()) >= 2
    for item in readings:
        kanji = official[item.kanji]
        assert kanji.single == (item.kind == "single")
        assert any(item.word in reading.examples for reading in kanji.readings)
        assert any(item.reading in sounds(stem) for stem in stems(kanji))
        assert item.base is None or item.base in stems(kanji)
        parts = align(item.word, str(item.word_kana), lambda char: stems(official[char]) if char in official else ())
        assert parts is not None and parts[item.word.index(item.kanji)] == item.reading
        assert not any(item.negative in sounds(stem) for stem in stems(kanji))
        assert len(item.negative) == len(item.reading)


def test_sample_rhymes_have_one_answer_of_the_same_length(table: list[Kanji]) -> None:
    single = {kanji.char for kanji in table if kanji.single}
    rhymes = [item for item in SAMPLE if isinstance(item, RhymeItem)]
    assert len(rhymes) == 100 == len({item.query_kana for item in rhymes})
    for item in rhymes:
        matching = [kana for kana in item.options_kana if vowel_sequence(kana) == vowel_sequence(item.query_kana)]
        assert matching == [item.rhyme] and item.rhyme != item.query_kana
        assert len({len(morae(kana)) for kana in (item.query_kana, *item.options_kana)}) == 1
        assert set(item.query_kanji) & single


def test_no_letter_is_right_more_often_than_another() -> None:
    for kind in (RhymeItem, HeardItem):
        answers = [item.answer for item in SAMPLE if isinstance(item, kind)]
        assert Counter(answers) == {0: 25, 1: 25, 2: 25, 3: 25}
        assert answers != [index % 4 for index in range(100)]


def test_heard_options_are_near_but_never_homophones() -> None:
    heard = [item for item in SAMPLE if isinstance(item, HeardItem)]
    assert len(heard) == 100
    for item in heard:
        others = [kana for kana in item.options_kana if kana != item.kana]
        assert len(set(item.options_kana)) == 4 == len(set(item.options)) and len(others) == 3
        assert item.options[item.answer] == item.word and item.options_kana[item.answer] == item.kana
    near = [min(distance(i.kana, k) for k in i.options_kana if k != i.kana) / len(morae(i.kana)) for i in heard]
    assert sum(near) / len(near) < 0.3


@pytest.mark.parametrize(
    ("word", "kana", "parts"),
    [
        ("花園", "はなぞの", ("はな", "ぞの")),
        ("筆記", "ひっき", ("ひっ", "き")),
        ("覚える", "おぼえる", ("おぼ", "え", "る")),
        ("時々", "ときどき", ("とき", "どき")),
        ("陳腐", "ちんぷ", ("ちん", "ぷ")),
        ("花園", "かえん", None),
    ],
)
def test_align(word: str, kana: str, parts: tuple[str, ...] | None) -> None:
    known = {"花": ("はな",), "園": ("その",), "筆": ("ひつ",), "記": ("き",), "覚": ("おぼ",), "時": ("とき",)}
    known |= {"陳": ("ちん",), "腐": ("ふ",)}
    assert align(word, kana, lambda char: known.get(char, ())) == parts


def test_an_ambiguous_split_is_none() -> None:
    assert align("甲乙", "ああ" + "あ", lambda char: ("あ", "ああ")) is None


@pytest.mark.parametrize(
    ("word", "char", "reading", "kana", "start"),
    [
        ("覚醒", "覚", "かく", "かくせい", 0),
        ("覚醒", "醒", "せい", "かくせい", 2),
        ("目覚まし", "覚", "ざ", "めざまし", 1),
        ("覚える", "覚", "おぼ", "おぼえる", 0),
        ("覚える", "覚", "さ", "おぼえる", None),
        ("旗色", "旗", "はた", "きしょく", None),
        ("研ぐ", "研", "とぐ", "とぐ", None),
        ("覚醒", "覚", "かくせい", "かくせい", None),
    ],
)
def test_place(word: str, char: str, reading: str, kana: str, start: int | None) -> None:
    assert place(word, char, reading, kana) == start


def test_negative_falls_back_to_the_nearest_length() -> None:
    rng = Random(0)
    assert negative("かく", ["かく"], ["かく", "がく", "かっ", "せい", "こころ"], rng) == "せい"
    assert negative("こころざし", ["こころざし"], ["せい", "そうろう"], rng) == "そうろう"


def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    return folder


def test_a_built_folder_loads_as_the_sample(tmp_path: Path) -> None:
    assert load(Subset("built", copy(tmp_path))) == SAMPLE


def test_rows_leave_out_what_is_not_known(tmp_path: Path) -> None:
    from benchmarks.yomi_bench.build import Built

    item = ReadingItem("single_0", "岬", "岬", "みさき", "single", "さかな")
    row = rows(Built((item,), (), ()))["readings.jsonl"][0]
    assert row == {"sample_id": "single_0", "kanji": "岬", "word": "岬", "reading": "みさき", "negative": "さかな"}


@pytest.mark.parametrize(
    ("name", "field", "value", "message"),
    [
        ("readings.jsonl", "reading", "覚", "must be kana"),
        ("readings.jsonl", "reading", "", "non-empty"),
        ("readings.jsonl", "reading", None, "non-empty"),
        ("readings.jsonl", "word", "別語", "does not hold the kanji"),
        ("readings.jsonl", "sample_id", "item 3", "single_N"),
        ("readings.jsonl", "negative", "ka", "must be kana"),
        ("rhyme_items.jsonl", "answer", 4, "from 0 to 3"),
        ("rhyme_items.jsonl", "answer", True, "from 0 to 3"),
        ("rhyme_items.jsonl", "query_kana", "あ", "Exactly the option"),
        ("rhyme_items.jsonl", "options_kanji", ["一", "二"], "must hold 4"),
        ("rhyme_items.jsonl", "options_kana", "きしょう", "must hold 4 texts"),
        ("heard_items.jsonl", "kana", "ちがう", "exactly the answer"),
        ("heard_items.jsonl", "word", " ", "non-empty"),
    ],
)
def test_malformed_rows_are_named(tmp_path: Path, name: str, field: str, value: object, message: str) -> None:
    folder = copy(tmp_path)
    path = folder / name
    lines = path.read_text("utf-8").splitlines()
    row = json.loads(lines[2])
    row[field] = value
    lines[2] = json.dumps(row, ensure_ascii=False)
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(DataError, match=message) as error:
        load(Subset("built", folder))
    assert error.value.line == 3 and error.value.file == path


@pytest.mark.parametrize("line", ["{", "[]", '"x"', "null", "[" * 100_000])
def test_lines_that_are_no_objects(tmp_path: Path, line: str) -> None:
    folder = copy(tmp_path)
    (folder / "readings.jsonl").write_text(line, "utf-8")
    with pytest.raises(DataError, match=r"readings\.jsonl:1"):
        load(Subset("built", folder))


def test_a_repeated_id_and_a_missing_file_are_named(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    path = folder / "readings.jsonl"
    first = path.read_text("utf-8").splitlines()[0]
    path.write_text(f"{first}\n{first}\n", "utf-8")
    with pytest.raises(DataError, match="'single_0' stands twice"):
        load(Subset("built", folder))
    path.unlink()
    with pytest.raises(DataError, match=r"holds no readings\.jsonl"):
        load(Subset("built", folder))


def test_a_broken_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "joyo_readings.jsonl"
    path.write_text('{"kanji": "亜", "items": [{"reading": "亜", "examples": []}]}\n', "utf-8")
    with pytest.raises(DataError, match=r"joyo_readings\.jsonl:1: field 'reading'"):
        read_table(tmp_path)
    with pytest.raises(DataError, match="no such table"):
        read_table(tmp_path / "nowhere")


def test_rows_survive_a_round_trip() -> None:
    for item in SAMPLE:
        record = Record(item.to_json())
        if isinstance(item, ReadingItem):
            made = ReadingItem.from_record(record)
            assert made.to_json() == item.to_json() and made.okurigana == item.okurigana
        elif isinstance(item, RhymeItem):
            assert RhymeItem.from_record(record, "unused", {}) == item
        else:
            assert HeardItem.from_record(record) == item


def test_items_without_what_the_builder_adds(tmp_path: Path) -> None:
    """As the release has it: no false readings beside the yes/no file, ids by place, words to hear made from rhymes."""
    folder = copy(tmp_path)
    rows = [json.loads(line) for line in (folder / "readings.jsonl").read_text("utf-8").splitlines()]
    bare = [{name: row[name] for name in ("sample_id", "kanji", "word", "reading")} for row in rows]
    _write(folder / "readings.jsonl", bare)
    _write(folder / "qa_single_items.jsonl", [{"sample_id": "single_0", "negative": "ひだり"}])
    rhymes = [json.loads(line) for line in (folder / "rhyme_items.jsonl").read_text("utf-8").splitlines()]
    _write(folder / "rhyme_items.jsonl", [{name: row[name] for name in row if name != "id"} for row in rhymes])
    (folder / "heard_items.jsonl").unlink()
    items = {item.id: item for item in load(Subset("released", folder))}
    again = load(Subset("released", folder))
    assert list(items.values()) == list(again)
    first = items["single_0"]
    assert isinstance(first, ReadingItem) and first.negative == "ひだり"
    others = [item for item in again if isinstance(item, ReadingItem)]
    assert all(item.negative and item.negative != item.reading for item in others)
    assert [item.id for item in again if isinstance(item, RhymeItem)] == [f"rhyme_{n}" for n in range(100)]
    assert sum(isinstance(item, HeardItem) for item in again) > 50


def _write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "not JSON"),
        ("[]", "one JSON object"),
        ('{"rhyme_selection": 3}', "'rhyme_selection' must be an object"),
        ('{"rhyme_selection": {"question_variants": [1]}}', "'rhyme_selection': must be a list of texts"),
        ('{"rhyme_selection": {"question_variants": ["x"], "body": 1}}', "'rhyme_selection': must be text"),
    ],
)
def test_malformed_released_prompts_are_named(tmp_path: Path, content: str, message: str) -> None:
    folder = copy(tmp_path)
    (folder / "prompt_variants.json").write_text(content, "utf-8")
    with pytest.raises(DataError, match=message) as error:
        load(Subset("released", folder))
    assert error.value.file == folder / "prompt_variants.json"


@given(st.text(alphabet="あいかきょうんっ", min_size=1, max_size=6), st.integers(0, 3), st.integers(0, 3))
def test_moving_the_right_option_exchanges_two(kana: str, answer: int, place: int) -> None:
    options = tuple(f"{kana}{letter}" for letter in "かきくけ")
    moved = _moved(RhymeItem("rhyme_0", "語", kana, options, options, answer), place)
    assert moved.rhyme == options[answer] and moved.answer == place
    assert moved.options_kanji == moved.options_kana and moved.options_kana[answer] == options[place]
    assert sorted(moved.options_kana) == sorted(options)
