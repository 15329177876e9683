"""The recording page as a volunteer uses it: headless Chromium, a fake microphone, the zip through ``apun ingest``."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from apun import ingest
from apun.splits import read_split

pytestmark = pytest.mark.browser
SHEET = (
    "item_id,text,language,kana,type\none,A first text.,en,,pun\ntwo,</script><b>本</b>,ja,ほん,\nthree,Third.,en,,\n"
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    "--autoplay-policy=no-user-gesture-required",
]


@pytest.fixture(scope="module")
def microphone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the fake microphone plays, over and over: a 440 Hz tone with pauses."""
    rate = 48_000
    time = np.arange(rate * 2) / rate
    tone = 0.3 * np.sin(2 * np.pi * 440 * time) * (time % 1 > 0.3)
    path = tmp_path_factory.mktemp("microphone") / "tone.wav"
    soundfile.write(str(path), tone, rate, subtype="PCM_16")
    return path


@pytest.fixture(scope="module")
def browser(microphone: Path) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        flags = [*FLAGS, f"--use-file-for-fake-audio-capture={microphone}"]
        running = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield running
        running.close()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    texts = tmp_path / "texts.csv"
    texts.write_text(SHEET, "utf-8")
    assert (
        ingest.main(["kit", "--sheet", str(texts), "--out", str(tmp_path / "kit.html"), "--title", "<i>Kit</i>"]) == 0
    )
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.complaints, page.requests = [], []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda m: page.complaints.append(m.text) if m.type in ("error", "warning") else None)
    page.on("request", lambda request: page.requests.append(request.url))
    open_page(page, tmp_path)
    yield page
    context.close()


def open_page(page: Any, tmp_path: Path) -> None:
    page.goto(f"file://{tmp_path / 'kit.html'}")
    until(page, "document.body.dataset.ready === 'true'")


def until(page: Any, condition: str) -> None:
    for _ in range(400):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"never: {condition}; the page says {page.inner_text('#note')!r}")


def record(page: Any, milliseconds: int = 1_400) -> None:
    """Record by pressing the button twice; returns when the take is there."""
    before = page.inner_text("#note")
    page.click("#record")
    until(page, "document.getElementById('record').textContent === 'Stop'")
    page.wait_for_timeout(milliseconds)
    page.click("#record")
    until(page, "document.getElementById('record').textContent === 'Record'")
    assert page.inner_text("#note") != before


def saved(page: Any, tmp_path: Path) -> Path:
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_record_listen_redo_save_and_ingest(page: Any, tmp_path: Path) -> None:
    assert page.inner_text("h1") == "Record: <i>Kit</i>"
    assert page.inner_text("#text") == "A first text."
    assert page.is_disabled("#listen") and page.is_disabled("#save") and page.is_disabled("#back")
    record(page)
    assert "Recorded 1." in page.inner_text("#note")
    page.click("#listen")
    until(page, "document.getElementById('note').textContent === 'Played.'")
    page.click("#redo")
    assert page.is_disabled("#listen") and "0 recorded" in page.inner_text("#place")
    record(page)
    page.click("#next")
    assert page.inner_text("#text") == "</script><b>本</b>" and page.inner_text("#reading") == "Read it as: ほん"
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    until(page, "document.getElementById('record').textContent === 'Stop'")
    page.wait_for_timeout(1_000)
    page.keyboard.press(" ")
    until(page, "document.getElementById('place').textContent.includes('2 recorded')")
    page.click("#save")
    assert "name or code" in page.inner_text("#note")
    page.fill("#speaker", "anna_1")
    archive = saved(page, tmp_path)
    assert archive.name == "apun-anna_1.zip" and "1 texts are not recorded yet" in page.inner_text("#note")
    with zipfile.ZipFile(archive) as opened:
        assert opened.testzip() is None
        assert opened.namelist() == ["metadata.jsonl", "audio/one.wav", "audio/three.wav"]
    assert ingest.main([str(archive), "--out", str(tmp_path / "real")]) == 0
    rows = [json.loads(line) for line in (tmp_path / "real/metadata.jsonl").read_text("utf-8").splitlines()]
    assert [(row["item_id"], row["voice"], row.get("type")) for row in rows] == [
        ("one", "anna_1", "pun"),
        ("three", "anna_1", None),
    ]
    clip = read_split(tmp_path / "real", verify=True).clip("one")
    spectrum = np.abs(np.fft.rfft(clip.samples * np.hanning(clip.samples.size)))
    loudest = float(np.fft.rfftfreq(clip.samples.size, 1 / 16_000)[spectrum.argmax()])
    assert loudest == pytest.approx(440, abs=5), "what was ingested is what the microphone heard"
    assert 0.7 < clip.seconds < 2.5
    assert page.complaints == [] and all(url.startswith(("file:", "blob:", "data:")) for url in page.requests)


def test_takes_outlive_the_tab(page: Any, tmp_path: Path) -> None:
    record(page, 800)
    until(page, "document.getElementById('place').textContent.includes('1 recorded')")
    page.wait_for_timeout(200)
    page.on("dialog", lambda dialog: dialog.accept())
    open_page(page, tmp_path)
    assert "1 recorded" in page.inner_text("#place") and page.is_enabled("#listen")
    page.click("#redo")
    page.wait_for_timeout(200)
    open_page(page, tmp_path)
    assert "0 recorded" in page.inner_text("#place")


def test_too_short_a_take_is_not_kept(page: Any) -> None:
    page.click("#record")
    until(page, "document.getElementById('record').textContent === 'Stop'")
    page.click("#record")
    until(page, "document.getElementById('note').textContent.includes('too short')")
    assert "0 recorded" in page.inner_text("#place") and page.is_disabled("#save")


def test_a_refused_microphone_is_said(browser: Any, page: Any, tmp_path: Path) -> None:
    page.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    open_page(page, tmp_path)
    page.click("#record")
    until(page, "document.getElementById('note').textContent.includes('NotAllowedError')")
    assert page.inner_text("#record") == "Record"


def test_the_page_has_no_accessibility_faults(page: Any) -> None:
    axe = pytest.importorskip("axe_core_python.sync_playwright")
    record(page, 600)
    found = axe.Axe().run(page)["violations"]
    assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found] == []
