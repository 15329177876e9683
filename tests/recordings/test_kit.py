"""The recording page's data: a sheet's or a benchmark's texts, never markup."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from apun import ingest
from apun.errors import UsageError


def data_of(page: Path) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
    assert match
    found: dict[str, Any] = json.loads(match[1])
    return found


def test_a_benchmarks_texts(tmp_path: Path) -> None:
    page = tmp_path / "kit.html"
    assert (
        ingest.main(["kit", "--benchmark", "yomi", "--tasks", "heard_reading", "--limit", "40", "--out", str(page)])
        == 0
    )
    prompts = data_of(page)["prompts"]
    assert prompts and all(prompt["item_id"].startswith("heard_") for prompt in prompts)
    assert all(prompt["kana"] and prompt["language"] == "ja" for prompt in prompts)
    assert len({prompt["file_name"] for prompt in prompts}) == len(prompts)


def test_texts_are_data_and_never_markup(tmp_path: Path) -> None:
    sheet = tmp_path / "texts.jsonl"
    hostile = '</script><script>alert(1)</script>\u2028{{DATA}}<!--"'
    sheet.write_text(json.dumps({"id": "a/../b", "text": hostile, "note": hostile}) + "\n", "utf-8")
    page = tmp_path / "kit.html"
    assert ingest.main(["kit", "--sheet", str(sheet), "--out", str(page), "--title", "<img src=x>"]) == 0
    (prompt,) = data_of(page)["prompts"]
    assert prompt["text"] == hostile == prompt["note"]
    assert re.fullmatch(r"audio/[A-Za-z0-9_.-]+\.wav", prompt["file_name"])
    text = page.read_text("utf-8")
    assert text.count("<script") == 2 and "<img" not in text and "alert(1)</script>" not in text


def test_the_page_asks_for_nothing_from_outside(tmp_path: Path) -> None:
    sheet = tmp_path / "texts.csv"
    sheet.write_text("item_id,text\none,First.\n", "utf-8")
    page = tmp_path / "kit.html"
    assert ingest.main(["kit", "--sheet", str(sheet), "--out", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!\s*["'])|https?://|@import|fetch\(|XMLHttpRequest""", text)
    assert "{{" not in text


@pytest.mark.parametrize("options", [[], ["--sheet", "x.csv", "--benchmark", "apun"]])
def test_one_source_of_texts_is_needed(tmp_path: Path, options: list[str]) -> None:
    with pytest.raises(UsageError, match="say what is to be recorded"):
        ingest.main(["kit", "--out", str(tmp_path / "kit.html"), *options])


def test_recordings_of_a_benchmark_are_a_subset_that_can_be_asked(tmp_path: Path) -> None:
    """The kit's rows, recorded, ingested and evaluated: two of APUN-Bench's own sentences."""
    import numpy as np
    import soundfile

    from apun import eval as evaluate

    page = tmp_path / "kit.html"
    assert ingest.main(["kit", "--benchmark", "apun", "--tasks", "location", "--limit", "6", "--out", str(page)]) == 0
    folder = tmp_path / "recorded"
    (folder / "audio").mkdir(parents=True)
    with (folder / "metadata.jsonl").open("w", encoding="utf-8") as out:
        for prompt in data_of(page)["prompts"]:
            soundfile.write(str(folder / prompt["file_name"]), 0.2 * np.sin(np.arange(24_000) / 9), 24_000)
            out.write(json.dumps({**prompt, "speaker": "a"}, ensure_ascii=False) + "\n")
    real = tmp_path / "data" / "apun" / "real"
    assert ingest.main([str(folder), "--benchmark", "apun", "--out", str(real)]) == 0
    run = ["--subset", "real", "--data-dir", str(tmp_path / "data"), "--model", "mock:perfect", "--tasks", "location"]
    assert evaluate.main([*run, "--out", str(tmp_path / "run"), "--no-report"]) == 0
    summary = json.loads((tmp_path / "run/summary.json").read_text("utf-8"))["tasks"]["apun.location"]
    assert summary["n"] > 0 and summary["counts"] == {"scored": summary["n"]}


def test_an_item_the_benchmark_does_not_have_is_refused(tmp_path: Path) -> None:
    import numpy as np
    import soundfile

    soundfile.write(str(tmp_path / "nobody.wav"), 0.2 * np.sin(np.arange(24_000) / 9), 24_000)
    (tmp_path / "texts.csv").write_text("item_id,text\nnobody,Hello.\n", "utf-8")
    arguments = [str(tmp_path), "--sheet", str(tmp_path / "texts.csv"), "--benchmark", "apun"]
    with pytest.raises(UsageError, match="has no item 'nobody'"):
        ingest.main([*arguments, "--out", str(tmp_path / "real")])
    assert not (tmp_path / "real").exists()
