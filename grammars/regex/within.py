"""`within`: the texts of a Language that have only certain characters, written with smaller sets of characters.

An intersection with all texts of these characters says the same. But counts stay counts, and no product is needed.
"""

from __future__ import annotations

from . import charset as cs
from .charset import CharSet
from .constructors import chars, concat, intersect, repeat, union, words
from .nodes import Chars, Complement, Concat, Intersection, Language, MachineLanguage, Repeat, Union, Words


def within(language: Language, charset: CharSet) -> Language:
    """Return the texts of a Language whose characters are all in a set."""
    found: dict[Language, Language] = {}
    waiting = [language]
    while waiting:
        part = waiting[-1]
        missing = [inner for inner in _parts_of(part) if inner not in found]
        if part not in found and not missing:
            found[part] = _written(part, charset, found)
        if missing:
            waiting += missing
        else:
            waiting.pop()
    return found[language]


def _parts_of(language: Language) -> tuple[Language, ...]:
    """Return the parts that must be written anew. One part of an intersection is enough."""
    if isinstance(language, Concat):
        return language.head, language.tail
    if isinstance(language, Union):
        return language.parts
    if isinstance(language, Intersection):
        return (_simplest(language),)
    return (language.child,) if isinstance(language, Repeat) else ()


def _simplest(language: Intersection) -> Language:
    """Return the part of an intersection that is easiest to write anew."""
    return min(language.parts, key=lambda part: (not part.is_plain, isinstance(part, Complement | MachineLanguage)))


def _written(language: Language, charset: CharSet, found: dict[Language, Language]) -> Language:
    match language:
        case Chars():
            return chars(cs.intersection(language.charset, charset))
        case Words():
            return words([word for word in language.words if all(cs.contains(charset, ord(char)) for char in word)])
        case Concat():
            return concat(found[language.head], found[language.tail])
        case Union():
            return union(*[found[part] for part in language.parts])
        case Repeat():
            return repeat(found[language.child], language.low, language.high)
        case Intersection():
            simplest = _simplest(language)
            return intersect(found[simplest], *[part for part in language.parts if part is not simplest])
    return intersect(language, repeat(chars(charset), 0))
