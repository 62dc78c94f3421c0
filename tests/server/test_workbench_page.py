"""The workbench as somebody at a browser has it: to write, watch, test and share, with the mouse and the keyboard."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guided.llm import LLM
from guided.server import ServerSettings, create_app
from guided.server.access import AccessKeys
from tests.pictures import workbench
from tests.server.browser import Page, browser_page, find_browser
from tests.server.live_server import serving

BROWSER = find_browser()
WHY_NOT = os.environ.get("NO_BROWSER_REASON", "no Chromium here (Debian: apt-get install chromium)")
pytestmark = pytest.mark.skipif(BROWSER is None, reason=f"the page's scripts are not tested: {WHY_NOT}")

VIOLATIONS = """
window.violations = [];
addEventListener('securitypolicyviolation', (one) => violations.push(one.violatedDirective));
"""
TOKENS = "[...document.querySelectorAll('#tokens .token')].map((one) => one.textContent)"
KINDS = "[...document.querySelectorAll('#tokens .token')].map((one) => one.className)"
EDITOR = "document.getElementById('grammar-editor').shadowRoot"
SLOW = "{ const real = fetch; window.fetch = async (...all) => { await new Promise((go) => setTimeout(go, 150)); %s } }"
TAG = {
    "type": "tag",
    "begin": "<a>",
    "content": {"type": "json_schema", "json_schema": {"items": {"type": "strin"}}},
    "end": "</a>",
}
ANSWERS = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert BROWSER is not None
    with browser_page(BROWSER, tmp_path_factory.mktemp("profile")) as opened:
        opened.before_scripts(VIOLATIONS)
        opened.look_like()
        yield opened


@pytest.fixture
def page(browser: Page, tiny_server: str) -> Iterator[Page]:
    """The page, new; by the end of a test no script has thrown anything, and nothing was against the policy."""
    browser.errors.clear()
    browser.open("about:blank")
    browser.open(f"{tiny_server}/workbench")
    browser.wait_for("document.body.dataset.isReady === 'yes'")
    yield browser
    assert browser.errors == []
    assert browser.run("violations") == []


def set_up(page: Page, **settings: Any) -> None:
    """Go to a link with these settings, as somebody who was sent it."""
    given = {"kind": "none", "source": "", "mode": "text", "prompt": "the first", "max_tokens": 12} | settings
    link = page.run(
        f"import('./workbench/settings.js').then(({{toLink, completed}}) => toLink(completed({json.dumps(given)})))"
    )
    page.run(f"location.hash = 'w={link}'")
    page.wait_for(f"document.getElementById('prompt').value === {json.dumps(given['prompt'])}")
    page.wait_for(f"document.getElementById('kind').value === {json.dumps(given['kind'])}")
    page.run("new Promise((go) => setTimeout(go, 50))")


def schema(given: Any) -> dict[str, Any]:
    return {"kind": "json_schema", "source": given if isinstance(given, str) else json.dumps(given, indent=2)}


def click(page: Page, name: str, times: int = 1) -> None:
    page.run(f"for (let i = 0; i < {times}; i++) document.getElementById({json.dumps(name)}).click()")


def slide(page: Page, name: str, value: float) -> None:
    page.run(
        f"{{ const one = document.getElementById({json.dumps(name)}); one.value = {value};"
        " one.dispatchEvent(new Event('input', {bubbles: true})); }"
    )


def fill(page: Page, name: str, text: str) -> None:
    slide(page, name, json.dumps(text))  # type: ignore[arg-type]


def shown(page: Page, name: str) -> str:
    return str(page.run(f"document.getElementById({json.dumps(name)}).innerText"))


def says(page: Page, name: str, text: str) -> None:
    page.wait_for(f"document.getElementById({json.dumps(name)}).innerText.includes({json.dumps(text)})")


def written(page: Page) -> str:
    return str(page.run(f"{TOKENS}.join('')"))


def run_to_end(page: Page) -> None:
    click(page, "run")
    page.wait_for("/complete|most tokens/.test(document.getElementById('watch-status').textContent)")


# Write


def test_a_sound_schema_is_said_to_be_enforced(page: Page) -> None:
    set_up(page, **schema({**ANSWERS, "title": "Answer"}))
    says(page, "check-status", "5 keywords enforced exactly, 1 annotation")
    page.run("document.querySelector('#report summary').click()")
    rows = page.run("[...document.querySelectorAll('#report-rows tr')].map((one) => one.innerText)")
    assert any("required" in row and "exactly" in row for row in rows)


@pytest.mark.parametrize(
    ("settings", "said", "marked"),
    [
        (schema({"properties": {"a": {"pattern": r"(a)\1"}}}), "backreference", '"pattern"'),
        (schema({"properties": {"a": {"type": "strin"}}}), "unknown type", '"type": "strin"'),
        (schema('{"type": "object",\n "required": ["a", }'), "no comma before a closing bracket (line 2", "}"),
        (schema('{"type": "object"'), "the JSON is not complete", '"'),
        ({"kind": "regex", "source": "a(b"}, "invalid regex", "("),
        ({"kind": "ebnf", "source": 'root ::= "a" | missing', "dialect": "gbnf"}, "missing is not defined", "missing"),
        ({"kind": "ebnf", "source": 'root ::= "\U0001f600" gone', "dialect": "gbnf"}, "gone is not defined", "gone"),
        (
            {"kind": "structural_tag", "source": '{"type": "structural_tag", "format": {"type": "x"}}'},
            "unknown format",
            "type",
        ),
        (
            {"kind": "structural_tag", "source": json.dumps({"type": "structural_tag", "format": TAG})},
            "unknown type",
            '"type": "strin"',
        ),
    ],
)
def test_errors_stand_at_their_place(page: Page, settings: dict[str, Any], said: str, marked: str) -> None:
    set_up(page, **settings)
    says(page, "check-status", said)
    page.wait_for(f"{EDITOR}.querySelector('.cm-lintRange-error') !== null")
    assert marked in page.run(
        f"[...{EDITOR}.querySelectorAll('.cm-lintRange-error')].map((one) => one.textContent).join('')"
    )
    assert page.run("document.getElementById('report').hidden")


def test_the_part_that_nothing_fits_is_found(page: Page) -> None:
    impossible = {"type": "integer", "minimum": 2, "maximum": 1}
    may_be = {"items": impossible, "properties": {"b": {"anyOf": [{"type": "null"}, impossible]}, "c": impossible}}
    items = {"type": "array", "minItems": 1, "items": impossible}
    never = {"type": "object", "properties": {"a": items}, "required": ["a"]}
    set_up(page, **schema({**may_be, "allOf": [never]}))
    says(page, "check-status", "nothing fits what stands at /allOf/0/properties/a/items")
    page.wait_for(f"{EDITOR}.querySelector('.cm-lintRange-error') !== null")


def test_errors_go_when_they_are_mended(page: Page) -> None:
    set_up(page, kind="regex", source="a(b")
    says(page, "check-status", "invalid regex")
    page.run(f"{EDITOR}.querySelector('.cm-content').focus()")
    page.press("Control+End")
    page.write(")")
    says(page, "check-status", "enforced exactly")
    assert page.run(f"{EDITOR}.querySelector('.cm-lintRange-error')") is None


def test_keywords_are_completed_where_a_schema_stands(page: Page) -> None:
    options = f"[...{EDITOR}.querySelectorAll('.cm-tooltip-autocomplete li')].map((one) => one.innerText)"
    set_up(page, **schema('{"type": "string", }'))
    page.run(f"{EDITOR}.querySelector('.cm-content').focus()")
    page.press("Control+End", "ArrowLeft")
    page.write('"maxL')
    page.wait_for(f"{options}.length > 0")
    assert page.run(options)[0].startswith('"maxLength"')
    page.run("new Promise((go) => setTimeout(go, 150))")  # CodeMirror takes no key right after its list has come
    page.press("Enter")
    says(page, "check-status", "2 keywords enforced exactly")


def test_no_keywords_among_somebodys_properties(page: Page) -> None:
    set_up(page, **schema('{"properties": {}}'))
    page.run(f"{EDITOR}.querySelector('.cm-content').focus()")
    page.press("Control+End", "ArrowLeft", "ArrowLeft")
    page.write('"max')
    page.run("new Promise((go) => setTimeout(go, 400))")
    assert page.run(f"{EDITOR}.querySelector('.cm-tooltip-autocomplete')") is None


def test_examples_fill_the_page(page: Page) -> None:
    page.run("{ const one = document.getElementById('example'); one.value = 'Regex'; one.onchange(); }")
    assert shown(page, "kind-hint").startswith("Of Python")
    says(page, "check-status", "enforced exactly")


# Watch


def test_a_token_is_one_step(page: Page) -> None:
    set_up(page, **schema(ANSWERS), mode="chat", max_tokens=60)
    run_to_end(page)
    text = json.loads(written(page).replace("↵", "").partition("}")[0] + "}")
    assert isinstance(text["ok"], bool)
    says(page, "watch-status", "The text is complete.")
    assert page.run(f"{KINDS}.some((one) => one.includes('forced'))")
    says(page, "tree", "ok:")
    says(page, "tree", "%")


def test_a_forced_token_says_so(page: Page) -> None:
    set_up(page, **schema(ANSWERS), mode="chat")
    run_to_end(page)
    page.run("document.querySelector('#tokens .token.forced').click()")
    says(page, "step-panel", "only one way to go on")


def test_clicks_are_not_lost(page: Page) -> None:
    set_up(page, temperature=1, max_tokens=20)
    page.run(SLOW % "return real(...all);")
    click(page, "step", 4)
    slide(page, "top_k", 5)
    page.wait_for(f"{TOKENS}.length === 4")
    page.run("new Promise((go) => setTimeout(go, 400))")
    assert page.run(f"{TOKENS}.length") == 4


def test_steps_and_runs_write_the_same(page: Page) -> None:
    set_up(page, temperature=1)
    run_to_end(page)
    whole = page.run(TOKENS)
    assert len(whole) == 12
    click(page, "clear")
    assert page.run(TOKENS) == []
    click(page, "step", 3)
    page.wait_for(f"{TOKENS}.length === 3")
    assert page.run(TOKENS) == whole[:3]
    click(page, "back")
    page.wait_for(f"{TOKENS}.length === 2")
    run_to_end(page)
    assert page.run(TOKENS) == whole


def test_the_next_token_follows_the_sliders(page: Page) -> None:
    set_up(page, temperature=1)
    says(page, "step-panel", "More than 49 tokens are left to draw from.")
    before = shown(page, "step-panel")
    slide(page, "top_k", 3)
    says(page, "step-panel", "3 tokens are left to draw from.")
    assert page.run("document.querySelectorAll('.with .bar').length") == 3
    assert page.run("document.querySelector('output[for=top_k]').textContent") == "3"
    slide(page, "temperature", 0)
    says(page, "advice", "filters do nothing")
    assert shown(page, "step-panel") != before
    assert page.run(TOKENS) == [], "nothing is written by looking"


DRAWS = "[...document.querySelectorAll('#draws code')].map((one) => [one.textContent, one.title])"


def test_a_token_is_sampled_again(page: Page) -> None:  # A3.3
    set_up(page, temperature=1, seed=7)
    says(page, "step-panel", "left to draw from")
    click(page, "sample")
    page.wait_for(f"{DRAWS}.length === 1")
    click(page, "again")
    page.wait_for(f"{DRAWS}.length === 2")
    click(page, "sample", 6)
    page.wait_for(f"{DRAWS}.length === 8")
    draws = page.run(DRAWS)
    assert [title for _, title in draws] == [f"seed {seed}" for seed in (8, 8, 9, 10, 11, 12, 13, 14)]
    assert draws[0] == draws[1], "the same seed draws the same token"
    assert len({token for token, _ in draws}) > 2
    assert page.run("document.getElementById('seed').value") == "14"
    assert page.run(TOKENS) == [], "nothing is written by drawing"
    click(page, "step")
    page.wait_for(f"{TOKENS}.length === 1")
    assert written(page) == draws[-1][0].replace("\u2423", " "), "the next token is the one that was drawn last"
    assert page.run(DRAWS) == [], "of this place nothing was drawn yet"


def test_no_draw_is_lost_while_an_answer_is_awaited(page: Page) -> None:  # A3.3
    set_up(page, temperature=1, seed=7)
    says(page, "step-panel", "left to draw from")
    page.run(SLOW % "return real(...all);")
    click(page, "sample", 4)
    slide(page, "top_k", 5)
    page.wait_for(f"{DRAWS}.length === 4")
    assert [title for _, title in page.run(DRAWS)] == ["seed 8", "seed 9", "seed 10", "seed 11"]
    says(page, "step-panel", "5 tokens are left to draw from.")


def test_at_temperature_zero_one_token_has_all(page: Page) -> None:  # A3.1, A3.3
    set_up(page, temperature=0)
    says(page, "step-panel", "1 token is left to draw from.")
    assert page.run("[...document.querySelectorAll('.with .share')].map((one) => one.textContent)") == ["100 %"]
    assert page.run("document.querySelectorAll('.without .bar').length") == 10


def test_an_old_chart_is_marked_until_the_answer_comes(page: Page) -> None:  # A3.3
    set_up(page, temperature=1)
    says(page, "step-panel", "More than 49")
    page.run(SLOW % "return real(...all);")
    slide(page, "top_k", 3)
    panel = "document.getElementById('step-panel')"
    assert page.run(f"[{panel}.className, {panel}.getAttribute('aria-busy')]") == ["step-panel stale", "true"]
    says(page, "step-panel", "3 tokens are left")
    assert page.run(f"[{panel}.className, {panel}.getAttribute('aria-busy')]") == ["step-panel", "false"]


def test_the_chart_follows_also_once_no_grammar_is_chosen(page: Page) -> None:  # A3.3
    set_up(page, **schema(ANSWERS), temperature=1)
    page.run("{ const one = document.getElementById('kind'); one.value = 'none'; one.onchange(); }")
    says(page, "step-panel", "More than 49 tokens are left to draw from.")
    assert "grammar" not in shown(page, "step-panel")
    slide(page, "top_k", 3)
    says(page, "step-panel", "3 tokens are left to draw from.")


def test_two_charts_only_where_they_differ(page: Page) -> None:  # A3.3
    titles = "[...document.querySelectorAll('.charts h3')].map((one) => one.textContent)"
    set_up(page, temperature=1)
    says(page, "step-panel", "More than 49")
    assert page.run(titles) == ["The next token"]
    slide(page, "temperature", 0.5)
    page.wait_for(f"{titles}.length === 2")
    assert page.run(titles) == ["The model\u2019s own", "After temperature and filters"]
    set_up(page, kind="regex", source="[a-z]+", temperature=1, prompt="the second")
    page.wait_for(f"{titles}[0] === 'Without the grammar'")
    assert page.run(titles) == ["Without the grammar", "With the grammar"]


def test_shares_that_are_hardly_any_are_folded_away(page: Page) -> None:
    set_up(page, temperature=0.05)
    says(page, "step-panel", "more, each below 0.01 %")
    shares = "[...document.querySelectorAll('.without .bars .share')].filter((one) => %s).map((one) => one.textContent)"
    assert set(page.run(shares % "one.closest('details')")) <= {"<0.01 %"}
    assert "<0.01 %" not in page.run(shares % "!one.closest('details')")
    page.run("document.querySelector('.with details button.bar').click()")
    page.wait_for("document.querySelectorAll('#forks button').length === 2")


def test_another_token_makes_a_fork(page: Page) -> None:
    set_up(page, temperature=1, top_k=20)
    run_to_end(page)
    first = page.run(TOKENS)
    page.run("document.querySelectorAll('#tokens .token')[4].click()")
    page.wait_for("document.querySelector('.with button.bar') !== null")
    page.run("document.querySelector('.with button.bar').click()")
    page.wait_for("document.querySelectorAll('#forks button').length === 2")
    page.wait_for("document.getElementById('watch-status').textContent.includes('most tokens')")
    fork = page.run(TOKENS)
    assert fork[:4] == first[:4]
    assert fork[4] != first[4]
    assert len(fork) == len(first)
    assert "chosen" in page.run(KINDS)[4]
    page.run("document.querySelectorAll('#forks button')[0].click()")
    page.wait_for(
        f"JSON.stringify({TOKENS}) === {json.dumps(json.dumps(first, ensure_ascii=False, separators=(',', ':')))}"
    )


def test_a_change_of_the_grammar_takes_away_what_was_written(page: Page) -> None:
    set_up(page, temperature=1)
    run_to_end(page)
    page.run("{ const one = document.getElementById('kind'); one.value = 'regex'; one.onchange(); }")
    assert page.run(TOKENS) == []
    page.wait_for("document.querySelectorAll('.step-panel .bar').length === 0 || true")


def test_an_error_takes_the_old_chart_away(page: Page) -> None:
    set_up(page, temperature=1)
    says(page, "step-panel", "left to draw from")
    page.run(SLOW % "throw new TypeError('no network');")
    slide(page, "top_k", 3)
    says(page, "watch-error", "no network")
    assert page.run("document.getElementById('step-panel').hidden")


def test_what_was_ruled_out_is_shown(page: Page) -> None:
    set_up(page, kind="choice", source="yes\nno", temperature=0)
    run_to_end(page)
    page.run("document.querySelector('#tokens .token').click()")
    says(page, "step-panel", "ruled out")
    assert page.run("document.querySelectorAll('.without .bar.out').length") > 0
    assert page.run("document.querySelectorAll('.with .bar.out').length") == 0


def test_quotes_are_taken_from_the_prompt_and_marked_in_it(page: Page) -> None:
    quotes = {
        "type": "object",
        "properties": {"who": {"type": "string", "x-quote": "text"}},
        "required": ["who"],
        "additionalProperties": False,
    }
    set_up(page, **schema(quotes), mode="chat", prompt="Ada Holm lives in Oslo, said Ada.", max_tokens=60)
    says(page, "check-status", "6 keywords enforced exactly")
    run_to_end(page)
    says(page, "watch-status", "The text is complete.")
    page.wait_for("document.querySelector('#source-text mark') !== null")
    marked = page.run("document.querySelector('#source-text mark').textContent")
    assert marked in "Ada Holm lives in Oslo, said Ada."
    says(page, "tree", marked)
    assert page.run("document.getElementById('source-text').textContent") == "Ada Holm lives in Oslo, said Ada."


def test_quotes_in_rules_have_their_source(page: Page) -> None:
    source = 'start: %json {"x-quote": "a"} | %json {"x-quote" : {"boundaries": "any", "source": "b"}}'
    given = {"kind": "ebnf", "source": source, "dialect": "lark", "mode": "chat", "prompt": "Ada"}
    fields = page.run(
        f"import('./workbench/settings.js').then(({{grammarFields}}) => grammarFields({json.dumps(given)}))"
    )
    assert fields == {"ebnf": source, "dialect": "lark", "sources": {"a": "Ada", "b": "Ada"}}


def test_only_quotes_are_marked(page: Page) -> None:
    """Not every string that stands in the prompt, too; with a quote before it that ends in the token of its key."""
    pair = {
        "type": "object",
        "properties": {
            "who": {"$ref": "#/$defs/name"},
            "where": {"enum": ["Oslo"]},
            "rest": {"items": {"const": "Ada"}},
        },
        "required": ["who", "where", "rest"],
        "additionalProperties": False,
        "$defs": {"name": {"type": "string", "x-quote": {"source": "text", "whitespace": "exact"}, "minLength": 3}},
    }
    pair["properties"]["rest"] |= {"type": "array", "minItems": 1, "maxItems": 1}  # type: ignore[index]
    set_up(page, **schema(pair), mode="chat", prompt="Ada Holm lives in Oslo, said Ada.", max_tokens=90)
    run_to_end(page)
    says(page, "watch-status", "The text is complete.")
    page.wait_for("document.querySelector('#source-text mark') !== null")
    marks = page.run("[...document.querySelectorAll('#source-text mark')].map((one) => one.title)")
    assert marks == ["who"]
    pair["$defs"]["name"].pop("x-quote")  # type: ignore[index]
    set_up(page, **schema(pair), mode="chat", prompt="Ada Holm lives in Oslo, said Ada.", max_tokens=90)
    run_to_end(page)
    says(page, "tree", "Oslo")
    assert page.run("document.getElementById('source').hidden") is True


def test_the_place_in_the_schema_is_lit(page: Page) -> None:
    set_up(page, **schema(ANSWERS), mode="chat")
    run_to_end(page)
    page.run(
        "[...document.querySelectorAll('#tokens .token.drawn')].find((one) => /t|f/.test(one.textContent)).click()"
    )
    page.wait_for(f"{EDITOR}.querySelector('.cm-lit') !== null")
    lit = page.run(f"[...{EDITOR}.querySelectorAll('.cm-lit')].map((one) => one.textContent).join('')")
    assert '"ok"' in lit
    assert "boolean" in lit


# Test


def test_texts_are_tried(page: Page) -> None:
    set_up(page, **schema(ANSWERS))
    click(page, "tab-test")
    fill(page, "match-text", '{"ok":true}\n{"ok":maybe}\n{"ok":')
    click(page, "by-line")
    click(page, "match")
    page.wait_for("document.querySelectorAll('.result').length === 3")
    accepted, stopped, cut = page.run("[...document.querySelectorAll('.result')].map((one) => one.innerText)")
    assert "takes it" in accepted
    assert "line 1, column 7" in stopped
    assert "true" in stopped
    assert "/properties/ok" in stopped
    assert page.run("document.querySelector('.result.stops .stop').textContent") == "m"
    assert "not complete" in cut


def test_random_texts_are_the_grammars(page: Page) -> None:
    import re

    set_up(page, kind="regex", source="[ab]{2,4}-[0-9]")
    click(page, "tab-test")
    click(page, "samples-button")
    page.wait_for("document.querySelectorAll('#samples li').length === 10")
    texts = "[...document.querySelectorAll('#samples pre')].map((one) => one.textContent)"
    first = page.run(texts)
    assert all(re.fullmatch("[ab]{2,4}-[0-9]", text) for text in first)
    click(page, "samples-button")
    page.wait_for(f"JSON.stringify({texts}) !== {json.dumps(json.dumps(first, separators=(',', ':')))}")


# Share


def test_a_link_brings_everything_back(page: Page, tiny_server: str) -> None:
    given = {
        **schema(ANSWERS),
        "mode": "chat",
        "prompt": "Is it <ok>? \u00e9\U0001f600",
        "temperature": 0.7,
        "top_k": 5,
        "flexible": True,
    }
    set_up(page, **given)
    click(page, "tab-share")
    page.wait_for("document.getElementById('link').value !== ''")
    link = page.run("document.getElementById('link').value")
    page.open("about:blank")
    page.open(link)
    page.wait_for("document.body.dataset.isReady === 'yes'")
    values = page.run(
        "['prompt', 'mode', 'temperature', 'top_k', 'kind'].map((one) => document.getElementById(one).value)"
    )
    assert values == [given["prompt"], "chat", "0.7", "5", "json_schema"]
    assert page.run("document.getElementById('flexible').checked")
    says(page, "check-status", "enforced exactly")


def program(page: Page, name: str) -> str:
    click(page, "tab-share")
    page.run(f"{{ const one = document.getElementById('program'); one.value = '{name}'; one.onchange(); }}")
    page.wait_for(
        {"curl": "/^curl/", "openai": "/^from openai/", "python": "/^import guided/"}[name]
        + ".test(document.getElementById('program-text').textContent)"
    )
    return str(page.run("document.getElementById('program-text').textContent"))


@pytest.mark.parametrize("mode", ["chat", "text"])
def test_programs_do_the_same(page: Page, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    prompt = "Is it 'ok'?\nSay \"yes\"."
    set_up(page, **schema(ANSWERS), mode=mode, prompt=prompt)
    command = program(page, "curl")
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    (choice,) = json.loads(done.stdout)["choices"]
    text = choice["message"]["content"] if mode == "chat" else choice["text"]
    assert set(json.loads(text)) == {"ok"}
    namespace: dict[str, Any] = {}
    exec(program(page, "openai"), namespace)
    namespace["client"].close()
    assert capsys.readouterr().out.strip() == text
    source = program(page, "python")
    params = source[source.index("guided.SamplingParams(") : source.index("\nprint(")]
    import guided

    assert eval(params, {"guided": guided}).json_schema == ANSWERS
    compile(source, "program", "exec")


# All of it


HOSTILE = '</script><img src=x onerror="window.hit = 1"><b>bold</b>"\'`${window.hit = 1}\u202e\u0000'


def test_hostile_texts_stay_texts(page: Page) -> None:
    text = HOSTILE.replace("\u0000", "")
    hostile_schema = {
        "type": "object",
        "title": text,
        "properties": {text: {"enum": [text]}},
        "required": [text],
        "additionalProperties": False,
    }
    set_up(page, **schema(hostile_schema), mode="chat", prompt=text, max_tokens=400)
    run_to_end(page)
    for name in ("test", "share", "sampling", "watch"):
        click(page, f"tab-{name}")
    fill(page, "match-text", f"{text}\n{json.dumps({text: text})}")
    click(page, "tab-test")
    click(page, "match")
    page.wait_for("document.querySelector('.result') !== null")
    click(page, "samples-button")
    page.wait_for("document.querySelector('#samples li') !== null")
    set_up(page, kind="choice", source=f"{text}\nother", prompt=text)
    assert page.run(
        "[document.images.length, document.querySelectorAll('main b:not(.prose b)').length, window.hit ?? 0]"
    ) == [0, 0, 0]


def test_the_keyboard_is_enough(page: Page) -> None:
    set_up(page, temperature=1)
    page.run("document.getElementById('run').focus()")
    page.press("Enter")
    page.wait_for(f"{TOKENS}.length === 12")
    page.run("document.getElementById('tokens').focus()")
    page.press("Home", "ArrowRight")
    assert page.run("document.querySelector('#tokens [aria-selected=true]').dataset.index") == "1"
    says(page, "step-panel", "Token 2")
    page.run("document.getElementById('tab-watch').focus()")
    page.press("ArrowRight")
    assert page.run("document.getElementById('panel-test').hidden") is False
    assert page.run("document.activeElement.id") == "tab-test"
    page.run(f"{EDITOR}.querySelector('.cm-content')?.focus()")
    page.press("Tab")
    assert page.run("document.activeElement.id") != "grammar-editor", "Tab leaves the editor"


def test_every_control_can_be_reached_and_has_a_name(page: Page) -> None:
    nameless = page.run(
        """[...document.querySelectorAll('button, select, input, textarea, [role=listbox]')].filter((one) =>
        !(one.textContent.trim() || one.getAttribute('aria-label') || one.getAttribute('aria-labelledby')
        || one.labels?.length)).map((one) => one.id)"""
    )
    assert nameless == []


@pytest.mark.parametrize("is_dark", [False, True])
def test_contrast(page: Page, is_dark: bool) -> None:
    """WCAG AA: 4.5 to 1 for texts, between the colours that stand on each other."""
    page.look_like(is_dark=is_dark)
    try:
        pairs = [
            *[
                ("--ink", one)
                for one in (
                    "--ground",
                    "--surface",
                    "--sunken",
                    "--drawn",
                    "--chosen",
                    "--closing",
                    "--lit",
                    "--forced",
                )
            ],
            *[("--muted", one) for one in ("--ground", "--surface", "--sunken", "--forced")],
            *[
                (one, "--surface")
                for one in ("--accent", "--bad", "--good", "--warm", "--key", "--string", "--number", "--keyword")
            ],
            *[("--on-accent", "--accent"), ("--bad", "--bad-soft"), ("--warm", "--warm-soft")],
        ]
        names = sorted({name for pair in pairs for name in pair})
        script = (
            f"{json.dumps(names)}.map((one) => getComputedStyle(document.documentElement).getPropertyValue(one).trim())"
        )
        colours = dict(zip(names, page.run(script), strict=True))
        ratios = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
        assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}
    finally:
        page.look_like()


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_narrow_windows_need_no_scrolling_sideways_or_down_to_run(page: Page) -> None:
    set_up(page, **schema(ANSWERS), mode="chat")
    page.look_like(width=400, height=800)
    place = (
        "(({top, bottom}) => top >= 0 && bottom <= innerHeight)(document.getElementById('%s').getBoundingClientRect())"
    )
    try:
        assert page.run("scrollY") == 0
        assert page.run(place % "run")
        assert not page.run(place % "tokens")
        run_to_end(page)
        assert page.run(place % "tokens"), "what is written is in sight"
        for name in ("test", "share", "sampling", "watch"):
            click(page, f"tab-{name}")
            assert page.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name
    finally:
        page.look_like()


def test_the_quiz_explains_every_answer(page: Page) -> None:  # A3.3
    questions = page.run("import('./workbench/quiz.js').then(({QUESTIONS}) => QUESTIONS)")
    asked = " ".join(question for question, _ in questions)
    for topic in ("extract", "story", "randomness"):
        assert topic in asked
    for _, answers in questions:
        assert sum(is_right for _, is_right, _ in answers) == 1
        assert all(text and len(why) > 20 for text, _, why in answers)
    (again,) = [answers for question, answers in questions if "ask twice" in question]
    (right,) = [text for text, is_right, _ in again if is_right]
    assert "no guarantee" in right, "the first myth"
    assert page.run("document.querySelectorAll('#quiz fieldset').length") == len(questions)
    page.run("document.querySelectorAll('#quiz fieldset:first-child input').forEach((one) => one.click())")
    assert page.run("document.querySelector('#quiz fieldset p[aria-live]').className") == "wrong"
    page.run("document.querySelector('#quiz fieldset:first-child input').click()")
    assert page.run("document.querySelector('#quiz fieldset p[aria-live]').textContent").startswith("Right")


def test_a_key_is_asked_for_where_one_is_needed(browser: Page, tiny_model_folder: Path) -> None:

    keys = AccessKeys(api_keys={"ann": "sk-8f14e45fceea167a"})
    app = create_app(LLM(str(tiny_model_folder)), served_model_name="tiny", settings=ServerSettings(keys=keys))
    with serving(app) as url:
        browser.open("about:blank")
        browser.open(f"{url}/workbench")
        browser.wait_for("document.body.dataset.isReady === 'yes'")
        says(browser, "check-status", "needs an API key")
        assert not browser.run("document.getElementById('key-field').hidden")
        browser.run("document.getElementById('key').focus()")
        browser.write("sk-8f14e45fceea167a")
        browser.press("Tab")
        says(browser, "check-status", "enforced exactly")
        click(browser, "tab-share")
        says(browser, "program-text", "YOUR_KEY")
        assert "sk-8f" not in browser.run("document.getElementById('link').value + document.body.innerText")


def test_the_model_that_runs_is_named(page: Page) -> None:
    assert shown(page, "model-field").split() == ["Model", "tiny"]
    assert page.run("document.getElementById('model-about').hidden")


def test_the_picture_of_the_documents(page: Page, tiny_server: str, tmp_path: Path) -> None:
    workbench(page, tiny_server, tmp_path / "workbench.png")
    assert (tmp_path / "workbench.png").read_bytes().startswith(b"\x89PNG")
    says(page, "step-panel", "Token")


def test_the_page_waits_for_a_model_that_loads(browser: Page, tiny_model_folder: Path) -> None:
    is_wanted = threading.Event()

    def load() -> LLM:
        is_wanted.wait()
        return LLM(str(tiny_model_folder))

    with serving(create_app(load, served_model_name="embedded")) as url:
        browser.open(f"{url}/workbench")
        says(browser, "check-status", "still being loaded")
        is_wanted.set()
        says(browser, "model-field", "embedded")
        assert "for trying things out" in shown(browser, "model-about")
        says(browser, "check-status", "enforced exactly")


def test_presets(page: Page) -> None:
    names = page.run("[...document.querySelectorAll('#presets button')].map((one) => one.textContent)")
    assert names == ["factual", "code", "chat", "creative"]
    page.run("document.querySelectorAll('#presets button')[2].click()")
    assert page.run("['temperature', 'top_p'].map((one) => document.getElementById(one).value)") == ["0.7", "0.9"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"temperature": 1}, []),
        ({"temperature": 0.7, "top_p": 0.9}, []),
        ({"temperature": 2}, ["lifts"]),
        ({"temperature": 2, "min_p": 0.05}, []),
        ({"temperature": 1, "top_k": 5, "top_p": 0.4}, ["all narrow"]),
        ({"temperature": 0.2, "top_p": 0.3, "min_p": 0.5}, ["all narrow"]),
        ({"temperature": 0, "top_k": 5}, ["do nothing"]),
        ({"temperature": 0}, []),
    ],
)
def test_advice(page: Page, fields: dict[str, float], words: list[str]) -> None:  # A3.3
    given = {"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0} | fields
    found = page.run(f"import('./workbench/settings.js').then(({{advice}}) => advice({json.dumps(given)}))")
    assert len(found) == len(words)
    assert all(word in text for word, text in zip(words, found, strict=True))


def test_the_page_is_soon_there(browser: Page, tiny_server: str) -> None:
    """The page's thread needs less than a second for all of it, 0.4 s here; the first paint waits for no script.

    It is the thread's own time that counts, the better of two: how long a paint takes is up to the machine, too.
    """
    busy = []
    for _ in range(2):
        browser.open("about:blank")
        before = browser.busy_s()
        browser.open(f"{tiny_server}/workbench")
        browser.wait_for("document.body.dataset.isReady === 'yes'")
        busy.append(browser.busy_s() - before)
    assert min(busy) < 1, busy
    assert browser.run("[...document.scripts].every((one) => one.type === 'module')")


def test_five_hundred_tokens_are_watched_without_stutter(page: Page) -> None:
    """Steps that come as fast as they can: the page's thread needs less than a frame (16.7 ms) for each that it draws.

    It is the thread's own time that counts, 5 to 7 ms a token here: how many frames there are is up to the machine.
    """
    set_up(page, temperature=1, max_tokens=500)
    page.run(FAST_STEPS)
    page.run(COUNT_FRAMES)
    before = page.busy_s()
    click(page, "run")
    page.wait_for(f"{TOKENS}.length === 500")
    busy, frames = page.busy_s() - before, page.run("numFrames")
    assert frames > 20
    assert busy / 500 < 0.0167, (busy, frames)


COUNT_FRAMES = """{
  window.numFrames = 0;
  const note = () => { numFrames++; requestAnimationFrame(note); };
  note();
}"""
FAST_STEPS = """{
  const chance = (id) => ({token_id: id, text: `w${id} `, prob: 0.05, allowed: id % 3 > 0, special: false});
  const chances = [...Array(10).keys()].map(chance);
  const step = (index) => ({
    index, token_id: index % 90, text: index === 0 ? '{"a":"' : `w${index} `, bytes: [119], is_thinking: false,
    kind: ['drawn', 'forced', 'closing'][index % 3], raw_prob: 0.1, prob: 0.4, rank: 1, masked_mass: 0.5,
    num_allowed: 12, top_raw: chances, top: chances, expected: 'more', options: [], may_end: false,
    place: {document: '/a', schema: null, schemas: []}, times_ms: {compile: null, mask: 0.1, forward: 1},
    finish_reason: index === 499 ? 'length' : null,
  });
  window.fetch = async () => new Response(new ReadableStream({async start(controller) {
    const encoder = new TextEncoder();
    for (let index = 0; index < 500; index++) {
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(step(index))}\\n\\n`));
      if (index % 2) await new Promise((go) => setTimeout(go, 4));
    }
    controller.enqueue(encoder.encode('data: [DONE]\\n\\n'));
    controller.close();
  }}), {status: 200});
}"""
