"""`find_support`: finds the syntax of calls that a model's chat template writes, and what else the template does for
tools.

The template is rendered with a conversation that contains two calls. The model's family is the one whose syntax spells
the rendered calls (`fit`). A template that shows tools but writes no calls is recognised by its instructions
(`ToolSyntax.announced`). If no family matches, a syntax with JSON arguments is learned from the rendered text. The
template's source is never analysed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from jinja2 import TemplateError

from .calls import ToolCall
from .families import DEFAULT, FAMILIES
from .fitting import Fit, fit
from .ids import IdForm
from .learning import learn
from .probe import ANSWER, ARGUMENTS, NAMES, CallForm, Probe, ToolWay, tool_variables
from .syntax import ToolSyntax

_MARK = r"(?:<[^<>\s]+>|\[/?[A-Z_]+\])"
_THOUGHTS = re.compile(rf"(?:\s|(?=\S*(?i:think|thought|reason)){_MARK})*")
_END_OF_TURN = re.compile(rf"\s*(?!</){_MARK}\s*")
_CALL_ID = "zqCall0ab"  # a form of ids that all templates take
_CLIENT_ID = "call_0123456789abcdef01234567"  # the form of OpenAI's ids


@dataclass(frozen=True)
class ToolSupport:
    """The support of a chat template for tools.

    syntax: how calls are written.
    shows_tools: the template writes the definitions, given as variables; False: a system message explains them.
    writes_calls: the template writes earlier calls and their results; False: they become text.
    is_known: the syntax is the template's own; False: a system message asks for it.
    arguments_as_text: the template takes arguments of earlier calls as JSON text instead of an object.
    empty_content: content of a message with calls and no text.
    splits_text: text beside calls must be a message of its own.
    names_results: results need the tool's name.
    wants_list: the template needs a list of tools also if there are none.
    way: how the template takes definitions.
    """

    syntax: ToolSyntax
    shows_tools: bool
    writes_calls: bool
    is_known: bool = True
    arguments_as_text: bool = False
    empty_content: str | None = ""
    splits_text: bool = False
    names_results: bool = False
    wants_list: bool = False
    way: ToolWay = "tools"

    @property
    def note(self) -> str:
        """A sentence about the support, for the log."""
        if self.is_known:
            return f"tools are called as the model's chat template shows it; family: {self.syntax.name}"
        return (
            f"the model's chat template writes no calls of a known family; those of {self.syntax.name} are asked for, "
            "in a system message"
        )

    def variables(self, definitions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The template's variables for the offered tools."""
        shown = definitions if self.shows_tools else []
        return {"tools": []} if self.wants_list and not shown else tool_variables(shown, self.way)


@lru_cache(maxsize=64)
def find_support(template: str) -> ToolSupport:
    """The support of a chat template. A template with an unknown syntax is treated as if it wrote no calls."""
    unknown = ToolSupport(DEFAULT, shows_tools=False, writes_calls=False, is_known=False)
    try:
        probe = Probe(template)
    except TemplateError:
        return unknown  # whoever renders the template gets the error
    if not probe.writes_questions:
        return unknown
    written: list[str] = []
    support = _by_calls(probe, written) or _by_announcement(probe, written) or replace(unknown, way=probe.way)
    return replace(support, wants_list=probe.wants_list)


def _by_calls(probe: Probe, all_written: list[str]) -> ToolSupport | None:
    """Find the support from the rendered calls. `all_written` gets the rendered text of each form of messages."""
    learned: tuple[CallForm, ToolSyntax] | None = None
    for form in _forms(probe):
        if all_written and form.changes_lists:
            break
        for ids in dict.fromkeys(family.ids.for_template for family in FAMILIES.values()):
            calls, written = _written(probe, form, ids)
            if written is None:
                continue
            syntax = _best(probe, form, calls, written)
            if syntax is not None:
                syntax = replace(syntax, is_parallel=syntax.is_parallel and len(calls) > 1)
                return _support(probe, form, _with_ids(probe, form, syntax))
            if not all_written or not form.as_text:  # a template that took objects may copy any text
                new = _learned(probe, form, calls, written)
                learned = learned or (None if new is None else (form, new))
            all_written.append(written)
    if learned is None:
        return None
    form, syntax = learned
    return _support(probe, form, _with_ids(probe, form, syntax))


def _with_ids(probe: Probe, form: CallForm, syntax: ToolSyntax) -> ToolSyntax:
    """The syntax. If the template refuses ids of the family's form, the syntax gets a form that it takes."""
    forms = dict.fromkeys(family.ids.for_template for family in (syntax, *FAMILIES.values()))
    calls = ((ids, ToolCall(ids(_CLIENT_ID, NAMES[0], 0), NAMES[0], ARGUMENTS[0])) for ids in forms)
    taken = next((ids for ids, call in calls if probe.calls([call], form) is not None), syntax.ids.for_template)
    return replace(syntax, ids=replace(syntax.ids, for_template=taken))


def _by_announcement(probe: Probe, all_written: list[str]) -> ToolSupport | None:
    """Find the support from the template's instructions about calls, unless it writes calls that begin that way."""
    syntax = _announced_syntax(probe.shown_tools or "")
    if syntax is None or any((syntax.trigger or "{") in written for written in all_written):
        return None
    return ToolSupport(syntax, shows_tools=True, writes_calls=False, way=probe.way)


def _forms(probe: Probe) -> Iterator[CallForm]:
    """Forms of messages, the usual one first."""
    for changes_lists in (False, True):
        for as_text in (False, True):
            for content in ("", None):
                yield CallForm(probe.shown_tools is not None, probe.way, as_text, content, changes_lists=changes_lists)


def probe_calls(ids: IdForm, num_calls: int) -> list[ToolCall]:
    """Calls for rendering. ids: the form of ids that the template may expect."""
    given = [_CALL_ID.replace("0", str(place)) for place in range(num_calls)]
    return [
        ToolCall(ids(given[place], NAMES[place], place), NAMES[place], ARGUMENTS[place]) for place in range(num_calls)
    ]


def _written(probe: Probe, form: CallForm, ids: IdForm) -> tuple[list[ToolCall], str | None]:
    """Two calls, or one if the template does not write two, and the rendered text. The text is None if it writes
    neither.
    """
    for num_calls in (2, 1):
        calls = probe_calls(ids, num_calls)
        written = probe.calls(calls, form)
        if written is not None and all(call.name in written for call in calls):
            return calls, written
    return [], None


def _best(probe: Probe, form: CallForm, calls: list[ToolCall], written: str) -> ToolSyntax | None:
    """The family that spells most of the rendered calls, if nothing else in the text belongs to them."""
    around = probe.answer(form)
    fits = [(found, family) for family in FAMILIES.values() if (found := fit(family, calls, written))]
    good = [(found, family) for found, family in fits if around is None or _is_all(found, written, *around)]
    if not good:
        return None
    found, family = max(good, key=lambda one: one[0].end - one[0].start)
    if found.syntax.id_part or not family.id_part:
        return found.syntax
    later = fit(family, calls, probe.with_results(calls, form, [call.id for call in calls]) or "")
    # some templates write ids only before results
    return replace(found.syntax, id_part="" if later is None else later.syntax.id_part)


def _is_all(found: Fit, written: str, before: str, behind: str) -> bool:
    """True if the text around the calls is the same as around a plain answer: marks of turns and thinking."""
    start = _common_marks(before, written[: found.start])
    rest = written[found.end :]
    end = behind.strip()
    ends = not rest.strip() or end.endswith(rest.strip()) or _END_OF_TURN.fullmatch(rest) is not None
    ends = ends or (bool(end) and rest.strip().startswith(end))  # the beginning of a result may follow
    return ends and _THOUGHTS.fullmatch(written[start : found.start]) is not None


def _learned(probe: Probe, form: CallForm, calls: list[ToolCall], written: str) -> ToolSyntax | None:
    """The syntax learned from the rendered calls, without text that also stands around a plain answer."""
    before, behind = probe.answer(form) or ("", "")
    thoughts = _THOUGHTS.match(written, _common_marks(before, written))
    start, written = 0 if thoughts is None else thoughts.end(), written.rstrip()
    marks = [behind[mark.start() :].strip() for mark in re.finditer(_MARK, behind)]
    end = next((end for end in (behind.strip(), *marks) if end and written.endswith(end)), None)
    if end is None:
        last = re.search(rf"(?!</){_MARK}$", written)
        end = "" if last is None else last[0]
    text = written[start : len(written) - len(end)]
    has_end = any(mark in text for mark in re.findall(_MARK, behind))  # a model can't write these marks in an answer
    return None if has_end else learn(calls, text)


def _common_marks(one: str, other: str) -> int:
    """The position where two texts begin to differ; if that is inside a mark, where the mark begins."""
    place = next((i for i in range(min(len(one), len(other))) if one[i] != other[i]), min(len(one), len(other)))
    begin = other.rfind("<", 0, place)
    return begin if begin > other.rfind(">", 0, place) else place


def _support(probe: Probe, form: CallForm, syntax: ToolSyntax) -> ToolSupport:
    calls = probe_calls(syntax.ids.for_template, 1)
    named = replace(form, names_results=True)
    shows, shows_named = (probe.shows_results(calls, one, [calls[0].id]) for one in (form, named))
    beside = probe.calls(calls, form, ANSWER) or ""
    return ToolSupport(
        syntax,
        shows_tools=probe.shown_tools is not None,
        writes_calls=not form.changes_lists and (shows or shows_named),
        arguments_as_text=form.as_text,
        empty_content=form.content,
        splits_text=NAMES[0] not in beside or (not _is_beside(syntax, calls, beside) and probe.shows_both(calls, form)),
        names_results=shows_named and not shows,
        way=form.way,
    )


def _is_beside(syntax: ToolSyntax, calls: Sequence[ToolCall], written: str) -> bool:
    """True if a text and calls in one message are both rendered, and the text does not stand inside the calls."""
    return ANSWER in written and fit(syntax, calls, written) is not None


def _announced_syntax(shown: str) -> ToolSyntax | None:
    """The family that a text about tools announces; of several, the one with the most announced text."""
    named = [
        family for family in FAMILIES.values() if family.announced and all(mark in shown for mark in family.announced)
    ]
    return max(named, key=lambda family: sum(map(len, family.announced)), default=None)
