"""Random calls of tools, spelled as a model family writes them, for the parsers of vLLM and SGLang to read.

A long run: `.venv-engines/bin/python -m tests.engines.call_texts vllm --calls 200`, or `sglang` or `cohere`. Names
behind it take only these families. Prints one line for each family: how many texts its parser read back.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from guided.tools import Tool, ToolCall
from guided.tools.call_reader import CallReader
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
WORDS = ["i < parameters", "<functional>", "</functions", "<tool_calling", "<arg_keys", "<invoke"]  # are no marks
LETTERS = [*"abZ7 .,:-_/()&=#{}[]<>|'\"", "\\", "\n", "\t", "é", "日", "😀", *WORDS]


class Case(NamedTuple):
    """A family, and a parser of others for it.

    strips: the parser takes whitespace around strings away. is_single: it reads one call of an answer only.
    stumbles: over these characters in strings; they are left out.
    """

    syntax: ToolSyntax
    parser: str
    strips: bool = False
    is_single: bool = False
    stumbles: str = ""

    @property
    def name(self) -> str:
        """Of the family and the parser."""
        return f"{self.syntax.name}-{self.parser}"


def random_value(schema: dict[str, Any], rng: random.Random) -> Any:
    """A random value of one of the schemas above."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "object":
        names = [name for name in schema["properties"] if name in schema["required"] or rng.random() < 0.5]
        return {name: random_value(schema["properties"][name], rng) for name in names}
    if schema["type"] == "array":
        return [random_value(schema["items"], rng) for _ in range(rng.randrange(4))]
    makers: dict[str, Callable[[], Any]] = {
        "string": lambda: "".join(rng.choices(LETTERS, k=rng.randrange(1, 24))),
        "integer": lambda: rng.randrange(-1000, 1000),
        "number": lambda: rng.choice([0.5, -2.25, 17, 3.75, 1234567.125]),
        "boolean": lambda: rng.random() < 0.5,
    }
    return makers[schema["type"]]()


def random_calls(case: Case, rng: random.Random) -> list[ToolCall]:
    """One to three calls, as many as the family and the parser have in an answer."""
    is_single = case.is_single or not case.syntax.is_parallel
    calls = []
    for _ in range(1 if is_single else rng.randrange(1, 4)):
        tool = rng.choice(TOOLS)
        arguments = {} if tool.parameters is None else without(case.stumbles, random_value(tool.shown_schema, rng))
        calls.append(ToolCall("", tool.name, json.dumps(arguments, ensure_ascii=False)))
    return calls


def plain(calls: Sequence[ToolCall]) -> Calls:
    """Names and arguments."""
    return [(call.name, json.loads(call.arguments)) for call in calls]


def ours(syntax: ToolSyntax, text: str) -> Calls:
    """The calls that our own reader finds."""
    reader = CallReader(syntax, TOOLS, may_repeat=True)
    reader.push(text)
    reader.finish()
    return plain(reader.calls)


def with_strings(change: Callable[[str], str], value: Any) -> Any:
    """The value with other strings."""
    if isinstance(value, dict):
        return {name: with_strings(change, item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [with_strings(change, item) for item in value]
    return change(value) if isinstance(value, str) else value


def without(characters: str, value: Any) -> Any:
    """The value, without these characters in its strings."""
    return with_strings(lambda text: text.translate(dict.fromkeys(map(ord, characters))), value)


def differences(case: Case, read: Read, num_texts: int) -> Iterator[str]:
    """The texts that are read back to other calls than were spelled, with what was read."""
    rng = random.Random(case.syntax.name)
    for _ in range(num_texts):
        calls = random_calls(case, rng)
        text = case.syntax.spell(calls)
        if (found := ours(case.syntax, text)) != plain(calls):
            yield f"{case.name}, ours: {text!r}\n  read as {found!r}"
        found = read(text)
        change = str.strip if case.strips else str
        if with_strings(change, found) != with_strings(change, plain(calls)):
            yield f"{case.name}, theirs: {text!r}\n  read as {found!r}"


def main() -> None:
    """Print how many texts of each family are read back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=("vllm", "sglang", "cohere"))
    parser.add_argument("families", nargs="*")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    tests = import_module(f"{__package__}.test_{options.engine}_calls")
    for case in tests.CASES:
        if options.families and case.syntax.name not in options.families:
            continue
        wrong = list(differences(case, tests.reader_of(case), options.calls))
        print(f"{case.syntax.name:20} {case.parser:20} {options.calls - len(wrong)} of {options.calls}", flush=True)
        if options.show and wrong:
            print(wrong[0])


if __name__ == "__main__":
    main()
