r"""Positions of the parts of a Python pattern, for error messages. The trees of `re._parser` have no positions."""

from __future__ import annotations

import re

from .ecma_classes import PatternError

MAX_NESTED_GROUPS = 100
MAX_ASSERTIONS = 1000

_QUANTIFIER = r"[*+?]|\{(?!\})[0-9]*,?[0-9]*\}"
_RANGE_OF_PROPERTY = re.compile(r"(?:\\.|[^\\])-\\[pP]\{|\\[pP]\{[^}]*\}-", re.DOTALL)
_PART = re.compile(
    r"\(\?#(?:\\.|[^\\)])*\)|\[\^?\]?(?:\\.|[^\]\\])*\]"  # comments and classes
    r"|(?P<behind>\(\?<[=!])|(?P<ahead>\(\?[=!])|(?P<place>\\[AZzbB]|[\^$])"
    r"|(?P<GROUPREF>\\(?![1-7][0-7][0-7])[1-9]|\(\?P=)|(?P<GROUPREF_EXISTS>\(\?\()|(?P<ATOMIC_GROUP>\(\?>)"
    rf"|(?P<POSSESSIVE_REPEAT>(?:{_QUANTIFIER})\+)|(?P<count>\{{[0-9]*,?[0-9]*\}})"
    r"|(?P<open>\()|(?P<close>\))|\\.",
    re.DOTALL,
)
_OPEN = ("behind", "ahead", "GROUPREF_EXISTS", "ATOMIC_GROUP", "open")


class Places:
    """The places of the parts of one pattern. Raises PatternError for too many assertions, or groups nested too deep.

    Comments of the flag x are taken for parts.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._found = [(part.lastgroup, part.start()) for part in _PART.finditer(pattern) if part.lastgroup]
        self._assertions = [start for kind, start in self._found if kind in ("behind", "ahead", "place")]
        nesting = 0
        for kind, start in self._found:
            nesting += (kind in _OPEN) - (kind == "close")
            if nesting > MAX_NESTED_GROUPS:
                raise PatternError(f"groups nested more than {MAX_NESTED_GROUPS} deep", start)

    def check_assertions(self) -> None:
        """Raise PatternError if there are more than MAX_ASSERTIONS."""
        if len(self._assertions) > MAX_ASSERTIONS:
            raise PatternError(f"more than {MAX_ASSERTIONS} assertions", self._assertions[MAX_ASSERTIONS])

    def first(self, kind: str) -> int:
        """Return the place of the first part of a kind: an operation, "assertion", "range" (of a property), "count"."""
        if kind == "range":
            found = _RANGE_OF_PROPERTY.search(self._pattern)
            return 0 if found is None else found.start()
        places = self._assertions if kind == "assertion" else [start for one, start in self._found if one == kind]
        return next(iter(places), 0)

    def of_behind(self, number: int) -> int:
        """Return the place of a lookbehind, by its number."""
        places = [start for kind, start in self._found if kind == "behind"]
        return places[number] if number < len(places) else 0
