"""Recordings to gold: drafts, review sheets, Label Studio, agreement - with every figure worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
import soundfile

from apun import annotate
from apun.errors import DataError, UsageError
from apun.models import Generation, ModelInfo, Transcript
from apun.prompts import Prompt
from apun.records import read
from apun.replies import Reply
from apun.sheets import write_sheet
from apun.splits import read_split
from benchmarks.apun_bench.annotation import drafting, reviewing
from benchmarks.apun_bench.annotation.drafting import make_drafts
from benchmarks.apun_bench.annotation.gold import agree, gold_item, kappas, merge_reviews
from benchmarks.apun_bench.annotation.reviewing import Draft, Review, read_drafts, read_reviews
from benchmarks.apun_bench.items import load_items

TEXTS = {
    "c1": "The baker gives his children everything they knead",
    "c2": "The dog adores the bark of an old tree",
    "c3": "It rained on Monday",
    "c4": "Broken",
}


class Annotator:
    """A scripted language model: answers by what the prompt's last message holds."""

    def __init__(self) -> None:
        self.info = ModelInfo("scripted", "test", "1", audio=False, max_batch=2)
        self.asked: list[str] = []

    def generate(self, prompts: Sequence[Prompt], generation: Generation) -> list[Reply]:
        assert generation.temperature == 0.0
        return [self._one(prompt) for prompt in prompts]

    def _one(self, prompt: Prompt) -> Reply:
        text = prompt.messages[-1].parts[0].text  # type: ignore[union-attr]
        self.asked.append(text)
        if "Broken" in text:
            return Reply.error("out of order")
        if "Pun word:" in text:
            answer = "need" if "knead" in text else "sound of a dog AND skin of a tree"
        elif "knead" in text:
            answer = "Pun: yes\nWord: knead\nKind: sound"
        elif "bark" in text:
            answer = "Pun: yes\nWord: Bark\nKind: meaning"
        else:
            answer = "Pun: no\nWord: none\nKind: none"
        return Reply("ok", text=answer, answer=answer)

    def close(self) -> None: ...


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    folder = tmp_path / "clips"
    folder.mkdir()
    rows = []
    for number, (name, text) in enumerate(TEXTS.items()):
        soundfile.write(folder / f"{name}.wav", np.random.default_rng(number).normal(0, 0.1, 8_000), 16_000)
        rows.append({"file_name": f"{name}.wav", "item_id": name, "text": text, "speaker": "ann", "licence": "CC0"})
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture
def drafts() -> dict[str, Draft]:
    found = drafting.draft([(name, text, "") for name, text in TEXTS.items()], Annotator(), "ears")
    return {draft.id: draft for draft in found}


def test_drafts_of_a_scripted_model(drafts: dict[str, Draft]) -> None:
    assert drafts["c1"] == Draft("c1", TEXTS["c1"], True, "knead", ("need",), (), "", "ears", "scripted")
    assert drafts["c2"].meanings == ("sound of a dog", "skin of a tree")
    assert drafts["c2"].pun_word == "bark"  # as it stands in the transcript
    assert drafts["c3"] == Draft("c3", TEXTS["c3"], False, recogniser="ears", model="scripted")
    assert (drafts["c4"].is_pun, drafts["c4"].problem) == (None, "model: out of order")


def test_the_few_shot_examples_are_sent_and_are_not_in_the_sample(sample) -> None:
    prompts: list[Prompt] = []

    class Recorder(Annotator):
        def generate(self, asked: Sequence[Prompt], generation: Generation) -> list[Reply]:
            prompts.extend(asked)
            return super().generate(asked, generation)

    list(drafting.draft([("c1", TEXTS["c1"], "")], Recorder(), "ears"))
    assert [message.role for message in prompts[0].messages][:3] == ["system", "user", "assistant"]
    shown = " ".join(part.text for p in prompts for m in p.messages for part in m.parts)  # type: ignore[union-attr]
    assert "No: the word must be the one with two readings" in shown
    assert not [item for item in sample if item.text in shown]


@pytest.mark.parametrize(
    ("answer", "is_pun", "problem"),
    [
        ("I think so", None, "model: the first answer could not be read"),
        ("Pun: yes\nWord: bread\nKind: sound", True, "model: named no word of the transcript"),
        ("Pun: yes", True, "model: named no word of the transcript"),
    ],
)
def test_what_cannot_be_read_is_said_and_not_guessed(answer: str, is_pun: bool | None, problem: str) -> None:
    class Vague(Annotator):
        def _one(self, prompt: Prompt) -> Reply:
            return Reply("ok", text=answer, answer=answer)

    (draft,) = drafting.draft([("c1", TEXTS["c1"], "")], Vague(), "ears")
    assert (draft.is_pun, draft.pun_word, draft.problem) == (is_pun, "", problem)


def test_a_clip_that_is_not_recognised_is_told(clips: Path) -> None:
    class Ears:
        def transcribe(self, given: Sequence[Any], language: str | None) -> list[Transcript]:
            assert language == "en"
            return [Transcript("", error="no speech"), Transcript("  "), *(Transcript("hm") for _ in given[2:])]

    found = list(drafting.transcribe(read_split(clips), list(TEXTS), Ears()))  # type: ignore[arg-type]
    assert found == [("c1", "", "no speech"), ("c2", "", "nothing was recognised"), ("c3", "hm", ""), ("c4", "hm", "")]
    (draft, *_) = drafting.draft(found, Annotator(), "ears")
    assert (draft.problem, draft.is_pun) == ("recogniser: no speech", None)


def write(path: Path, drafts: dict[str, Draft], **changes: dict[str, str]) -> Path:
    """A reviewer's sheet: the drafts with some cells corrected."""
    rows = [reviewing.row_of(draft, "") | changes.get(name, {}) for name, draft in drafts.items()]
    write_sheet(path, reviewing.COLUMNS, rows)
    return path


C4 = {"is_pun": "no", "text": "Broken glass"}


def test_corrections_and_kappa_by_hand(tmp_path: Path, drafts: dict[str, Draft]) -> None:
    a = read_reviews(write(tmp_path / "a.csv", drafts, c4=C4, c1={"alternatives": "need; kneed"}), "a", drafts)
    b = read_reviews(write(tmp_path / "b.xlsx", drafts, c4=C4, c3={"is_pun": "YES", "pun_word": "rained"}
                           | {"alternatives": "reigned"}), "b", drafts)  # fmt: skip
    result = agree(drafts, {"a": a, "b": b})
    # agreed: c2 (as drafted) and c4 (text corrected: is_pun was empty, which counts as no); open: c1 and c3
    assert [review.id for review in result.agreed] == ["c2", "c4"]
    assert sorted(result.open) == ["c1", "c3"]
    corrected, agreement = result.tables
    rates = {row[0]: row[3] for row in corrected.rows}
    assert (rates["text"], rates["meanings"], rates["any field"]) == (50.0, 0.0, 50.0)
    found = {row[1]: row[2:] for row in agreement.rows}
    # pun or not: a says p p n n, b says p p p n: observed 3/4, expected (2*3 + 2*1)/16 = 1/2, kappa 1/2
    assert found["pun or not"] == (4, 75.0, pytest.approx(0.5))
    # accepted: a corrected c1 and c4, b corrected c3 and c4: same on c2, c4; expected 1/2, kappa 0
    assert found["draft accepted"] == (4, 50.0, pytest.approx(0.0))


def test_an_adjudicator_settles_what_is_open(tmp_path: Path, drafts: dict[str, Draft]) -> None:
    a = read_reviews(write(tmp_path / "a.csv", drafts, c4=C4), "a", drafts)
    b = read_reviews(write(tmp_path / "b.csv", drafts, c4=C4 | {"verdict": "drop"}), "b", drafts)
    assert sorted(agree(drafts, {"a": a, "b": b}).open) == ["c4"]
    final = [Review("c4", "decided", False, "", False)]
    settled = agree(drafts, {"a": a, "b": b}, final)
    assert (settled.open, settled.dropped) == ({}, ("c4",))
    assert len(settled.agreed) == 3


def test_one_reviewer_has_no_kappa(tmp_path: Path, drafts: dict[str, Draft]) -> None:
    a = read_reviews(write(tmp_path / "a.csv", drafts, c4=C4), "a", drafts)
    assert not kappas(drafts, {"a": a}).rows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "c9"}, r"a\.csv:2: field 'id': 'c9' was not drafted"),
        ({"id": "c2"}, r"a\.csv:3: field 'id': 'c2' stands twice"),
        ({"is_pun": "maybe"}, r"a\.csv:2: field 'is_pun': 'maybe' is neither yes nor no"),
        ({"is_pun": ""}, r"a\.csv:2: field 'is_pun': '' is neither yes nor no"),
        ({"text": ""}, r"a\.csv:2: field 'text': is empty"),
        ({"pun_word": ""}, r"a\.csv:2: field 'pun_word': is empty, though it is a pun"),
        ({"meaning_1": "x"}, r"a\.csv:2: field 'meaning_2': there is one meaning"),
        ({"alternatives": ""}, r"a\.csv:2: field 'alternatives': a pun has either another word or two meanings"),
        ({"verdict": "perhaps"}, r"a\.csv:2: field 'verdict': 'perhaps' is no verdict"),
    ],
)
def test_bad_reviews_are_refused_by_name(
    tmp_path: Path, drafts: dict[str, Draft], change: dict[str, str], message: str
) -> None:
    path = write(tmp_path / "a.csv", drafts, c1=change, c4=C4)
    with pytest.raises(DataError, match=message):
        read_reviews(path, "a", drafts)


def test_a_sheet_survives_excel(tmp_path: Path, drafts: dict[str, Draft]) -> None:
    """Columns moved, blank rows put in, semicolons, a byte-order mark, and saved as xlsx."""
    path = write(tmp_path / "a.csv", drafts, c4=C4)
    plain = [dict(row.values) for row in read(path)]
    moved = list(reversed(reviewing.COLUMNS))
    lines = [";".join(moved), *(";".join(f'"{row[c]}"' for c in moved) + "\r\n;;" for row in plain)]
    excel = tmp_path / "excel.csv"
    excel.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    book = openpyxl.Workbook()
    book.active.append(moved)
    for row in plain:
        book.active.append([None] * 3)
        book.active.append([row[c] for c in moved])
    book.save(tmp_path / "excel.xlsx")
    wanted = [review.fields() for review in read_reviews(path, "a", drafts)]
    for other in (excel, tmp_path / "excel.xlsx"):
        assert [review.fields() for review in read_reviews(other, "a", drafts)] == wanted


def test_the_whole_way_by_command(tmp_path: Path, clips: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reasoner drafts over given texts; one person corrects; gold comes out and is a real subset."""
    work = tmp_path / "work"
    line = ["draft", "--data-dir", str(clips), "--out", str(work), "--model", "solver", "--recogniser", "given"]
    assert annotate.main([*line, "--reviewers", "ann"]) == 0
    drafts = read_drafts(work / "drafts.jsonl")
    assert drafts["c1"].alternatives == ("need",)
    sheet = work / "review-ann.csv"
    rows = [dict(row.values) for row in read(sheet)]
    for row in rows:
        if row["id"] == "c2":
            row |= {"is_pun": "yes", "pun_word": "bark", "alternatives": ""}
            row |= {"meaning_1": "sound of a dog", "meaning_2": "skin of a tree"}
        if row["id"] == "c4":
            row["verdict"] = "drop"
    write_sheet(sheet, reviewing.COLUMNS, rows)
    capsys.readouterr()
    assert annotate.main(["merge", "--out", str(work), "--sheet", f"ann={sheet}"]) == 0
    printed = capsys.readouterr().out
    assert "3 gold items" in printed
    assert "1 dropped" in printed
    items = {item.id: item for item in load_items(work / "items.jsonl")}
    assert (items["c1"].type, items["c1"].pun_ipa, items["c1"].alternative_ipa) == ("homophonic", "nid", "nid")
    assert (items["c1"].speaker, items["c1"].licence) == ("ann", "CC0")
    assert items["c2"].type == "homographic"
    assert items["c3"].type == "negative"

    (clips / "items.jsonl").write_bytes((work / "items.jsonl").read_bytes())
    from apun.tasks import Conditions, Subset
    from benchmarks.apun_bench.benchmark import load
    from benchmarks.apun_bench.tasks import location

    asked = list(location.TASK.ask(load(Subset("real", clips)), Conditions(), read_split(clips)))
    assert [question.item.id for question in asked] == ["c1", "c2"]
    assert asked[0].prompt.audios[0].clip.seconds == 0.5


def test_nothing_is_asked_twice_and_failures_are_asked_again(
    tmp_path: Path, clips: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Annotator] = []

    def load(name: str, options: object) -> Annotator:
        made.append(Annotator())
        return made[-1]

    monkeypatch.setattr("audio_models.catalogue.load", load)
    settings: dict[str, Any] = {"model": "m", "recogniser": "given", "reviewers": ["a"], "label_studio": False}
    said: list[str] = []
    assert make_drafts(clips, tmp_path / "w", limit=2, tell=said.append, **settings) == 2
    assert make_drafts(clips, tmp_path / "w", tell=said.append, **settings) == 4
    assert not [text for text in made[1].asked if "knead" in text or "bark" in text]
    make_drafts(clips, tmp_path / "w", tell=said.append, **settings)
    assert made[2].asked == ["Transcript: Broken"]
    with pytest.raises(UsageError, match="holds drafts by given and m; take another --out"):
        make_drafts(clips, tmp_path / "w", tell=said.append, **settings | {"model": "other"})
    with pytest.raises(UsageError, match="cannot be part of a file name"):
        make_drafts(clips, tmp_path / "w", tell=said.append, **settings | {"reviewers": ["../a"]})


def test_a_stop_in_mid_line_costs_one_clip(tmp_path: Path, clips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []

    class Ears:
        def transcribe(self, given: Sequence[Any], language: str | None) -> list[Transcript]:
            heard.append(len(given))
            return [Transcript(TEXTS[clip.path.stem]) for clip in given]

        def close(self) -> None: ...

    models: list[Annotator] = []
    monkeypatch.setattr("asr.catalogue.load", lambda name, options: Ears())
    monkeypatch.setattr("audio_models.catalogue.load", lambda name, options: models.append(Annotator()) or models[-1])
    settings: dict[str, Any] = {"model": "m", "recogniser": "ears", "reviewers": ["a"], "label_studio": False}
    said: list[str] = []
    make_drafts(clips, tmp_path / "w", tell=said.append, **settings)
    assert "transcribed 4/4" in said
    whole = {name: (tmp_path / "w" / name).read_bytes() for name in ("drafts.jsonl", "transcripts.jsonl")}
    for name, data in whole.items():
        lines = data.splitlines(keepends=True)
        (tmp_path / "w" / name).write_bytes(b"".join(lines[:2]) + lines[2][:20])
    heard.clear()
    make_drafts(clips, tmp_path / "w", tell=said.append, **settings)
    assert heard == [2]  # c3 and c4; c1 and c2 were kept
    assert not [text for text in models[-1].asked if "knead" in text or "bark" in text]
    assert {name: (tmp_path / "w" / name).read_bytes() for name in whole} == whole


def test_a_reviewers_sheet_is_never_overwritten(tmp_path: Path, drafts: dict[str, Draft]) -> None:
    assert len(reviewing.write_reviews(tmp_path, drafts.values(), {}, ["a"])) == 2
    (tmp_path / "review-a.csv").write_text("my work")
    assert not reviewing.write_reviews(tmp_path, drafts.values(), {}, ["a"])
    assert (tmp_path / "review-a.csv").read_text() == "my work"


def test_open_items_come_as_a_sheet_and_go_back_decided(tmp_path: Path, drafts: dict[str, Draft]) -> None:
    reviewing.write_drafts(tmp_path / "drafts.jsonl", list(drafts.values()))
    other = {"alternatives": "kneed"}
    sheets = {
        "a": write(tmp_path / "a.csv", drafts, c4=C4),
        "b": write(tmp_path / "b.csv", drafts, c4=C4, c1=other),
    }
    first = merge_reviews(tmp_path, sheets)
    assert first.open_path is not None
    rows = [dict(row.values) for row in read(first.open_path)]
    assert [(row["id"], row["note"]) for row in rows] == [("c1", "a"), ("c1", "b")]
    write_sheet(tmp_path / "decided.csv", reviewing.COLUMNS, rows[:1])
    second = merge_reviews(tmp_path, sheets, decided=tmp_path / "decided.csv")
    assert second.open_path is None
    assert [item.id for item in second.items] == list(TEXTS)
    with pytest.raises(UsageError, match="nothing to merge"):
        merge_reviews(tmp_path, {})
    with pytest.raises(DataError, match="Run 'apun annotate draft' first"):
        merge_reviews(tmp_path / "none", sheets)


def test_gold_must_hold_together(tmp_path: Path, drafts: dict[str, Draft]) -> None:
    reviewing.write_drafts(tmp_path / "drafts.jsonl", list(drafts.values()))
    sheet = write(tmp_path / "a.csv", drafts, c4=C4, c1={"pun_word": "bread"})
    with pytest.raises(DataError, match=r"a\.csv:2: field 'pun_word': 'bread' occurs 0 times in the text"):
        merge_reviews(tmp_path, {"a": sheet})
    assert not (tmp_path / "items.jsonl").exists()


def test_types_of_gold_compare_the_forms_that_are_spoken(drafts: dict[str, Draft]) -> None:
    review = Review("c1", "a", True, "She was badly mist", True, "mist", ("miss",), file="a.csv", line=2)
    near = gold_item(review, {}, "")
    assert (near.type, near.swap_word) == ("heterographic", "miss")
    spoken = gold_item(Review("c1", "a", True, "He sold goats", True, "goats", ("vote",)), {}, "")
    assert (spoken.type, spoken.swap_word, spoken.alternative_ipa) == ("heterographic", "votes", "voʊts")
    same = gold_item(Review("c1", "a", True, "It heels", True, "heels", ("heal",)), {}, "")
    assert (same.type, same.swap_word) == ("homophonic", "heals")
