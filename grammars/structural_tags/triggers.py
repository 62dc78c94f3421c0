"""Finds the trigger that opens each tag. Checks that every tag begins with a trigger and every trigger has a tag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..rules.expressions import Expression, TokenRef
from .marks import Mark, choice, mark_of, then
from .places import TagValue
from .tokens import TokenNames, spell


@dataclass(frozen=True)
class Tag:
    """A tag.

    begin: its begin: a string or a token format.
    body: the rest of the tag, with its end.
    """

    begin: TagValue
    body: Expression


def text_parts(
    triggers: list[TagValue], tags: list[Tag], stops: Iterable[str], names: TokenNames
) -> list[tuple[Mark, Expression]]:
    """(mark at which free text stops, expression of everything that may follow it) for each way to open tags.

    triggers: nonempty strings.
    tags: the tags.
    stops: all strings at which free text stops.
    names: the special tokens that strings may name.
    Raises InvalidStructuralTagError if a tag begins with no trigger, or a trigger opens no tag.
    """
    strings = [trigger.nonempty_text() for trigger in triggers]
    stops = frozenset(stops)
    rests: dict[str, list[Expression]] = {}
    for tag in tags:
        opening = _opening(tag.begin, strings, stops)
        rests.setdefault(opening, []).append(then(_after(opening, tag.begin, names), tag.body))
    for trigger in triggers:
        if not any(tag.begin.value.startswith(trigger.value) for tag in tags):
            raise trigger.error(f"no tag begins with the trigger {trigger.value!r}")
    return [(mark_of(TagValue(opening, ""), names), choice(options)) for opening, options in rests.items()]


def _opening(begin: TagValue, triggers: list[str], stops: frozenset[str]) -> str:
    """The beginning of a begin string that is the mark after free text.

    The mark is the shortest trigger that the string begins with. If this trigger lies inside another stop, the mark is
    the whole begin string instead, because only that decides if the other stop was there.
    """
    if isinstance(begin.value, dict):
        raise begin.error("a trigger is a string, so the tag must begin with one; token_triggered_tags takes tokens")
    text = begin.text()
    prefixes = [trigger for trigger in triggers if text.startswith(trigger)]
    if not prefixes:
        raise begin.error(f"{text!r} begins with none of the triggers {', '.join(map(repr, triggers))}")
    shortest = min(prefixes, key=len)
    return text if any(shortest in stop[1:-1] for stop in stops) else shortest


def _after(opening: str, begin: TagValue, names: TokenNames) -> Expression:
    """The rest of a begin string after its opening. Raises if the opening ends inside the name of a special token."""
    first = names.split(TagValue(opening, begin.pointer))
    rest = names.split(TagValue(begin.value[len(opening) :], begin.pointer))
    if _token_refs([*first, *rest]) != _token_refs(names.split(begin)):
        raise begin.error(f"its trigger {opening!r} ends inside the name of a special token; write the whole name")
    return spell(rest)


def _token_refs(parts: list[str | TokenRef]) -> list[TokenRef]:
    return [part for part in parts if isinstance(part, TokenRef)]


def check_excludes(excludes: Iterable[TagValue], triggers: list[TagValue]) -> None:
    """Raise InvalidStructuralTagError if a trigger contains an excluded string: it could never be written."""
    for exclude in excludes:
        for trigger in triggers:
            if exclude.nonempty_text() in trigger.nonempty_text():
                raise exclude.error(f"the trigger {trigger.value!r} holds the excluded {exclude.value!r}")


def token_parts(
    triggers: list[TagValue], tags: list[Tag], begins: list[frozenset[int]], names: TokenNames
) -> list[tuple[frozenset[int], Expression]]:
    """(tokens that a tag begins with, rest of the tag) for each tag.

    begins: the set of these tokens for each tag.
    Raises InvalidStructuralTagError if a tag begins with no trigger, or a trigger opens no tag.
    """
    known = [names.resolve(trigger) for trigger in triggers]
    every = frozenset[int]().union(*known)
    for tag, ids in zip(tags, begins, strict=True):
        if not ids <= every:
            raise tag.begin.error("the tag's token is none of the trigger_tokens")
    for trigger, ids in zip(triggers, known, strict=True):
        if not any(ids & begin for begin in begins):
            raise trigger.error(f"no tag begins with the trigger {trigger.value!r}")
    return [(ids, tag.body) for tag, ids in zip(tags, begins, strict=True)]
