"""The playground as somebody at a browser has it: what its script does with sliders, clicks and errors (A3.3)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from tests.server.browser import Page, browser_page, find_browser

BROWSER = find_browser()
WHY_NOT = os.environ.get("NO_BROWSER_REASON", "no Chromium here (Debian: apt-get install chromium)")
pytestmark = pytest.mark.skipif(BROWSER is None, reason=f"the page's script is not tested: {WHY_NOT}")

BARS = "document.querySelectorAll('#chart .bar').length"
HISTORY = "[...document.querySelectorAll('#history code')].map((one) => [one.textContent, one.title])"
SLOW = "{ const real = fetch; window.fetch = async (...all) => { await new Promise((go) => setTimeout(go, 150)); %s } }"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert BROWSER is not None
    with browser_page(BROWSER, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def page(browser: Page, tiny_server: str) -> Iterator[Page]:
    """The page with its first chart; its script must not have thrown anything by the end of a test."""
    browser.errors.clear()
    browser.open(f"{tiny_server}/playground")
    browser.wait_for(f"{BARS} > 0")
    yield browser
    assert browser.errors == []


def slide(page: Page, name: str, value: float) -> None:
    page.run(
        f"{{ const one = document.getElementById({json.dumps(name)}); one.value = {value};"
        " one.dispatchEvent(new Event('input', {bubbles: true})); }"
    )


def shown(page: Page, name: str) -> str:
    return str(page.run(f"document.getElementById({json.dumps(name)}).textContent"))


def click(page: Page, name: str, times: int = 1) -> None:
    page.run(f"for (let i = 0; i < {times}; i++) document.getElementById({json.dumps(name)}).click()")


def test_the_chart_is_drawn_and_follows_the_sliders(page: Page) -> None:
    assert page.run(BARS) == 16
    assert "more than 200 tokens are left" in shown(page, "summary")
    widths = "[...document.querySelectorAll('#chart .kept')].map((one) => parseFloat(one.style.width))"
    before = page.run(widths)
    assert all(width > 0 for width in before)
    assert before == sorted(before, reverse=True)
    slide(page, "top_k", 3)
    page.wait_for("document.getElementById('summary').textContent === '3 tokens are left to draw from.'")
    after = page.run(widths)
    assert sum(after) == pytest.approx(100, abs=0.1)
    assert [width > 0 for width in after] == [True] * 3 + [False] * 13
    assert page.run("document.querySelectorAll('#chart .bar.out').length") == 13
    assert page.run("document.querySelector('output[for=top_k]').textContent") == "3"
    slide(page, "temperature", 0)
    page.wait_for("document.getElementById('summary').textContent.startsWith('1 token is')")
    assert page.run("document.querySelector('output[for=temperature]').textContent") == "0 (greedy)"
    assert "filters do nothing" in shown(page, "warnings")


def test_every_button_works(page: Page) -> None:
    click(page, "sample")
    page.wait_for(f"{HISTORY}.length === 1")
    click(page, "again")
    page.wait_for(f"{HISTORY}.length === 2")
    click(page, "sample")
    page.wait_for(f"{HISTORY}.length === 3")
    (first, second, third) = page.run(HISTORY)
    assert first == second, "the same seed draws the same token"
    assert (first[1], third[1]) == ("seed 8", "seed 9")
    click(page, "clear")
    assert page.run(HISTORY) == []
    presets = page.run("[...document.querySelectorAll('#presets button')].map((one) => one.textContent)")
    assert presets == ["factual", "code", "chat", "creative"]
    page.run("document.querySelectorAll('#presets button')[2].click()")
    assert page.run("['temperature', 'top_p'].map((one) => document.getElementById(one).value)") == ["0.7", "0.9"]
    page.run("document.querySelectorAll('#presets button')[0].click()")
    page.wait_for("document.getElementById('summary').textContent.startsWith('1 token is')")


def test_the_quiz_answers(page: Page) -> None:
    questions = page.run("document.querySelectorAll('#quiz fieldset').length")
    assert questions == len(page.run("JSON.parse(document.getElementById('quiz-data').textContent)"))
    page.run("document.querySelectorAll('#quiz fieldset:first-child input').forEach((one) => one.click())")
    assert page.run("document.querySelector('#quiz fieldset p[aria-live]').className") == "wrong"
    page.run("document.querySelector('#quiz fieldset:first-child input').click()")
    assert page.run("document.querySelector('#quiz fieldset p[aria-live]').textContent").startswith("Right")


def test_no_click_is_lost_while_an_answer_is_awaited(page: Page) -> None:
    page.run(SLOW % "return real(...all);")
    click(page, "sample", 4)
    slide(page, "top_k", 5)
    page.wait_for(f"{HISTORY}.length === 4")
    assert [title for _, title in page.run(HISTORY)] == ["seed 8", "seed 9", "seed 10", "seed 11"]
    page.wait_for("document.getElementById('summary').textContent === '5 tokens are left to draw from.'")
    assert page.run("document.getElementById('seed').value") == "11"


def test_no_old_chart_stays_after_an_error(page: Page) -> None:
    page.run(
        "{ const box = document.getElementById('prompt'); box.value = '';"
        " box.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    page.wait_for("document.getElementById('error').textContent.includes('prompt is empty')")
    assert (page.run(BARS), shown(page, "summary")) == (0, "")
    page.run("document.getElementById('prompt').value = 'the first'")
    click(page, "sample")
    page.wait_for(f"{BARS} === 16 && document.getElementById('error').textContent === ''")
    page.run(SLOW % "throw new TypeError('no network');")
    click(page, "sample")
    page.wait_for("document.getElementById('error').textContent.includes('no network')")
    assert (page.run(BARS), len(page.run(HISTORY))) == (0, 1)
