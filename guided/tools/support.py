"""`find_support`: which syntax a model's chat template writes, and what else it does for tools.

The template is asked: it renders a conversation with two calls, and the family whose syntax spells what stands there is
the model's (`fit`). A template that shows tools and writes no calls is known by what it says of them
(`ToolSyntax.announced`). Where no family is found, a syntax with arguments in JSON is learned from what was rendered.
Nothing is read off the template's source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from jinja2 import TemplateError

from .calls import ToolCall
from .fitting import Fit, fit
from .ids import IdForm
from .learning import learn
from .probe import ANSWER, ARGUMENTS, NAMES, CallForm, Probe, ToolWay, tool_variables
from .syntax import ToolSyntax
from .syntaxes import DEFAULT, FAMILIES

_MARK = r"(?:<[^<>\s]+>|\[/?[A-Z_]+\])"
_THOUGHTS = re.compile(rf"(?:\s|(?=\S*(?i:think|thought|reason)){_MARK})*")
_END_OF_TURN = re.compile(rf"\s*(?!</){_MARK}\s*")
_LONG_ID = "zqCall0ab"


@dataclass(frozen=True)
class ToolSupport:
    """What a chat template does for tools.

    syntax: how calls are written. is_known: it is that of the template; False: it is asked for in a system message.
    shows_tools: the template shows the definitions itself, given as variables; False: a system message explains them.
    writes_calls: it writes former calls and their results; False: they become text.
    arguments_as_text: it takes the arguments of former calls as JSON text, not as an object.
    empty_content: of a message with calls and no text. splits_text: text beside calls is a message of its own.
    way: how definitions are given.
    """

    syntax: ToolSyntax
    shows_tools: bool
    writes_calls: bool
    is_known: bool = True
    arguments_as_text: bool = False
    empty_content: str | None = ""
    splits_text: bool = False
    way: ToolWay = "tools"

    @property
    def note(self) -> str:
        """In a sentence, what a log says of it."""
        if self.is_known:
            return f"tools are called as the model's chat template shows it; family: {self.syntax.name}"
        return (
            f"the model's chat template writes no calls of a known family; those of {self.syntax.name} are asked for, "
            "in a system message"
        )

    def variables(self, definitions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What the template gets of the tools that are offered."""
        shown = definitions if self.shows_tools else []
        return tool_variables(shown, self.way)


@lru_cache(maxsize=64)
def find_support(template: str) -> ToolSupport:
    """The support of a chat template. One whose syntax is not known here is used as if it had none."""
    unknown = ToolSupport(DEFAULT, shows_tools=False, writes_calls=False, is_known=False)
    try:
        probe = Probe(template)
    except TemplateError:
        return unknown  # whoever renders it is told
    written: list[str] = []
    return _by_calls(probe, written) or _by_announcement(probe, written) or replace(unknown, way=probe.way)


def _by_calls(probe: Probe, all_written: list[str]) -> ToolSupport | None:
    """By what the template writes for calls, which is added to `all_written` for each form of messages."""
    learned: tuple[CallForm, ToolSyntax] | None = None
    for form in _forms(probe):
        if all_written and form.changes_lists:
            break
        for ids in dict.fromkeys(family.ids.for_template for family in FAMILIES):
            calls, written = _written(probe, form, ids)
            if written is None:
                continue
            syntax = _best(probe, form, calls, written)
            if syntax is not None:
                return _support(probe, form, replace(syntax, is_parallel=syntax.is_parallel and len(calls) > 1))
            if not all_written or not form.as_text:  # one that takes objects may write any text as it stands
                new = _learned(probe, form, calls, written)
                learned = learned or (None if new is None else (form, new))
            all_written.append(written)
    return None if learned is None else _support(probe, *learned)


def _by_announcement(probe: Probe, all_written: list[str]) -> ToolSupport | None:
    """By what the template says of calls where it shows tools; it writes none that begin so."""
    syntax = _announced_syntax(probe.shown_tools or "")
    if syntax is None or any((syntax.trigger or "{") in written for written in all_written):
        return None
    return ToolSupport(syntax, shows_tools=True, writes_calls=False, way=probe.way)


def _forms(probe: Probe) -> Iterator[CallForm]:
    """Forms of messages, the usual one first."""
    for changes_lists in (False, True):
        for as_text in (False, True):
            for content in ("", None):
                yield CallForm(probe.shown_tools is not None, probe.way, as_text, content, changes_lists)


def probe_calls(ids: IdForm, num_calls: int) -> list[ToolCall]:
    """Calls for a template. ids: the form that it may want."""
    given = [_LONG_ID.replace("0", str(place)) for place in range(num_calls)]
    return [
        ToolCall(ids(given[place], NAMES[place], place), NAMES[place], ARGUMENTS[place]) for place in range(num_calls)
    ]


def _written(probe: Probe, form: CallForm, ids: IdForm) -> tuple[list[ToolCall], str | None]:
    """Two calls, or one where the template does not write two; and what it writes for them. None: nothing."""
    for num_calls in (2, 1):
        calls = probe_calls(ids, num_calls)
        written = probe.calls(calls, form)
        if written is not None and all(call.name in written for call in calls):
            return calls, written
    return [], None


def _best(probe: Probe, form: CallForm, calls: list[ToolCall], written: str) -> ToolSyntax | None:
    """The family that spells most of what was written for calls; nothing else of it is a part of them."""
    around = probe.answer(form)
    fits = [(found, family) for family in FAMILIES if (found := fit(family, calls, written))]
    good = [(found, family) for found, family in fits if around is None or _is_all(found, written, *around)]
    if not good:
        return None
    found, family = max(good, key=lambda one: one[0].end - one[0].start)
    if found.syntax.id_part or not family.id_part:
        return found.syntax
    later = fit(family, calls, probe.with_results(calls, form, [call.id for call in calls]) or "")
    return replace(found.syntax, id_part="" if later is None else later.syntax.id_part)  # some write it before results


def _is_all(found: Fit, written: str, before: str, behind: str) -> bool:
    """Around the calls stands what stands around an answer that is text: the marks of turns and of thinking."""
    start = _common_marks(before, written[: found.start])
    rest = written[found.end :]
    ends = not rest.strip() or behind.strip().endswith(rest.strip()) or _END_OF_TURN.fullmatch(rest) is not None
    return ends and _THOUGHTS.fullmatch(written[start : found.start]) is not None


def _learned(probe: Probe, form: CallForm, calls: list[ToolCall], written: str) -> ToolSyntax | None:
    """The syntax that is learned from what was written for calls, without what also stands around a text."""
    before, behind = probe.answer(form) or ("", "")
    thoughts = _THOUGHTS.match(written, _common_marks(before, written))
    start, written = 0 if thoughts is None else thoughts.end(), written.rstrip()
    marks = [behind[mark.start() :].strip() for mark in re.finditer(_MARK, behind)]
    end = next((end for end in (behind.strip(), *marks) if end and written.endswith(end)), None)
    if end is None:
        last = re.search(rf"(?!</){_MARK}$", written)
        end = "" if last is None else last[0]
    text = written[start : len(written) - len(end)]
    has_end = any(mark in text for mark in re.findall(_MARK, behind))  # which a model can't write in an answer
    return None if has_end else learn(calls, text)


def _common_marks(one: str, other: str) -> int:
    """Where two texts begin to differ; within a mark, where it begins."""
    place = next((i for i in range(min(len(one), len(other))) if one[i] != other[i]), min(len(one), len(other)))
    begin = other.rfind("<", 0, place)
    return begin if begin > other.rfind(">", 0, place) else place


def _support(probe: Probe, form: CallForm, syntax: ToolSyntax) -> ToolSupport:
    calls = probe_calls(syntax.ids.for_template, 1)
    support = ToolSupport(
        syntax,
        shows_tools=probe.shown_tools is not None,
        writes_calls=not form.changes_lists and probe.shows_results(calls, form, [calls[0].id]),
        arguments_as_text=form.as_text,
        empty_content=form.content,
        way=form.way,
    )
    beside = probe.calls(calls, form, ANSWER)
    return replace(support, splits_text=beside is None or NAMES[0] not in beside)


def _announced_syntax(shown: str) -> ToolSyntax | None:
    """The family most of whose marks are named where tools are shown."""
    named = [family for family in FAMILIES if family.announced and all(mark in shown for mark in family.announced)]
    return max(named, key=lambda family: sum(map(len, family.announced)), default=None)
