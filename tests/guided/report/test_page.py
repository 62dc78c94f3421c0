"""The report's page, in a file and in a browser: what it shows, what its keys do; nothing that is read is ever HTML."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guided.grammars.quotes import SourceText
from guided.report.entries import ReportFields, entry
from guided.report.page import ReportText, write_report
from guided.schemas.exact_json import read_json
from guided.schemas.shape import ValueShape
from tests.server.browser import Page, browser_page, find_browser

BROWSER = find_browser()
WHY_NOT = os.environ.get("NO_BROWSER_REASON", "no Chromium here (Debian: apt-get install chromium)")
needs_browser = pytest.mark.skipif(BROWSER is None, reason=f"the page's script is not tested: {WHY_NOT}")

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "city": {"type": ["string", "null"]},
        "status": {"enum": ["open", "shipped"]},
        "total": {"type": "number"},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"product": {"type": "string"}, "count": {"type": "integer"}}},
        },
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
ATTACK = "</script><script>window.attacked = 1</script><img src=x onerror='window.attacked = 2'>&amp;"


def report_text(name: str, text: str, data: Any, *, sure: float = 0.9, **record: Any) -> ReportText:
    """With the places of all strings that stand in the text, and these confidences."""
    source = SourceText(text)
    places, confidence = {}, {}
    for pointer, value in leaves(data, ""):
        raw = sure if pointer == "/name" else 0.95
        alternatives = [["Tromsö", 0.2]] if pointer == "/city" else []
        confidence[pointer] = {"raw": raw, "processed": raw, "masked_mass": 0.1, "alternatives": alternatives}
        spans = source.places(value) if isinstance(value, str) else []
        if spans:
            places[pointer] = {"source": "text", "likely": spans[-1], "spans": spans}
    whole = {"source": name, "data": data, "error": None, "confidence": confidence, "places": places} | record
    return ReportText(text, whole, ValueShape.of(SCHEMA))


def leaves(data: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, f"{pointer}/{key}")
    else:
        yield pointer, data


def texts() -> list[ReportText]:
    letter = "Hello \U0001f44b,\n\nAda Holm of Tromsø (yes, Tromsø) wants 3 oak shelves and 2 lamps. Total: 72.5.\n\n"
    letter += "Ada Holm"
    order = {
        "name": "Ada Holm",
        "city": "Tromsø",
        "status": "open",
        "total": 72.5,
        "lines": [{"product": "oak shelves", "count": 3}, {"product": "lamps", "count": 2}],
        "tags": [],
    }
    other = {"name": "Nobody", "city": None, "status": "shipped", "total": 1, "lines": [], "tags": ["a/b", "~c"]}
    conflict = {"/city": [{"value": ATTACK, "confidence": {"raw": 0.3}, "place": [0, 5]}]}
    return [
        report_text("letters/first.txt", letter, order, sure=0.6),
        report_text("letters/second.txt", f"{ATTACK} and a/b, ~c.", other, sure=0.99, conflicts=conflict),
        report_text(
            ATTACK, "A text without an object.", None, error=f"it failed: {ATTACK}", confidence=None, places=None
        ),
        report_text("plain.txt", "x", {ATTACK: ATTACK, "name": "x"}),
    ]


def write(path: Path, entries: list[ReportText]) -> None:
    fields = ReportFields()
    for one in entries:
        if one.record["data"] is not None:
            fields.add(one.record["data"])
    write_report(path, entries, fields)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("report") / "report.html"
    write(found, texts())
    return found


def test_confidences_are_calibrated_where_the_model_is() -> None:
    shares = {"raw": 0.9, "processed": 0.95, "masked_mass": 0.1, "calibrated": 0.4}
    other = {"value": "Bo", "confidence": shares | {"calibrated": 0.2}, "place": [0, 5]}
    one = report_text("a.txt", "Ada", {"name": "Ada"}, confidence={"/name": shares}, conflicts={"/name": [other]})
    shown = entry(one.text, one.record, ReportFields(), one.shape)["values"]["/name"]
    assert (shown["c"], shown["w"], shown["k"]) == (0.4, 0.95, [["Bo", 0.2]])
    assert shown["calibrated"]
    del shares["calibrated"]
    assert "calibrated" not in entry(one.text, one.record, ReportFields(), one.shape)["values"]["/name"]


def test_the_file_holds_no_markup_but_its_own(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert re.findall(r"<script[^>]*>", page) == [
        '<script type="application/json" id="fields">',
        '<script type="text/plain" id="entries">',
        "<script>",
    ]
    assert "<img" not in page
    assert "http" not in page.replace("http-equiv", ""), "it asks no server"
    entries = entries_of(path)
    assert [entry["name"] for entry in entries] == [one.record["source"] for one in texts()]
    first = entries[0]["values"]
    start, end = first["/city"]["s"]
    assert entries[0]["text"].encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") == "Tromsø"
    assert first["/status"].get("named") is False, "an enum need not stand in the text"
    assert entries[1]["values"]["/name"]["named"] is True
    place = texts()[0].text.index("3") + 1  # the emoji before it is two units
    assert first["/lines/0/count"]["s"] == [place, place + 1]
    assert "q" not in first["/lines/0/count"], "a number is no quote, it was found"


def test_numbers_have_the_digits_that_were_written(tmp_path: Path) -> None:
    """Browsers read JSON's numbers as floats, so the page has their text."""
    data = read_json('{"name": "Ada", "total": 12.50, "lines": [{"count": 823456789012345678}], "tags": [true, null]}')
    conflict = {"/total": [{"value": read_json("1.10"), "confidence": None, "place": [0, 5]}]}
    conflict["/lines"] = [{"value": read_json('[{"count": 2.0}]'), "confidence": None, "place": [0, 5]}]
    text = "Ada pays 12.50 for 823456789012345678 of them."
    path = tmp_path / "report.html"
    write(path, [report_text("a.txt", text, data, conflicts=conflict)])
    (entry,) = entries_of(path)
    shown = {"name": "Ada", "total": "12.50", "lines": [{"count": "823456789012345678"}], "tags": [True, None]}
    assert entry["data"] == shown
    assert entry["values"]["/total"]["k"] == [["1.10", None]]
    assert entry["values"]["/lines"]["k"] == [['[{"count": 2.0}]', None]]
    for pointer, number in (("/total", "12.50"), ("/lines/0/count", "823456789012345678")):
        start, end = entry["values"][pointer]["s"]
        assert text[start:end] == number


def entries_of(path: Path) -> list[Any]:
    page = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in page.partition('id="entries">\n')[2].partition("</script>")[0].splitlines()]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert BROWSER is not None
    with browser_page(BROWSER, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def page(browser: Page, path: Path) -> Iterator[Page]:
    """The page, whose script must not have thrown anything by the end of a test."""
    browser.errors.clear()
    browser.open("about:blank")
    browser.open(path.as_uri())
    browser.wait_for("document.querySelectorAll('#list li').length === 4")
    press(browser, "j")  # from the overview to the first text
    yield browser
    assert browser.errors == []
    assert browser.run("window.attacked") is None


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.run(
            f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: {json.dumps(key)}, bubbles: true}}))"
        )


def here(page: Page) -> list[str]:
    return list(page.run("[...document.querySelectorAll('.here')].map((one) => one.dataset.pointer)"))


def shown(page: Page, selector: str) -> str:
    return str(page.run(f"document.querySelector({json.dumps(selector)}).textContent"))


@needs_browser
def test_quotes_are_marked_where_they_stand(page: Page) -> None:
    assert shown(page, "#text") == texts()[0].text
    marks = page.run(
        "[...document.querySelectorAll('#text mark')]"
        ".map((one) => [one.textContent, one.dataset.pointer, one.className])"
    )
    assert ["Ada Holm", "/name", "other"] in marks
    assert ["Ada Holm", "/name", ""] in marks
    assert ["oak shelves", "/lines/0/product", ""] in marks
    assert ["72.5", "/total", "found"] in marks
    hue = "getComputedStyle(document.querySelector(%s)).getPropertyValue('--hue')"
    mark = page.run(hue % "'#text [data-pointer=\"/city\"]'")
    assert (
        mark == page.run(hue % "'#object [data-pointer=\"/city\"]'") == page.run(hue % "'.chip[data-name=\"/city\"]'")
    )
    assert "Ada Holm? 60 %" in shown(page, "#object")


@needs_browser
def test_the_overview_has_all_fields_of_all_texts(page: Page) -> None:
    press(page, "o")
    assert page.run("document.getElementById('reading').hidden")
    cells = "[...document.querySelectorAll('#%s tr')].map((row) => [...row.children].map((one) => one.textContent))"
    columns, totals = page.run(cells.replace("#%s", "#overview thead"))
    assert columns[1:7] == ["name", "city", "status", "total", "lines \u203a product", "lines \u203a count"]
    assert totals[:4] == ["found in", "3/3", "1/2", "2/2"]
    first, second, failed, plain = page.run(cells % "rows")
    assert first[:7] == ["letters/first.txt", "?", "\u25cf", "\u25cf", "\u25cf", "\u25cf 2", "\u25cf 2"]
    assert second[:3] == ["letters/second.txt", "!", "\u2260"]
    assert failed[1] == "error"
    assert plain[:3] == ["plain.txt", "\u25cf", ""]
    page.run("document.querySelector('#rows tr:nth-child(2) td[data-cell=\"/city\"]').click()")
    assert shown(page, "#name") == "letters/second.txt"
    assert set(here(page)) == {"/city"}
    press(page, "o")
    page.run("document.querySelector('#columns').closest('table').querySelector('#rows th').click()")
    assert shown(page, "#place") == "1 of 4"


@needs_browser
def test_names_have_no_common_folder_and_cards_no_empty_room(browser: Page, tmp_path: Path) -> None:
    entries = [report_text(f"/data/in/{name}", "Ada Holm", {"name": "Ada Holm"}) for name in ("a/1.txt", "a/2.txt")]
    path = tmp_path / "report.html"
    write(path, [*entries, report_text("/data/in/b.txt", "x " * 9000, {"name": "x"})])
    browser.look_like(width=1200, height=600)
    browser.open(path.as_uri())
    assert shown(browser, "#summary") == "3 texts in /data/in/"
    browser.wait_for("document.querySelector('#list button').innerText !== ''")  # it has no text until it is drawn
    notes = browser.run("[...document.querySelectorAll('#list button')].map((one) => one.innerText)")
    assert notes == ["a/1.txt", "a/2.txt", "b.txt"], "nothing is said where nothing is to be said"
    press(browser, "j")
    height = "document.getElementById('text').getBoundingClientRect().%s"
    browser.wait_for(f"{height % 'height'} < 100")  # its size is a guess until it is drawn
    press(browser, "j", "j")
    browser.wait_for(f"{height % 'bottom'} <= innerHeight")
    write(path, entries[:1])
    browser.open("about:blank")
    browser.open(path.as_uri())
    assert shown(browser, "#name") == "/data/in/a/1.txt"
    assert browser.run("document.getElementById('overview').hidden"), "of one text there is none"


@needs_browser
def test_pointing_at_a_value_tells_of_it(page: Page) -> None:
    page.run("document.querySelector('#text mark[data-pointer=\"/city\"]').dispatchEvent(new MouseEvent('mouseenter'))")
    tip = shown(page, "#tip")
    for part in ("city", "95 %", "10 % by the schema", "Tromsö… 20 %", "in 2 places"):
        assert part in tip
    assert set(here(page)) == {"/city"}
    assert len(here(page)) == 3  # two places and the value
    page.run("document.querySelector('#text mark[data-pointer=\"/city\"]').dispatchEvent(new MouseEvent('mouseleave'))")
    assert page.run("document.getElementById('tip').hidden")
    assert here(page) == []


@needs_browser
def test_keys(page: Page) -> None:
    press(page, "n")
    assert set(here(page)) == {"/name"}
    press(page, "n", "n")
    assert set(here(page)) == {"/status"}
    press(page, "p")
    assert set(here(page)) == {"/city"}
    press(page, "j")
    assert shown(page, "#name") == "letters/second.txt"
    press(page, "k", "k")
    assert shown(page, "#place") == "1 of 4"
    press(page, "u")
    assert set(here(page)) == {"/name"}
    theme = page.run("document.documentElement.dataset.theme")
    press(page, "t")
    assert {theme, page.run("document.documentElement.dataset.theme")} == {"light", "dark"}
    press(page, "?")
    assert page.run("document.getElementById('help').hidden") is False
    press(page, "Escape", "/")
    assert page.run("document.activeElement.id") == "search"


@needs_browser
@pytest.mark.parametrize(("calibrated", "percent", "unsure"), [(None, 80, []), (0.675, 50, ["a.txt"])])
def test_what_is_unsure_at_first(
    browser: Page, tmp_path: Path, calibrated: float | None, percent: int, unsure: list[str]
) -> None:
    """Calibrated probabilities of null do not reach 80 %, however sure the model is."""
    shares = [{"raw": 0.99, "processed": 1.0, "masked_mass": 0.0, "calibrated": one} for one in (0.3, calibrated)]
    if calibrated is None:
        del shares[0]["calibrated"]
    confidence = [{"/name": one} for one in shares]
    named = zip(("a.txt", "b.txt"), confidence, strict=True)
    write(tmp_path / "report.html", [report_text(name, "x", {"name": None}, confidence=one) for name, one in named])
    browser.open((tmp_path / "report.html").as_uri())
    browser.wait_for("document.querySelectorAll('#list li').length === 2")
    assert browser.run("document.getElementById('threshold-value').textContent") == f"{percent} %"
    assert browser.run("document.getElementById('threshold').value") == str(percent)
    browser.run("document.getElementById('show').value = 'unsure'; refresh()")
    assert browser.run("[...document.querySelectorAll('#list button')].map((one) => one.title)") == unsure


@needs_browser
def test_filters(page: Page) -> None:
    def choose(name: str, value: str) -> list[str]:
        page.run(
            f"{{ const one = document.getElementById('{name}'); one.value = {json.dumps(value)};"
            " one.dispatchEvent(new Event('change', {bubbles: true})); }"
        )
        return list(page.run("[...document.querySelectorAll('#list button')].map((one) => one.title)"))

    names = [one.record["source"] for one in texts()]
    assert choose("show", "unsure") == [names[0]]
    assert choose("show", "conflict") == [names[1]]
    assert choose("show", "error") == [names[2]]
    assert shown(page, "#error") == f"it failed: {ATTACK}"
    assert shown(page, "#object") == "no object"
    assert choose("show", "unplaced") == [names[1], names[3]]
    assert choose("show", "all") == names
    assert choose("field", "/city") == names
    assert page.run("document.querySelectorAll('#object .faded').length") > 0
    choose("field", "")
    search = (
        "{ const one = document.getElementById('search'); one.value = '%s'; one.dispatchEvent(new Event('input')); }"
    )
    page.run(search % "OAK")
    page.wait_for("document.querySelectorAll('#list li').length === 1")
    page.run(search % "no such")
    page.wait_for("document.querySelectorAll('#list li').length === 0")
    assert page.run("document.getElementById('none').hidden") is False


@needs_browser
def test_what_texts_and_models_say_is_text(page: Page) -> None:
    press(page, "j")
    assert shown(page, "#text") == texts()[1].text
    assert page.run("document.querySelectorAll('#text :not(div, mark)').length") == 0
    assert "1 conflict" in shown(page, "#object")
    page.run("document.querySelector('#object [data-pointer=\"/city\"]').dispatchEvent(new MouseEvent('mouseenter'))")
    assert ATTACK in shown(page, "#tip")
    assert "not in the text" in shown(page, "#object")
    press(page, "j", "j")
    assert ATTACK in shown(page, "#object")
    assert page.run("document.images.length") == 0


@needs_browser
def test_a_thousand_texts_and_a_long_one(browser: Page, tmp_path: Path) -> None:
    first = texts()[0]
    entries = [report_text(f"{i}.txt", f"{first.text} {'more ' * 300}", first.record["data"]) for i in range(1000)]
    long = "A line of the book that Ada Holm wrote.\n" * 25_000
    entries.append(report_text("book.txt", long, {"name": "Ada Holm"}))
    path = tmp_path / "many.html"
    write(path, entries)
    browser.errors.clear()
    started = time.monotonic()
    browser.open(path.as_uri())
    browser.wait_for("document.querySelectorAll('#list li').length === 1001")
    assert time.monotonic() - started < 20
    steps = "const start = performance.now(); for (let i = 0; i < 20; i++) KEYS.j(); return performance.now() - start;"
    assert browser.run(f"(() => {{ {steps} }})()") / 20 < 200
    browser.run("open(1000)")
    assert browser.run("document.getElementById('text').textContent.length") == len(long)
    assert browser.errors == []
