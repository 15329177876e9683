"""The page as people use it: headless Chromium, from disk, with no network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--autoplay-policy=no-user-gesture-required",
]
SCREENSHOTS = Path(__file__).resolve().parents[2] / "screenshots"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    import shutil

    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def opened(browser: Any, page_run: Path) -> Iterator[tuple[Any, list[str], list[str]]]:
    """The page, the addresses it asked for, and its complaints."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"file://{page_run / 'report.html'}")
    yield page, requests, complaints
    page.close()


def until(page: Any, condition: str) -> None:
    """Wait for a condition; the page's policy forbids the evaluation that ``wait_for_function`` needs."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"never: {condition}")


def test_it_opens_from_disk_without_network_or_complaint(opened: tuple[Any, list[str], list[str]]) -> None:
    page, requests, complaints = opened
    page.locator(".figure").first.scroll_into_view_if_needed()
    page.locator(".figure .main-svg").first.wait_for()
    assert page.locator("#count").inner_text() == "6 of 6 questions"
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == [] == complaints
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "report.png")


def test_a_hostile_reply_is_shown_as_text(opened: tuple[Any, list[str], list[str]]) -> None:
    page, _, complaints = opened
    page.locator("details.item summary").first.click()
    assert "<img src=x onerror=" in page.locator("details.item pre").first.inner_text()
    assert page.locator("details.item img").count() == 0 and page.title() != "pwned" and complaints == []
    page.screenshot(path=SCREENSHOTS / "item.png")


def test_the_player_plays(opened: tuple[Any, list[str], list[str]]) -> None:
    page, _, complaints = opened
    page.locator("details.item summary").first.click()
    player = page.locator("details.item audio").first
    player.evaluate("p => p.play()")
    until(page, "document.querySelector('details.item audio').currentTime > 0.1")
    assert abs(player.evaluate("p => p.duration") - 1.5) < 0.01 and complaints == []


def test_filters_search_and_deep_links(opened: tuple[Any, list[str], list[str]], page_run: Path) -> None:
    page, _, _ = opened
    page.select_option("#filter-task", "apun.location")
    assert page.locator("#count").inner_text() == "3 of 6 questions"
    page.fill("#search", "baker")
    assert page.locator("#count").inner_text() == "1 of 6 questions"
    page.locator("details.item summary").first.click()
    until(page, "location.hash.includes('q=')")
    link = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(link)
    assert page.locator("details.item[open]").get_attribute("data-id") == "apun.location/b/p0"
    assert page.locator("#filter-task").input_value() == "apun.location"
    assert page.locator("details.item[open] mark.gold").inner_text() == "dough."[:5]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, page_run: Path, scheme: str) -> None:
    from axe_core_python.sync_playwright import Axe

    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme, bypass_csp=True)
    page.goto(f"file://{page_run / 'report.html'}")
    page.locator("details.item summary").first.click()
    found = Axe().run(page)["violations"]
    serious = [
        (v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in found if v["impact"] in ("serious", "critical")
    ]
    page.screenshot(path=SCREENSHOTS / f"phone-{scheme}.png")
    page.close()
    assert serious == []


def test_every_control_is_reached_by_keyboard(opened: tuple[Any, list[str], list[str]]) -> None:
    page, _, _ = opened
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"filter-task", "search", "SUMMARY"} <= reached


def test_the_leaderboard_sorts(browser: Any, page_run: Path, tmp_path: Path) -> None:
    from apun.report.__main__ import write_leaderboard

    write_leaderboard([page_run], tmp_path)
    page = browser.new_page()
    page.goto(f"file://{tmp_path / 'index.html'}")
    column = "#board tbody tr td:nth-child(2)"
    before = page.locator(column).all_inner_texts()
    page.locator("#board th button", has_text="task").click()
    page.locator("#board th button", has_text="task").click()
    assert page.locator(column).all_inner_texts() == sorted(before, reverse=True)
    page.close()
