"""Each command imports what it uses, and no more: what it costs before it works. Seconds differ, modules do not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guided.grammars.vocabulary import Vocabulary

ROOT = Path(__file__).parent.parent
RUN = """
import sys
from guided.cli import main
try:
    main(sys.argv[1:])
except SystemExit as left:
    assert not left.code, left.code
print("loaded:", *(name for name in {names!r} if name in sys.modules), file=sys.stderr)
"""
MODEL = ("torch", "transformers", "huggingface_hub", "httpx")
SERVER = ("fastapi", "starlette", "uvicorn", "prometheus_client", "structlog", "guided.server.app")
GRAMMARS = ("numpy", "numba", "jsonschema", "lark", "tokenizers")  # not pydantic: typer loads it where it is there
OTHER_BACKENDS = ("outlines_core", "interegular", "llguidance", "xgrammar")
PARSERS = ("rfc3987_syntax",)


def loaded(names: tuple[str, ...], *arguments: str) -> set[str]:
    """Which of the modules a command has loaded when it is done; it must succeed."""
    code = RUN.format(names=names)
    command = [sys.executable, "-c", code, *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    told = next(line for line in ended.stderr.splitlines() if line.startswith("loaded:"))
    return set(told.split()[1:])


def test_help_loads_no_grammar() -> None:
    boxes = ("rich.console", "rich.markdown", "markdown_it", "pygments")
    assert loaded((*GRAMMARS, *MODEL, *SERVER, *PARSERS, *OTHER_BACKENDS, *boxes), "--help") == set()


def test_the_list_of_commands_shows_what_each_says_of_itself() -> None:
    command = [sys.executable, "-m", "guided.cli", "--help"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for told in (
        "Read texts into typed objects that always fit the schema.",
        "Measure a grammar on a model: its compile time, its masks, and tokens a second under it and without it.",
    ):
        assert told in " ".join(text.split())


def test_a_schema_is_checked_without_model_and_server() -> None:
    asked = (*MODEL, *SERVER, *PARSERS, *OTHER_BACKENDS)
    assert loaded((*asked, "numba"), "check", "examples/models.py:Person") == set()
    assert loaded((*asked, "jsonschema"), "check", "--regex", "[0-9]{4}") == set()


def test_extraction_loads_torch_alone_to_run_the_embedded_model() -> None:
    """transformers' models, and what torch itself loads to compile or distribute some, took 5 of 9 s."""
    others = ("torch._dynamo", "torch.distributed.tensor", "sympy", "triton")
    asked = (*SERVER, *PARSERS, *OTHER_BACKENDS, *MODEL, *others, "lark", "numba", "safetensors")
    text = "examples/texts/people/conference.txt"
    assert loaded(asked, "extract", text, "--schema", "examples/models.py:Person") == {"torch", "safetensors"}


def test_a_plain_llama_needs_torch_and_its_tokenizer(tiny_model_folder: Path) -> None:
    """As smollm2-extract. Importing transformers takes 0.65 s of processor time."""
    asked = (*SERVER, *PARSERS, *OTHER_BACKENDS, *MODEL, "torch._dynamo", "sympy", "lark", "numba", "tokenizers")
    code = f"""
import sys, guided
with guided.LLM({str(tiny_model_folder)!r}) as llm:
    assert llm.extract("Ada is 36.", {{"enum": [1, 2]}}, quotes=True) in (1, 2)
print(*(name for name in {asked!r} if name in sys.modules))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(told.split()) == {"torch", "tokenizers"}


def test_parsers_of_iris_are_built_when_one_is_checked() -> None:
    code = """
import sys
from guided.grammars.jsonschema_library import jsonschema
checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
assert checker.conforms("1.2.3.4", "ipv4") and not checker.conforms("1.2.3", "ipv4")
assert "rfc3987_syntax" not in sys.modules
assert checker.conforms("http://ex\\u00e4mple.org/", "iri") and not checker.conforms("no iri", "iri")
assert not checker.conforms("\\\\\\\\no", "iri-reference")
assert hasattr(sys.modules["rfc3987_syntax"], "syntax_helpers")  # the library itself, not what stood for it
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_that_need_no_model_load_no_library() -> None:
    asked = ("numpy", "pydantic", "jinja2", "asyncio", *GRAMMARS, *MODEL)
    names = "SamplingParams, Limits, GuidedError, Completion, Vocabulary"
    code = f"import sys; from guided import {names}; print(*(name for name in {asked!r} if name in sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == []


class Walked(tuple[Any, ...]):
    """A vocabulary's tokens. walks: who went over all of them."""

    walks: list[str]

    def __iter__(self) -> Iterator[Any]:
        self.walks.append(sys._getframe(1).f_code.co_qualname)
        return super().__iter__()

    def __contains__(self, token: object) -> bool:
        self.walks.append(sys._getframe(1).f_code.co_qualname)
        return super().__contains__(token)

    def index(self, *args: Any) -> int:
        self.walks.append(sys._getframe(1).f_code.co_qualname)
        return super().index(*args)


def test_a_vocabulary_is_walked_once_for_all_who_look_for_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked: the tokenizer is read once, its tokens are sorted once, hashed once, and made a trie once."""
    from guided import LLM, SamplingParams
    from guided.grammars import tokenizers
    from guided.workbench.inspection.match import Acceptor

    reads, walks = [], []
    make, read = Vocabulary.__init__, tokenizers.read_tokenizer

    def make_walked(self: Vocabulary, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        self.tokens = Walked(self.tokens)
        self.tokens.walks = walks

    monkeypatch.setattr(Vocabulary, "__init__", make_walked)
    monkeypatch.setattr(tokenizers, "read_tokenizer", lambda tokenizer: reads.append(tokenizer) or read(tokenizer))
    with LLM() as llm:
        assert walks == ["Vocabulary.longest_token"]
        messages = [{"role": "user", "content": "Anna is 31 years old."}]
        params = SamplingParams(json_schema={"enum": ["yes", "no"]}, thinking=None, stop="x", logprobs=2)
        llm.generate("Hello", SamplingParams(max_new_tokens=2))
        llm.chat(messages, params)
        tool = {"type": "function", "function": {"name": "age", "parameters": {"properties": {"of": {"enum": [1]}}}}}
        llm.chat(messages, SamplingParams(max_new_tokens=40), tools=[tool])
        llm.generate("Hello", SamplingParams(ebnf='root ::= "a" <|json|>?', max_new_tokens=2))
        grammar = llm.compile(params)
        assert grammar is not None
        assert all(Acceptor(grammar).allows(text) for text in (b'"yes"', b'"no"'))
    assert len(reads) == 1
    assert sorted(walks) == sorted({*walks})
    names = {"Vocabulary.longest_token", "Vocabulary.fingerprint", "SortedTokens.__init__", "build_trie"}
    assert {*walks} <= names  # not the last where the process has had the same vocabulary


def test_the_server_says_that_it_loads_before_it_does() -> None:
    """`guided serve` shows a status line while the web framework and the rest are imported."""
    names = (*SERVER, *MODEL)
    code = f"import sys, guided.server.command; print('loaded:', *(name for name in {names!r} if name in sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "loaded:\n"
