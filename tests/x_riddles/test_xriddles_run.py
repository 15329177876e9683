"""Through the runner and the command line: end to end, by ear and as text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from apun.clips import Clip
from apun.errors import DataError
from apun.records import read
from apun.registry import benchmark, task
from apun.run.data import Selection, conditions_for, open_data, utterances
from apun.run.evaluate import Request, evaluate
from apun.sheets import write_sheet
from apun.tasks import Conditions, Subset
from benchmarks.x_riddles import __main__ as command
from benchmarks.x_riddles import solver
from benchmarks.x_riddles.benchmark import BENCHMARK
from benchmarks.x_riddles.data import load as load_subset
from benchmarks.x_riddles.data import sample
from benchmarks.x_riddles.ratings import created, explained
from benchmarks.x_riddles.speaking import CHOICES, WHOLE, spoken_tones
from benchmarks.x_riddles.tasks import both_readings, matching

GOLDEN = Path(__file__).with_name("golden") / "prompts.txt"


class Recorded:
    """Speech with a distinct clip for every part."""

    def clip(self, item: str, part: str = "main") -> Clip:
        rng = np.random.default_rng(abs(hash((item, part))) % 2**32)
        return Clip(samples=rng.uniform(-0.5, 0.5, 1600).astype(np.float32))

    def parts(self, item: str) -> tuple[str, ...]:
        return ("main", WHOLE, CHOICES)

    def row(self, item: str, part: str = "main") -> dict[str, str]:
        return {}


def run(tmp_path: Path, model: str, **options: str) -> dict[str, dict[str, float]]:
    chosen = Selection(benchmark="xriddles", conditions=Conditions(modality="text", options=options))
    data = open_data(chosen)
    outcome = evaluate(Request(selection=chosen, model=model, out=tmp_path / "run"), data)
    tasks = outcome.summary["tasks"]
    for name, part in tasks.items():
        assert part["missing"] == 0, name
    return {
        name: {metric: values["value"] for metric, values in part["metrics"].items()} for name, part in tasks.items()
    }


def test_a_model_that_is_always_right_scores_1(tmp_path: Path) -> None:
    got = run(tmp_path, "mock:perfect")
    assert got["xriddles.matching"]["accuracy"] == 1.0 and got["xriddles.matching"]["delta_acc"] == 0.0
    assert got["xriddles.both_readings"]["both"] == 1.0
    assert got["xriddles.explaining"]["named"] == 1.0 and got["xriddles.explaining"]["false_claims"] == 0.0
    assert got["xriddles.creating"]["valid"] == 1.0
    assert len(explained(tmp_path / "run")) == len(sample())
    assert {sample.run for sample in created(tmp_path / "run")} == {"run"}


def test_a_model_that_always_says_a_is_at_chance(tmp_path: Path) -> None:
    got = run(tmp_path, "mock:always=A", cot="yes", shots="1")
    assert 0.15 < got["xriddles.matching"]["accuracy"] < 0.35
    assert got["xriddles.both_readings"]["both"] == got["xriddles.creating"]["valid"] == 0.0
    with pytest.raises(DataError, match="no created xiehouyu"):
        created(tmp_path / "run")


def test_tables_of_two_runs(tmp_path: Path) -> None:
    from apun.run.folder import read_scores

    for model in ("mock:perfect", "mock:always=A"):
        run(tmp_path / model.replace(":", "-"), model)
    runs = [(name, list(read_scores(tmp_path / name / "run"))) for name in ("mock-perfect", "mock-always=A")]
    tables = {table.name: table for table in BENCHMARK.tables(runs)}
    assert list(tables)[:3] == ["xriddles_table4", "xriddles_table5", "xriddles_table3"]
    perfect, always = tables["xriddles_table4"].rows
    assert perfect[:6] == ("mock-perfect", 100.0, 100.0, 100.0, 0.0, 0.0) and perfect[-1] == 0.0
    assert always[5] <= always[4] <= always[6] and always[5] < always[6]
    assert tables["xriddles_table5"].rows[0][2:5] == (0.0, 0.0, 0.0)
    assert sum(row[-1] for row in tables["xriddles_table3"].rows) == len(sample())
    assert tables["xriddles_both_readings"].rows[1][-1] == 100.0
    assert all(table.to_text() and table.to_csv() and table.to_latex() for table in tables.values())


def test_by_ear_the_riddle_is_a_clip_and_no_text(tmp_path: Path) -> None:
    for options in ({}, {"context": "yes"}, {"form": "spoken"}, {"cot": "yes", "lang": "en"}):
        conditions = Conditions(modality="audio", options=options)
        for name in ("matching", "both_readings", "explaining"):
            for question in list(task(f"xriddles.{name}").ask(sample()[:6], conditions, Recorded())):
                assert len(question.prompt.audios) == 1
                text = "".join(
                    part.get("text", "") for message in question.prompt.rendered() for part in message["content"]
                )
                assert question.item.text not in text, (name, options)
                if options.get("form") == "spoken" or name == "both_readings":
                    item = question.item
                    assert item.intended not in text and str(item.literal) not in text  # type: ignore[attr-defined]


def test_everything_that_is_spoken_has_its_reading_forced() -> None:
    for form in ("default", "spoken"):
        conditions = Conditions(options={"form": form})
        wanted = utterances(BENCHMARK, tuple(BENCHMARK.tasks.values()), sample(), conditions)
        parts = {utterance.part for utterance in wanted}
        assert parts == ({"main", WHOLE} if form == "default" else {WHOLE, CHOICES})
        for utterance in wanted:
            characters = [char for char in utterance.text if "一" <= char <= "鿿"]
            assert utterance.must_force and len(utterance.reading["pinyin"].split()) == len(characters)
    whole = next(utterance for utterance in wanted if (utterance.item, utterance.part) == ("new-seed-12", WHOLE))
    assert whole.text == "钢琴盖贴封条——免弹。" and whole.reading["pinyin"].endswith("mian3 tan2")
    assert whole.key_words == ("弹",)


def test_the_spoken_options_are_those_of_the_question() -> None:
    conditions = Conditions(options={"form": "spoken"}, seed=5)
    item = sample()[3]
    text = matching.TASK.speech(item, conditions)[0].text
    question = next(matching.ask([item], conditions, Recorded()))
    places = [
        text.index(f"{stem}，{choice}。")
        for stem, choice in zip("甲乙丙丁", question.prompt.fields["choices"], strict=True)
    ]
    assert places == sorted(places) and text.startswith(item.riddle)


@pytest.mark.parametrize(
    ("text", "pinyin", "spoken"),
    [
        ("不妙", "bu4 miao4", "bu2 miao4"),
        ("不敢想", "bu4 gan3 xiang3", "bu4 gan3 xiang3"),
        ("一个", "yi1 ge4", "yi2 ge4"),
        ("一身雪", "yi1 shen1 xue3", "yi4 shen1 xue3"),
        ("第一", "di4 yi1", "di4 yi1"),
        ("甲，不妙。", "jia3 bu4 miao4", "jia3 bu2 miao4"),
        ("不妙", "bu4", "bu4"),
    ],
)
def test_tones_as_they_are_said(text: str, pinyin: str, spoken: str) -> None:
    assert spoken_tones(text, pinyin) == spoken


def test_transcripts_of_a_cascade_reach_the_solver() -> None:
    question = next(matching.ask(sample()[:1], Conditions(), Recorded()))
    as_text = question.prompt.with_transcripts({"main": "外甥写家书"})
    assert not as_text.audios and "外甥写家书" in str(as_text.rendered())
    assert solver.match(as_text) in "ABCD"
    whole = next(both_readings.TASK.ask(sample()[:1], Conditions(), Recorded()))
    assert (
        both_readings.read_both(solver.read_both_ways(whole.prompt.with_transcripts({"main": "外甥写家书念旧"})))
        is not None
    )


def prompts() -> str:
    """Every task and condition for one item, as it is sent."""
    lines = []
    items = [item for item in sample() if item.id in ("new-free-02", "old-homophonic-high-01")]
    for options in ({}, {"context": "yes", "shots": "1"}, {"cot": "yes", "lang": "en"}, {"form": "spoken"}):
        conditions = conditions_for(BENCHMARK.tasks["matching"], Conditions(modality="text", options=options))
        for own in BENCHMARK.tasks.values():
            for question in list(own.ask(items, conditions, None))[:1]:
                lines.append(f"== {question.id}")
                lines += ["".join(part["text"] for part in m["content"]) for m in question.prompt.rendered()]
    return "\n".join(lines) + "\n"


def test_prompts_are_those_of_the_golden_file() -> None:
    """A changed wording must raise the version in its file, and the golden file must be written again."""
    assert prompts() == GOLDEN.read_text(encoding="utf-8")


def test_nothing_heavy_is_imported_with_the_benchmark() -> None:
    heavy = "torch transformers jieba pypinyin wordfreq statsmodels scipy pandas krippendorff numpy"
    code = f"import sys, benchmarks.x_riddles.benchmark; print(set('{heavy}'.split()) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "vocabs.txt").write_text("孔夫子的箱子　——　净输（书）\n矮子放风筝　——　节节高\n", encoding="utf-8")
    items = tmp_path / "data" / "items.jsonl"
    assert command.main(["import", str(tmp_path / "vocabs.txt"), "--out", str(items)]) == 0
    assert "1 homophonic items" in capsys.readouterr().out
    assert json.loads(items.read_text(encoding="utf-8"))["literal"] == "净书"
    assert command.main(["import", str(tmp_path / "vocabs.txt"), "--out", str(items), "--with-new"]) == 0
    with_new = load_subset(Subset("items", items.parent))
    assert len(with_new) == 77 and {item.split for item in with_new} == {"new", "unrated"}
    capsys.readouterr()
    assert command.main(["lists", "--out", str(tmp_path / "lists"), "--lists", "3", "--format", "csv"]) == 0
    assert len(list((tmp_path / "lists").glob("list*.csv"))) == 3
    run(tmp_path, "mock:perfect")
    for kind, given in (("explanations", "quality"), ("creations", "funny")):
        sheet, rated = tmp_path / f"{kind}.csv", tmp_path / "anna.csv"
        assert command.main([kind, str(tmp_path / "run"), "--out", str(sheet)]) == 0
        for filled in (False, True):
            rows = [{**row.values, given: str(1 + n % 4) if filled else ""} for n, row in enumerate(read(sheet))]
            write_sheet(rated, tuple(rows[0]), rows)
            assert command.main(["rated", str(rated), "--key", str(tmp_path / f"{kind}.key.json")]) == 0
            shown = capsys.readouterr().out
            assert ("Table 7" in shown and "Table 8" in shown) if kind == "explanations" else "Table 10" in shown
            assert ("no regression" in shown) == (kind == "explanations" and not filled)
            assert ('"r_squared"' in shown) == (kind == "explanations" and filled)


def test_the_catalogue_has_it() -> None:
    assert benchmark("xriddles") is BENCHMARK
    assert all(own.name == f"xriddles.{short}" for short, own in BENCHMARK.tasks.items())


@pytest.mark.slow
def test_the_default_offline_model_answers_every_task_by_ear(tmp_path: Path) -> None:
    """The embedded voice, recogniser and text model: real weights, real sound; its answers are not the point."""
    from apun.eval import DEFAULT_MODEL

    chosen = Selection(benchmark="xriddles", ids=("old-homophonic-high-01",))
    data = open_data(chosen)
    request = Request(selection=chosen, model=DEFAULT_MODEL, max_new_tokens=8, out=tmp_path / "run")
    tasks = evaluate(request, data).summary["tasks"]
    assert len(tasks) == 4
    for name, part in tasks.items():
        assert part["n"] == 1 and part["missing"] == 0 and "error" not in part["counts"], (name, part["counts"])
