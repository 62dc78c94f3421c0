"""Languages: sets of texts given by regular expressions with union, intersection, complement and counted repetition.

`from guided.grammars.regex import algebra as lang` gives the constants, constructors and questions. A Language is
immutable and interned, so equal structure is the same object. `transitions()` reads the automaton off the expression
lazily. The alphabet is Unicode without surrogates, because no text of a model can contain a surrogate.

    nodes.py         the expressions
    constructors.py  building and simplifying expressions
    derivatives.py   their transitions
    emptiness.py     questions that need a walk over the automaton
    ecma.py          ECMA-262 patterns as Languages
"""

from . import derivatives as derivatives  # installs the rules
from .charset import CharSet
from .constructors import (
    chars,
    complement,
    concat,
    difference,
    intersect,
    machine,
    matches,
    repeat,
    text,
    union,
    words,
)
from .emptiness import count_words, find_word, is_empty, split
from .nodes import (
    ANY_CHAR,
    ANYTHING,
    EMPTY_TEXT,
    NOTHING,
    Chars,
    Complement,
    Concat,
    Intersection,
    Language,
    MachineLanguage,
    Repeat,
    TextAutomaton,
    Union,
    Words,
    sequence_of,
)

__all__ = [
    "ANYTHING",
    "ANY_CHAR",
    "EMPTY_TEXT",
    "NOTHING",
    "CharSet",
    "Chars",
    "Complement",
    "Concat",
    "Intersection",
    "Language",
    "MachineLanguage",
    "Repeat",
    "TextAutomaton",
    "Union",
    "Words",
    "chars",
    "complement",
    "concat",
    "count_words",
    "difference",
    "find_word",
    "intersect",
    "is_empty",
    "machine",
    "matches",
    "repeat",
    "sequence_of",
    "split",
    "text",
    "union",
    "words",
]  # fmt: skip
