"""Public chat templates: is each family known, and are a template's own calls what our syntax spells and reads back?

    python -m tests.families ../shared

prints a line for each template. `check` is the test's, too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.call_reader import CallReader
from guided.tools.conversation import prepare
from guided.tools.probe import ANSWER, ARGUMENTS, DEFINITIONS, NAMES, QUESTION, RESULT, CallForm, Probe
from guided.tools.support import ToolSupport, find_support

TOOLS = ToolUse(tuple(Tool(**one["function"]) for one in DEFINITIONS))
IDS = ("call_1a", "call_2b")


@dataclass(frozen=True)
class Verdict:
    """What became of one template. has_tools: it shows tools or writes calls. problems: of its calls."""

    name: str
    has_tools: bool
    support: ToolSupport
    problems: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The verdict in a line of a table."""
        support = self.support
        does = {"shows tools": support.shows_tools, "writes calls": support.writes_calls}
        does |= {"one call": not support.syntax.is_parallel, "arguments as text": support.arguments_as_text}
        family = support.syntax.name if support.is_known else "unknown" if self.has_tools else "no tools"
        said = ", ".join(what for what, is_so in does.items() if is_so) if support.is_known else ""
        return f"{self.name:52} {family:18} {said:50} {'; '.join(self.problems) or 'ok'}"


def check(path: Path) -> Verdict:
    """The verdict on a template."""
    source = path.read_text(encoding="utf-8")
    support, probe = find_support(source), Probe(source)
    has_tools = probe.shown_tools is not None or any(_writes_calls(probe))
    problems = tuple(_problems(probe, support)) if support.is_known else ("unknown",) * has_tools
    return Verdict(path.stem, has_tools, support, problems)


def _writes_calls(probe: Probe) -> Iterator[bool]:
    calls = _calls(1)
    for as_text in (False, True):
        for content in ("", None):
            yield NAMES[0] in (
                probe.calls(calls, CallForm(probe.shown_tools is not None, probe.way, as_text, content)) or ""
            )


def _calls(num_calls: int) -> list[ToolCall]:
    return [ToolCall(IDS[i], NAMES[i], ARGUMENTS[i]) for i in range(num_calls)]


def _problems(probe: Probe, support: ToolSupport) -> Iterator[str]:
    for num_calls in (1, 2):
        written = _written(probe, support, num_calls)
        yield from _unlike(support, _parts(support, num_calls), written, "calls", num_calls)
    yield from _unlike(support, _parts(support, 1), _written(probe, support, 1, ANSWER), "a call beside text", 1)
    with_result = _written(probe, support, 1, result=RESULT)
    yield from _unlike(support, _parts(support, 1), with_result, "a call and its result", 1)
    if RESULT not in (with_result or ""):
        yield "the result is left out"
    for text in ("", ANSWER):
        yield from _unread(support, text)


def _parts(support: ToolSupport, num_calls: int) -> list[list[ToolCall]]:
    """Calls that are written together."""
    calls = _calls(num_calls)
    return [calls] if support.syntax.is_parallel else [[call] for call in calls]


def _written(probe: Probe, support: ToolSupport, num_calls: int, text: str = "", result: str = "") -> str | None:
    """What the template writes of a conversation as a request has it."""
    function = [{"name": call.name, "arguments": call.arguments} for call in _calls(num_calls)]
    calls = [{"id": IDS[i], "type": "function", "function": function[i]} for i in range(num_calls)]
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": text or None, "tool_calls": calls},
    ]
    if result:
        messages += [{"role": "tool", "tool_call_id": IDS[0], "content": result}]
    form = CallForm(support.shows_tools, "tools" if support.way == "system" else support.way)
    written = probe.render(prepare(messages, TOOLS, support), form)
    return None if written is None else written.rpartition(QUESTION)[2]


def _unlike(
    support: ToolSupport, groups: Sequence[Sequence[ToolCall]], written: str | None, what: str, num_calls: int
) -> Iterator[str]:
    """Whether the calls are spelled as the template wrote them, byte for byte."""
    num_before = 0
    for group in groups:
        spelled = support.syntax.spell(group, num_before)
        unnamed = support.syntax.spell([ToolCall("", call.name, call.arguments) for call in group], num_before)
        # Some templates leave the end of a group out where it has one call.
        cut = spelled.removesuffix(support.syntax.group_end)
        is_cut = len(group) == 1 and written is not None and cut in written
        if written is None or not (spelled in written or unnamed in written or is_cut):
            yield f"{what} ({num_calls}): {spelled!r} is not in {written!r}"
        num_before += len(group)


def _unread(support: ToolSupport, text: str) -> Iterator[str]:
    """Whether the calls are read back."""
    for group in (_calls(1), _calls(2)[: 2 if support.syntax.is_parallel else 1]):
        before = text if support.syntax.trigger else ""  # where nothing marks a call, none follows a text
        spelled = before + support.syntax.spell(group)
        for pieces in [spelled], list(spelled):
            reader = CallReader(support.syntax, TOOLS.tools)
            shown = "".join(reader.push(piece)[0] for piece in pieces) + reader.finish()[0]
            read = [(call.name, json.loads(call.arguments)) for call in reader.calls]
            if shown.strip() != before or read != [(call.name, json.loads(call.arguments)) for call in group]:
                yield f"{spelled!r} is read as {shown!r} and {read}"


def main() -> None:
    """Check the templates of a folder, and print what became of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, help="the folder with data/chat-templates")
    folder = parser.parse_args().shared / "data" / "chat-templates"
    verdicts = [check(path) for path in sorted(folder.glob("*.jinja"))]
    for verdict in verdicts:
        print(verdict.line)
    with_tools = [verdict for verdict in verdicts if verdict.has_tools]
    known = [verdict for verdict in with_tools if verdict.support.is_known]
    exact = [verdict for verdict in known if not verdict.problems]
    print(f"{len(verdicts)} templates; with tools {len(with_tools)}; known {len(known)}; exact {len(exact)}")
    if len(exact) < len(with_tools):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
