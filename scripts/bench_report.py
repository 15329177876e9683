#!/usr/bin/env python3
"""Build and open the report of a run the size of APUN-Bench (4,434 items); print seconds and bytes.

usage: python scripts/bench_report.py [ITEMS]     (opening needs Chromium and Playwright: make test-browser)
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import soundfile

from apun.report.page import write_page
from apun.run.data import Selection, open_data
from apun.run.evaluate import Request, evaluate
from apun.tasks import Subset
from benchmarks.apun_bench.benchmark import BENCHMARK


def make(base: Path, items: int) -> Path:
    """A folder of ``items`` recordings: the sample's texts over and over, each with a tone as its clip."""
    folder = base / "apun" / "real"
    folder.mkdir(parents=True)
    tone = 0.1 * np.sin(np.arange(16_000) / 20)
    soundfile.write(folder / "tone.wav", tone, 16_000)
    sample = list(BENCHMARK.load(Subset("sample")))
    with (folder / "metadata.jsonl").open("w", encoding="utf-8") as sheet:
        for number in range(items):
            item = sample[number % len(sample)]
            name = f"i{number:05d}"
            (folder / f"{name}.wav").hardlink_to(folder / "tone.wav")
            row = {"file_name": f"{name}.wav", "item_id": name, "text": item.text, "type": item.type}
            if item.type != "negative":
                row |= {"pun_word": item.pun_word, "pun_index": item.pun_index}
                key = "meanings" if item.type == "homographic" else "alternatives"
                row[key] = list(getattr(item, key))
            sheet.write(json.dumps(row) + "\n")
    return base


def main(items: int) -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        base = make(Path(name), items)
        selection = Selection("apun", ("recognition", "location", "inference"), "real", base)
        data = open_data(selection)
        outcome = evaluate(Request(selection, "mock:last-word", out=base / "run"), data)
        started, cpu = time.perf_counter(), time.process_time()
        sizes = write_page([outcome.folder], base / "run" / "report.html", data=data)
        spent, cpu = time.perf_counter() - started, time.process_time() - cpu
        print(f"{items} items, {sizes['questions']} questions: built in {spent:.2f} s ({cpu:.2f} s of processor time)")
        print(f"page {sizes['page'] / 1e6:.1f} MB, audio linked")
        chromium = shutil.which("chromium")
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            chromium = None
        if chromium is None:
            print("not opened: Chromium or Playwright is not installed")
            return 0
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page()
            started = time.perf_counter()
            page.goto(f"file://{base / 'run' / 'report.html'}")
            page.locator("details.item").first.wait_for()
            print(f"opened with its first items in {time.perf_counter() - started:.2f} s")
            started = time.perf_counter()
            page.fill("#search", "bread")
            page.locator("#count").inner_text()
            print(f"searched in {time.perf_counter() - started:.2f} s: {page.locator('#count').inner_text()}")
            browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 4434))
