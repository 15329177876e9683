"""The SemEval import, in both forms, and glosses from a WordNet folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from apun.errors import DataError
from benchmarks.apun_bench.items import PunItem, inflected_like, type_of, words
from benchmarks.apun_bench.semeval import glosses, joined, read_folder, read_schema, read_xml

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "semeval2017-task7"


@pytest.fixture(scope="module")
def schema(folder: Path) -> list[PunItem]:
    return read_schema(folder / "semeval_apun_schema.jsonl")


@pytest.fixture(scope="module")
def xml(folder: Path) -> list[PunItem]:
    return read_xml(folder / "data" / "test", non_commercial=folder / "homographic_nc_ids.txt")


def test_counts(schema: list[PunItem]) -> None:
    types = Counter(item.type for item in schema)
    assert len(schema) == 4030
    assert sum(item.is_pun for item in schema) == 2878
    assert types["negative"] == 1152
    assert sum(bool(item.meanings) for item in schema) == 1298
    assert sum(bool(item.alternatives) for item in schema) == 1098
    assert types["homographic"] == 1607
    assert types["untyped"] == 173
    # beside the paper's 794 and 304; scripts/report_semeval.py says why. 193 pairs hold a word that CMUdict
    # lacks, so the letter-to-sound rules move the split by a few.
    assert types["heterographic"] + types["homophonic"] == 1098
    assert abs(types["homophonic"] - 362) <= 10


def test_both_forms_hold_the_same(schema: list[PunItem], xml: list[PunItem]) -> None:
    by_id = {item.id: item for item in schema}
    assert {item.id for item in xml} == set(by_id)
    for item in xml:
        other = by_id[item.id]
        assert set(item.alternatives) == set(other.alternatives)  # the sense keys stand in another order
        for name in ("type", "is_pun", "pun_word", "licence"):
            assert getattr(item, name) == getattr(other, name), (item.id, name)
    differ = [item.id for item in xml if words(item.text) != words(by_id[item.id].text)]
    assert len(differ) <= 8, differ  # curly apostrophes that the other form leaves apart


def test_the_licence_of_each_row_is_kept(schema: list[PunItem]) -> None:
    assert sum(not item.commercial for item in schema) == 1138


def test_pun_words_stand_where_the_item_says(schema: list[PunItem]) -> None:
    for item in schema:
        if item.is_pun:
            assert item.pun_word.casefold() in words(item.text)[item.pun_index].casefold().replace("’", "'")


def test_known_items(schema: list[PunItem]) -> None:
    by_id = {item.id: item for item in schema}
    assert by_id["hom_3"].pun_word == "sting"
    assert by_id["het_5"].alternatives == ("news",)
    assert by_id["het_9"].type == "homophonic"  # stair, stare
    assert by_id["het_8"].type == "untyped"


def test_a_perfect_answer_to_every_semeval_pun_is_right(ask, metrics, schema: list[PunItem]) -> None:
    from benchmarks.apun_bench.tasks import inference, location

    found = metrics(location.TASK, ask(location.TASK, schema, location.TASK.perfect))
    assert found["coarse"] == found["fine"] == 1.0
    words_only = [item for item in schema if item.alternatives]
    judged = ask(inference.TASK, words_only, inference.TASK.perfect)
    wrong = [score.item for score in judged if not score.statistics["correct"]]
    assert not wrong


def test_the_folder_is_recognised_and_the_report_prints(folder: Path) -> None:
    assert len(read_folder(folder)) == 4030
    printed = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "report_semeval.py"), str(folder)],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    ).stdout
    assert "all                 4030  2878       1152         2396             173            1138" in printed
    counts = re.search(r"any reading, word as written +(\d+) +(\d+) +1298  2396", printed)
    assert counts
    assert abs(int(counts[1]) - 794) <= 10  # read as the paper seems to, the paper's counts come out
    assert re.search(r"paper \(quoted\) +794 +304 +1298  2396", printed)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "subtask1-homographic-test.gold",
            "hom_1\t1",
            "hom_1",
            r"homographic-test\.gold:1: has 1 fields, not 2",
        ),
        ("subtask1-homographic-test.gold", "hom_1\t1", "x\t1", r"gold:1: no text has the id 'x'"),
        ("subtask2-homographic-test.gold", "hom_1_12", "hom_1_99", r"gold:1: 'hom_1_99' is no word of text 'hom_1'"),
        ("subtask3-homographic-test.gold", "save%2:40:02::", "save", r"gold:1: 'save' is not a WordNet sense key"),
        ("subtask1-heterographic-test.xml", "</corpus>", "", r"is not well-formed XML"),
        (
            "subtask1-homographic-test.xml",
            "<!DOCTYPE corpus SYSTEM 'puns.dtd'>",
            '<!DOCTYPE c [<!ENTITY a "b">]>',
            r"is refused \(EntitiesForbidden\)",
        ),
    ],
)
def test_broken_archives_are_refused(tmp_path: Path, folder: Path, file: str, old: str, new: str, message: str) -> None:
    copy = tmp_path / "test"
    shutil.copytree(folder / "data" / "test", copy)
    path = copy / file
    path.chmod(0o644)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_xml(copy)


def test_a_folder_with_neither_form(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Unpack the SemEval-2017 Task 7 archive there"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Wal - Mart isn ' t the only saving place !", "Wal-Mart isn't the only saving place!"),
        ("' ' I ' m here , ' ' Tom alleged .", '"I\'m here," Tom alleged.'),
        ("the dog ' s bark ( loud ) ; it ' s old", "the dog's bark (loud); it's old"),
        ("at 5 o ' clock and / or later", "at 5 o'clock and/or later"),
    ],
)
def test_tokens_become_text(tokens: str, text: str) -> None:
    assert joined(tokens.split()) == text


@pytest.mark.parametrize(
    ("pun", "others", "kind"),
    [
        (("bark",), ("bark",), "homographic"),
        (("flour",), ("flower",), "homophonic"),
        (("seal",), ("deal",), "heterographic"),
        (("seal",), ("deal", "ceil"), "heterographic"),
        (("heels", "heel"), ("heal",), "homophonic"),
        (("Bark",), ("bark",), "homographic"),
        (("mist",), ("miss", "missed"), "homophonic"),
        (("seal",), (), "untyped"),
    ],
)
def test_types(pun: tuple[str, ...], others: tuple[str, ...], kind: str) -> None:
    assert type_of(pun, others) == kind


@pytest.mark.parametrize(
    ("word", "lemma", "other", "form"),
    [
        ("goats", "goat", "vote", "votes"),
        ("swan", "swan", "swim", "swim"),
        ("peaches", "peach", "preach", "preaches"),
        ("alleged", "allege", "ledge", "ledged"),
        ("boring", "bore", "boar", "boaring"),
    ],
)
def test_the_other_word_takes_the_pun_words_form(word: str, lemma: str, other: str, form: str) -> None:
    assert inflected_like(word, (lemma,), other) == form


def wordnet(folder: Path) -> Path:
    """Two synsets in WordNet's file format, made up."""
    header = "  1 licence text\n"
    noun = '04 n 01 bark 0 000 | the skin of a made-up tree; "it had a bark"\n'
    verb = "39 v 01 bark 0 000 | make a made-up noise\n"
    for name, body in (("noun", noun), ("verb", verb), ("adj", ""), ("adv", "")):
        line = f"{len(header):08d} {body}" if body else ""
        (folder / f"data.{name}").write_text(header + line)
    (folder / "index.sense").write_text(f"bark%1:20:00:: {len(header):08d} 1 0\nbark%2:39:00:: {len(header):08d} 1 0\n")
    return folder


def test_glosses_from_a_wordnet_folder(tmp_path: Path) -> None:
    found = glosses(wordnet(tmp_path), ["bark%1:20:00::", "bark%2:39:00::", "none%1:20:00::"])
    assert found == {
        "bark%1:20:00::": "the skin of a made-up tree",
        "bark%2:39:00::": "make a made-up noise",
    }


def test_a_wordnet_whose_files_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"index\.sense: no WordNet index. Give the 'dict' folder"):
        glosses(tmp_path, ["bark%1:20:00::"])
    wordnet(tmp_path)
    (tmp_path / "data.noun").write_text("another release\n")
    with pytest.raises(DataError, match="from one WordNet release"):
        glosses(tmp_path, ["bark%1:20:00::"])


def test_xml_gets_its_meanings_from_wordnet(tmp_path: Path, folder: Path) -> None:
    index = wordnet(tmp_path) / "index.sense"
    text = index.read_text().replace("bark%1:20:00::", "sting%1:26:01::")
    index.write_text(text)
    assert {i.id: i for i in read_xml(folder / "data" / "test", tmp_path)}["hom_3"].meanings == ()  # one sense only
    index.write_text(text + "sting%1:04:01:: 00000000 1 0\n")
    (tmp_path / "data.noun").write_text("00000000 | another made-up gloss\n" + "x" * 4)
    with pytest.raises(DataError, match=r"where index\.sense puts sting"):
        read_xml(folder / "data" / "test", tmp_path)
    first = "00000000 04 n 01 | a made-up plan\n"
    (tmp_path / "data.noun").write_text(first + f"{len(first):08d} 04 n 01 | a made-up pain\n")
    index.write_text(f"sting%1:26:01:: {len(first):08d} 1 0\nsting%1:04:01:: 00000000 1 0\n")
    items = {item.id: item for item in read_xml(folder / "data" / "test", tmp_path)}
    assert items["hom_3"].meanings == ("a made-up pain", "a made-up plan")
    assert items["hom_2"].meanings == ()
