"""The user's folders: items from metadata columns, from a sheet beside it, or from SemEval's files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from apun.errors import DataError, UsageError
from apun.speech import Split
from apun.splits import read_split
from apun.tasks import Conditions, Subset
from benchmarks.apun_bench.data import export_items, load
from benchmarks.apun_bench.items import load_items
from benchmarks.apun_bench.tasks import inference, listening, location

ROWS: list[dict[str, Any]] = [
    {"file_name": "1.wav", "item_id": "r1", "text": "The bees want only honey.", "type": "heterographic"}
    | {"pun_word": "honey", "alternatives": ["money"], "swap_word": "money", "voice": "ann", "snr_db": 5.0}
    | {"licence": "CC BY-NC 4.0", "words": [["the", 0.0, 0.1], ["bees", 0.1, 0.4], ["want", 0.4, 0.6]]},
    {"file_name": "2.wav", "item_id": "r1", "part": "swapped", "text": "The bees want only money."},
    {"file_name": "3.wav", "item_id": "r2", "transcript": "It rained on Monday.", "type": "negative"},
]
ROWS[0]["words"] += [["only", 0.6, 0.8], ["honey", 0.8, 1.2]]


def make(folder: Path, rows: list[dict[str, Any]]) -> Path:
    folder.mkdir(exist_ok=True)
    for number, row in enumerate(rows):
        noise = np.random.default_rng(number).normal(0, 0.1, 16_000)
        soundfile.write(folder / row["file_name"], noise, 16_000)
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_items_in_the_metadata(tmp_path: Path) -> None:
    items = load(Subset("real", make(tmp_path / "real", ROWS)))
    assert [(item.id, item.type) for item in items] == [("r1", "heterographic"), ("r2", "negative")]
    assert items[1].text == "It rained on Monday."
    assert not items[0].commercial


def test_items_in_a_sheet_beside_it(tmp_path: Path) -> None:
    folder = make(tmp_path / "real", [{"file_name": "1.wav", "item_id": "r1"}])
    (folder / "items.csv").write_text(
        "\ufefftype;text;id;pun_word;alternatives\r\n\r\nhomophonic;They sink oar swim.;r1;oar;or\r\n", encoding="utf-8"
    )
    items = load(Subset("real", folder))
    assert [(item.id, item.type, item.alternatives) for item in items] == [("r1", "homophonic", ("or",))]


def test_word_times_voice_and_noise_reach_the_scores(tmp_path: Path) -> None:
    from apun.replies import Reply

    folder = make(tmp_path / "real", ROWS)
    items, split = load(Subset("real", folder)), read_split(folder)
    question = next(location.TASK.ask(items, Conditions(), split))
    score = location.TASK.score(question, Reply("ok", text="honey", answer="honey"))
    assert (score.labels["voice"], score.labels["snr_db"], score.labels["modality"]) == ("ann", "5.0", "audio")
    assert (score.statistics["timed"], score.statistics["hit"], score.statistics["overlap"]) == (1.0, 1.0, 1.0)
    early = location.TASK.score(question, Reply("ok", text="the", answer="the"))
    assert (early.statistics["timed"], early.statistics["hit"], early.statistics["overlap"]) == (1.0, 0.0, 0.0)
    silent = location.TASK.score(question, Reply.error("no"))
    assert (silent.statistics["timed"], silent.statistics["hit"]) == (1.0, 0.0)


def test_a_recordings_speaker_is_its_voice(tmp_path: Path) -> None:
    from apun.replies import Reply

    rows = [{**{key: value for key, value in ROWS[0].items() if key != "voice"}, "speaker": "bob"}]
    folder = make(tmp_path / "real", rows)
    question = next(location.TASK.ask(load(Subset("real", folder)), Conditions(), read_split(folder)))
    assert location.TASK.score(question, Reply.error("x")).labels["voice"] == "bob"


def test_a_recognisers_word_times_are_used_where_the_split_has_none(tmp_path: Path) -> None:
    from apun.replies import Reply

    rows = [{key: value for key, value in ROWS[0].items() if key != "words"}]
    folder = make(tmp_path / "real", rows)
    question = next(location.TASK.ask(load(Subset("real", folder)), Conditions(), read_split(folder)))
    times = (("The", 0.0, 0.1), ("bees", 0.1, 0.4), ("want", 0.4, 0.6), ("only", 0.6, 0.8), ("money.", 0.9, 1.3))
    score = location.TASK.score(question, Reply("ok", text="x", answer="money", words=(times,)))
    # the recogniser misheard the pun word; the place is still found, and so is its time
    assert (score.statistics["coarse"], score.statistics["fine"]) == (1.0, 0.0)
    assert (score.statistics["timed"], score.statistics["hit"], score.statistics["overlap"]) == (1.0, 1.0, 1.0)
    nothing = location.TASK.score(question, Reply("ok", text="x", answer="money"))
    assert nothing.statistics["timed"] == 0.0


def test_the_listening_test_needs_both_clips(tmp_path: Path) -> None:
    folder = make(tmp_path / "real", ROWS)
    items, split = load(Subset("real", folder)), read_split(folder)
    asked = list(listening.TASK.ask(items, Conditions(), split))
    assert [q.variant for q in asked] == ["p0.main", "p0.swapped"]
    clips = {audio.clip.path.name for q in asked for audio in q.prompt.audios if audio.clip.path}
    assert clips == {"1.wav", "2.wav"}
    texts = {"".join(getattr(part, "text", "") for part in q.prompt.messages[-1].parts) for q in asked}
    assert len(texts) == 1  # the same question, word for word
    alone = Split(folder, {k: v for k, v in split.rows.items() if k[1] == "main"}, split.clips)
    assert not list(listening.TASK.ask(items, Conditions(), alone))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "joke"}, r"metadata\.jsonl:1: field 'type': must be one of .*, is 'joke'"),
        ({"pun_word": "money"}, r"metadata\.jsonl:1: field 'pun_word': 'money' occurs 0 times"),
        ({"type": None}, r"metadata\.jsonl: field 'type': 1 rows have no 'type', the others do"),
    ],
)
def test_bad_columns_are_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    folder = make(tmp_path / "real", [ROWS[0] | change, *ROWS[1:]])
    with pytest.raises(DataError, match=message):
        load(Subset("real", folder))


def test_missing_annotation_says_what_to_put_where(tmp_path: Path) -> None:
    folder = make(tmp_path / "real", [{"file_name": "1.wav", "item_id": "r1", "text": "x"}])
    with pytest.raises(DataError, match=r"none of its 1 rows says what .* or an items\.jsonl, items\.csv"):
        load(Subset("real", folder))
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"empty: holds no items. Put metadata\.jsonl and its audio there"):
        load(Subset("real", tmp_path / "empty"))
    (folder / "items.csv").write_text("id,text,type\n")
    (folder / "items.jsonl").write_text("\n")
    with pytest.raises(DataError, match=r"holds both items\.jsonl and items\.csv"):
        load(Subset("real", folder))
    with pytest.raises(UsageError, match=r"subset 'real' needs a folder: give --data-dir DIR"):
        load(Subset("real"))


def test_export_leaves_out_rows_that_bar_commercial_use(tmp_path: Path) -> None:
    make(tmp_path / "real", [ROWS[0], ROWS[2] | {"licence": "CC0"}])
    out = tmp_path / "items.jsonl"
    assert export_items(out, subset="real", data_dir=tmp_path) == (2, 0)
    assert export_items(out, subset="real", data_dir=tmp_path, commercial=True) == (1, 1)
    assert [item.id for item in load_items(out)] == ["r2"]


def test_semeval_as_a_subset(shared_data: Path) -> None:
    items = load(Subset("synthetic", shared_data / "semeval2017-task7"))
    assert len(items) == 4030
    asked = sum(1 for _ in inference.TASK.ask(items, Conditions(modality="text"), None))
    assert asked == 1298 + 1098
