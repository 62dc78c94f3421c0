"""Random calls of tools, spelled as a model family writes them, for the parsers of vLLM and SGLang to read.

A long run: `.venv-engines/bin/python -m tests.engines.call_texts vllm --calls 200`, or `sglang`; names behind it take
only these families. Prints one line for each family: how many texts its parser read back to the same calls.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from guided.tools import Tool, ToolCall
from guided.tools.reader import CallReader
from guided.tools.syntax import ToolSyntax

Calls = list[tuple[str, dict[str, Any]]]  # names and arguments
Read = Callable[[str], Calls]  # a parser of others

PLACE = {
    "type": "object",
    "properties": {"street": {"type": "string"}, "floor": {"type": "integer"}, "lift": {"type": "boolean"}},
    "required": ["street"],
    "additionalProperties": False,
}
BOOK = {
    "type": "object",
    "properties": {
        "guest": {"type": "string"},
        "nights": {"type": "integer"},
        "price": {"type": "number"},
        "late": {"type": "boolean"},
        "room": {"enum": ["single", "double"]},
        "place": PLACE,
        "wishes": {"type": "array", "items": {"type": "string"}},
        "days": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["guest"],
    "additionalProperties": False,
}
NOTE = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["text", "tags"],
    "additionalProperties": False,
}
TOOLS = (Tool("book", "Books a room.", BOOK), Tool("take_note", "Keeps a note.", NOTE), Tool("now", "The time."))
ALPHABET = ["a", "b", "Z", "7", " ", "é", "日", "😀", ".", ",", ":", "-", "_", "/", "(", ")", "&", "=", "#"]
HARD = ['"', "'", "\\", "\n", "{", "}", "[", "]", "<", ">", "\t", "|"]


def random_value(schema: dict[str, Any], rng: random.Random, letters: Sequence[str]) -> Any:
    """A random value of one of the schemas above."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "object":
        names = [name for name in schema["properties"] if name in schema["required"] or rng.random() < 0.5]
        return {name: random_value(schema["properties"][name], rng, letters) for name in names}
    if schema["type"] == "array":
        return [random_value(schema["items"], rng, letters) for _ in range(rng.randrange(4))]
    makers: dict[str, Callable[[], Any]] = {
        "string": lambda: "".join(rng.choices(letters, k=rng.randrange(1, 24))),
        "integer": lambda: rng.randrange(-1000, 1000),
        "number": lambda: rng.choice([0.5, -2.25, 17, 1e21, 3.75]),
        "boolean": lambda: rng.random() < 0.5,
    }
    return makers[schema["type"]]()


def random_calls(syntax: ToolSyntax, rng: random.Random, *, is_hard: bool = True) -> list[ToolCall]:
    """One to three calls. is_hard: their strings hold quotes, brackets and line breaks."""
    letters = [*ALPHABET, *HARD] if is_hard else ALPHABET
    tools = [rng.choice(TOOLS) for _ in range(rng.randrange(1, 4) if syntax.is_parallel else 1)]
    drawn = [random_value(tool.shown_schema, rng, letters) for tool in tools if tool.parameters is not None]
    values = iter(drawn)
    return [
        ToolCall("", tool.name, json.dumps({} if tool.parameters is None else next(values), ensure_ascii=False))
        for tool in tools
    ]


def plain(calls: Sequence[ToolCall]) -> Calls:
    """Names and arguments."""
    return [(call.name, json.loads(call.arguments)) for call in calls]


def ours(syntax: ToolSyntax, text: str) -> Calls:
    """The calls that our own reader finds."""
    reader = CallReader(syntax, TOOLS, may_repeat=True)
    reader.push(text)
    reader.finish()
    return plain(reader.calls)


def differences(syntax: ToolSyntax, read: Read, num_texts: int, *, is_hard: bool = True) -> Iterator[str]:
    """The texts that are read back to other calls than were spelled, with what was read."""
    rng = random.Random(syntax.name)
    for _ in range(num_texts):
        calls = random_calls(syntax, rng, is_hard=is_hard)
        text = syntax.spell(calls)
        for name, reader in ("ours", lambda text: ours(syntax, text)), ("theirs", read):
            found = reader(text)
            if found != plain(calls):
                yield f"{syntax.name}, {name}: {text!r}\n  read as {found!r}"


def main() -> None:
    """Print how many texts of each family are read back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=("vllm", "sglang"))
    parser.add_argument("families", nargs="*")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.engine == "vllm":
        from .test_vllm_calls import PARSERS, reader_of
    else:
        from .test_sglang_calls import PARSERS, reader_of
    for case in PARSERS:
        if options.families and case.syntax.name not in options.families:
            continue
        wrong = list(differences(case.syntax, reader_of(case), options.calls, is_hard=case.is_hard))
        print(f"{case.syntax.name:20} {case.parser:20} {options.calls - len(wrong)} of {options.calls}", flush=True)
        if options.show and wrong:
            print(wrong[0])


if __name__ == "__main__":
    main()
