"""Options of rules in xgrammar's EBNF, `name[lazy, max_chars=80] ::= ...`, and their effect on the rule's texts.

    lazy          the rule ends as soon as it can: none of its texts begins with another one
    suffix="..."  the rule is lazy, and this text is its end
    max_chars=N   no text is longer than N characters; xgrammar lets a rule go on that can't end there

Such a rule must be regular: no name in it leads back to it. Captures do not affect texts. All other options are refused
by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..regex import algebra as lang
from ..regex.algebra import Language
from ..rules.expressions import Expression, Terminal
from .graph import RuleSet, undefined
from .languages import RegularRules, shortest
from .literals import Escapes, unescape
from .source import GrammarSource, Lexeme
from .syntax import SyntaxRule, names_in

_OPTION = re.compile(r'\s*([\w-]+)\s*(?:=\s*("(?:[^"\\\n]|\\[^\n])*"|[\w.+-]+)\s*)?(?:,|$)')
_HINTS = {
    "max_tokens": "; max_chars=... bounds the text itself",
    "stop": '; suffix="..." ends the rule with a mark that is part of the text',
    "temperature": "; give it in the sampling parameters",
}


@dataclass(frozen=True)
class RuleOptions:
    """The effect of one rule's options on its texts. max_chars: maximum number of characters; None: no bound."""

    is_lazy: bool = False
    suffix: str | None = None
    max_chars: int | None = None

    def is_plain(self) -> bool:
        """Return True if the options have no effect."""
        return self == RuleOptions()

    def applied(self, language: Language) -> Language:
        """Return the texts of a rule with these options. language: language of its body."""
        if self.suffix is not None:
            language = lang.concat(language, lang.text(self.suffix))
        if self.is_lazy or self.suffix is not None:
            language = shortest(language)
        if self.max_chars is None:
            return language
        return lang.intersect(language, lang.repeat(lang.ANY_CHAR, 0, self.max_chars))


def read_options(source: GrammarSource, rule: str, options: Lexeme, notes: list[str], escapes: Escapes) -> RuleOptions:
    """Read options between brackets. notes: receives a note for each option without effect on the language.

    Raises InvalidGrammarError.
    """
    is_lazy, suffix, max_chars = False, None, None
    place, end = options.start_pos + 1, options.end_pos - 1
    while place < end:
        found = _OPTION.match(source.text[:end], place)
        if found is None:
            raise source.error("options of a rule are written [name, name=value]", place)
        name, value = found.groups()
        if name == "lazy" and value is None:
            is_lazy = True
        elif name == "suffix" and value is not None and value.startswith('"'):
            suffix = unescape(source, found.start(2) + 1, found.end(2) - 1, escapes)
        elif name == "max_chars" and value is not None and value.isdigit():
            max_chars = source.count(value, found.start(2))
        elif name in ("capture", "stop_capture") or name.startswith("capture_hidden_"):
            notes.append(f"the option {name} of rule {rule} does not change the language; it is ignored")
        else:
            known = f'lazy, suffix="...", max_chars=N and capture{_HINTS.get(name, "")}'
            raise source.error(
                f"the option {found[0].strip(' ,')} can't be enforced; there are {known}", found.start(1)
            )
        place = found.end()
    return RuleOptions(is_lazy, suffix, max_chars)


def apply_options(source: GrammarSource, rules: RuleSet, options: dict[str, RuleOptions]) -> dict[str, Expression]:
    """Return the bodies of all rules, with their options applied.

    Raises InvalidGrammarError for options of a rule that is not regular.
    """
    known = dict(rules.rules)
    regular = RegularRules(source, known, "a part of a rule with options")
    sizes = {name: len(_reached(source, known, name)) for name, said in options.items() if not said.is_plain()}
    for name in sorted(sizes, key=lambda one: sizes[one]):  # a rule comes before the rules that refer to it
        language = options[name].applied(regular.language(known[name].body))
        known[name] = replace(known[name], body=Terminal(language))
    return {name: rule.body for name, rule in known.items()}  # type: ignore[misc]


def _reached(source: GrammarSource, rules: Mapping[str, SyntaxRule], name: str) -> set[str]:
    """Return the rules that a rule refers to, directly or through others."""
    found, waiting = set[str](), [rules[name].body]
    while waiting:
        for reference in names_in(waiting.pop()):
            if reference.name not in rules:
                raise undefined(source, reference, rules)
            if reference.name not in found:
                found.add(reference.name)
                waiting.append(rules[reference.name].body)
    return found
