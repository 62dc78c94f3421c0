"""The pages of docs/migrate: both sides run, ours always, the other library's where it is installed (make migrate)."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.guides import DOCS, Guide
from tests.load.server_process import ServerProcess

PAGES = {
    "baml": "baml",
    "instructor": "instructor",
    "langextract": "langextract",
    "llguidance": "llguidance",
    "lm_format_enforcer": "lmformatenforcer",
    "outlines": "outlines",
    "xgrammar": "xgrammar",
}
"""Each page, and how its other library is called in the code's titles."""
SERVED = ("baml", "instructor", "langextract")
"""Libraries that ask a server."""
IMPORTED = {"baml": "baml_py"}


def guide(page: str) -> Guide:
    return Guide(f"migrate/{page}.md")


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with ServerProcess() as process:
        yield process


@pytest.mark.parametrize("page", PAGES)
def test_our_side(page: str) -> None:
    assert guide(page).run_python("")


@pytest.mark.parametrize("page", PAGES)
def test_the_other_side(
    page: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = PAGES[page]
    module = IMPORTED.get(library, library)
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: make migrate")
    assert any(block.library == library for block in guide(page).blocks)
    url = request.getfixturevalue("server").url if library in SERVED else ""
    if library == "baml":
        generate_client(guide(page), tmp_path, url)
        monkeypatch.syspath_prepend(str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs are not our matter
        guide(page).run_python(url, library)


def generate_client(page: Guide, folder: Path, url: str) -> None:
    """Write the page's `.baml` file and the client that BAML makes of it."""
    (block,) = [block for block in page.blocks if block.info.startswith("baml")]
    source = folder / block.info.partition("file=")[2]
    source.parent.mkdir()
    source.write_text(block.code.replace("http://127.0.0.1:8000", url))
    command = [str(Path(sys.executable).parent / "baml-cli"), "generate", "--from", source.parent.name]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)


def test_pages_tell_all() -> None:
    listed = set(re.findall(r"\]\((\w+)\.md\)", guide("index").text))
    assert set(PAGES) == listed == {path.stem for path in (DOCS / "migrate").glob("*.md")} - {"index"}
    for page in PAGES:
        assert all(f"\n## {title}\n" in guide(page).text for title in ("What differs", "What is not here")), page


def test_what_a_schema_means() -> None:
    """The table's verdicts, from each library: "no", "yes", or "refused" at compile time."""
    import llguidance.hf
    import xgrammar
    from transformers import AutoTokenizer

    from guided import GuidedError, Vocabulary, compile_grammar
    from guided.embedded import model_path

    tokenizer = AutoTokenizer.from_pretrained(model_path())
    vocabulary = Vocabulary.from_tokenizer(tokenizer)
    ll_tokenizer = llguidance.hf.from_tokenizer(tokenizer)
    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=len(tokenizer)))

    def verdict(accept: Callable[[int], bool], is_done: Callable[[], bool], text: str) -> str:
        token_ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        return "yes" if all(map(accept, token_ids)) and is_done() else "no"

    def ours(schema: Any, text: str) -> str:
        try:
            matcher = compile_grammar(vocabulary, json_schema=schema).matcher()
        except GuidedError:
            return "refused"
        return verdict(matcher.accept_token, matcher.is_accepting, text)

    def llguidances(schema: Any, text: str) -> str:
        grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
        matcher = llguidance.LLMatcher(ll_tokenizer, grammar, log_level=0)
        return "refused" if matcher.get_error() else verdict(matcher.consume_token, matcher.is_accepting, text)

    def xgrammars(schema: Any, text: str) -> str:
        matcher = xgrammar.GrammarMatcher(compiler.compile_json_schema(json.dumps(schema)))
        return verdict(matcher.accept_token, lambda: matcher.accept_token(tokenizer.eos_token_id), text)

    rows = re.findall(r"^\| `(\{.*\})` \| `(.*)` \| (\w+) \| (\w+) \| (\w+) \|$", guide("index").text, re.M)
    assert len(rows) == 8
    for schema, text, *said in rows:
        assert [check(json.loads(schema), text) for check in (ours, llguidances, xgrammars)] == said, schema
