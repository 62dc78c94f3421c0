"""`LarkFile`: the content of a grammar in the Lark dialect, rule by rule and directive by directive."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import GrammarError, InvalidSchemaError, LimitExceededError, UnsupportedSchemaError
from ..regex.algebra import Language
from ..rules.expressions import EMPTY, JsonDocument, RuleRef, Terminal
from ..schema_input import read_schema
from ..spec import GrammarSpec
from .graph import RuleSet
from .lark_literals import COMMON_NAMES, char_range, common_terminal, read_substrings, regex, string
from .lark_schemas import schema_options
from .lark_syntax import json_text
from .literals import token_by_name, tokens_by_id
from .source import GrammarSource, Lexeme, ParseNode, similar
from .syntax import Conjunction, Exclusion, Node, Pattern, SyntaxRule, choice
from .syntax_tree import Item, SyntaxTree

_NO_TEMPLATES = "templates can't be read; write a rule for each use"
_SPECIAL_IDS = re.compile(r"<\[(\^?)((?:[0-9]{1,9}(?:-[0-9]{1,9})?)(?:,[0-9]{1,9}(?:-[0-9]{1,9})?)*)\]>")


@dataclass
class Attributes:
    """Attributes in brackets behind a rule's name.

    is_lazy: True if the rule matches as little as it can.
    suffix: text that ends the rule.
    """

    is_lazy: bool = False
    suffix: Node | None = None


@dataclass
class LarkFile:
    """The rules, the terminals and the directives' content.

    ignored: texts that may stand between terminals.
    skips_once: True if an ignored text is not repeated.
    nested: name -> grammar inside this one.
    """

    rules: RuleSet
    terminals: RuleSet
    attributes: dict[str, Attributes] = field(default_factory=dict)
    ignored: list[Node] = field(default_factory=list)
    skips_once: bool = False
    nested: dict[str, GrammarSource] = field(default_factory=dict)

    def is_lazy(self, name: str) -> bool:
        """Return True for a rule that matches as little as it can."""
        attributes = self.attributes.get(name)
        return attributes is not None and (attributes.is_lazy or attributes.suffix is not None)


class LarkTree(SyntaxTree):
    """Builders for the parts of the syntax: one method for each, or a `ParseNode` that `start` reads."""

    def __init__(self, source: GrammarSource) -> None:
        super().__init__(source)
        self.file = LarkFile(RuleSet(source), RuleSet(source, "terminal"))

    def start(self, items: list[Lexeme | ParseNode]) -> LarkFile:
        """Return the content of a whole file. Raises InvalidGrammarError."""
        for branch in items:
            if isinstance(branch, Lexeme):
                self._read_options(branch)
            elif branch.data in ("rule", "terminal"):
                self._read_definition(branch)
            elif branch.data == "ignore":
                self.file.ignored.append(self.node(branch.children[1]))
            else:
                self._read_import(branch)
        return self.file

    def _read_definition(self, branch: ParseNode) -> None:
        *head, body = branch.children
        lexemes = [item for item in head if isinstance(item, Lexeme)]
        branches = {item.data: item for item in head if isinstance(item, ParseNode)}
        name = next(lexeme for lexeme in lexemes if lexeme.type in ("RULE", "TERMINAL"))
        if any(lexeme.type == "PRIORITY" for lexeme in lexemes):
            self.notes.append(f"the priority of {name} does not change the language; it is ignored")
        if "parameters" in branches:
            raise self.source.error(_NO_TEMPLATES, name.start_pos)
        rule = SyntaxRule(name.value, self.node(body), name.start_pos)
        (self.file.rules if name.type == "RULE" else self.file.terminals).add(rule)
        if "attributes" in branches:
            self._read_attributes(rule, branches["attributes"])

    def _read_attributes(self, rule: SyntaxRule, branch: ParseNode) -> None:
        attributes = self.file.attributes[rule.name] = Attributes()
        for item in branch.children:
            key, *values = item.children
            if key.value == "lazy" and not values:
                attributes.is_lazy = True
            elif key.value == "suffix" and values:
                attributes.suffix = self.node(values[0])
            elif key.value == "capture":
                self.notes.append(f"the capture of {rule.name} does not change the language; it is ignored")
            else:
                reason = (
                    f"the attribute {key} can't be enforced; there are lazy, suffix=... and capture{_hint(key.value)}"
                )
                raise self.source.error(reason, key.start_pos)

    def _read_import(self, branch: ParseNode) -> None:
        _, path, *names = branch.children
        steps = [step.value for step in path.children]
        if branch.data == "import_all":
            where = "".join(steps)
            for name in names:
                self._import(where, name.value, name.value, name.start_pos)
            return
        last, alias = path.children[-1], names[0] if names else path.children[-1]
        self._import("".join(steps[:-2]), last.value, alias.value, last.start_pos)

    def _import(self, where: str, name: str, alias: str, offset: int) -> None:
        if where != "common":
            raise self.source.error("only %import common.NAME can be read; put other rules into this grammar", offset)
        if name not in COMMON_NAMES:
            raise self.source.error(f"common has no {name}{similar(name, COMMON_NAMES)}", offset)
        self.file.terminals.add(SyntaxRule(alias, Terminal(common_terminal(name)), offset))

    def _read_options(self, lexeme: Lexeme) -> None:
        value: Any = json.loads(json_text(lexeme))
        if not isinstance(value, dict):
            raise self.source.error("%llguidance takes an object", lexeme.start_pos)
        for key, setting in value.items():
            if key == "no_forcing" and isinstance(setting, bool):
                self.notes.append("no_forcing does not change the language; it is ignored")
            elif (key, setting) == ("skip_repetition", "once") or (key == "ignore_once" and isinstance(setting, bool)):
                self.file.skips_once |= bool(setting)
            else:
                reason = f'the option {key} can\'t be enforced; there are no_forcing and "ignore_once": true'
                raise self.source.error(reason, lexeme.start_pos)

    def leaf(self, lexeme: Lexeme) -> Node:
        """Return the node of a lexeme."""
        offset = lexeme.start_pos
        if lexeme.type in ("RULE", "TERMINAL"):
            return RuleRef(lexeme.value, offset)
        if lexeme.type == "STRING":
            return Terminal(string(self.source, lexeme))
        if lexeme.type == "REGEXP":
            piece = regex(self.source, lexeme)
            return Terminal(piece) if isinstance(piece, Language) else Pattern(piece)
        if lexeme.type == "REGEX":
            return Terminal(read_substrings(self.source, json_text(lexeme), offset))
        if lexeme.type == "JSON":
            return self._schema(lexeme)
        if lexeme.type == "GRAMMAR":
            return self._grammar(lexeme)
        if lexeme.type == "SPECIAL":
            return self._special(lexeme)
        raise self.source.error(f"unexpected {lexeme}; expected a string, a regex or a name", offset)

    def _schema(self, lexeme: Lexeme) -> JsonDocument:
        place = self.source.place(lexeme.start_pos)

        def in_context(error: GrammarError) -> GrammarError:
            return error.inside(place) if isinstance(error, InvalidSchemaError | UnsupportedSchemaError) else error

        try:
            schema, text = read_schema(json_text(lexeme), self.source.limits)
        except GrammarError as error:
            raise in_context(error) from None
        except LimitExceededError as error:
            raise error.located(f"of the schema {place}") from None
        whitespace = "flexible"
        if isinstance(schema, dict) and "x-guidance" in schema:
            said = schema_options(schema["x-guidance"])
            if said.problem:
                raise self.source.error(said.problem, lexeme.start_pos)
            whitespace = said.whitespace
            self.notes += said.notes
        spec = GrammarSpec("json_schema", text, whitespace=whitespace, read=(schema, ()))
        return JsonDocument(spec, in_context, place, lexeme.start_pos)

    def _grammar(self, lexeme: Lexeme) -> RuleRef:
        """Return a reference to a grammar inside this one, which has its own names."""
        name = f"%lark:{lexeme.start_pos}"
        start = lexeme.start_pos + lexeme.value.index("{") + 1
        self.file.nested[name] = replace(self.source, start=start, end=lexeme.end_pos - 1)
        return RuleRef(name, lexeme.start_pos)

    def _special(self, lexeme: Lexeme) -> Node:
        offset = lexeme.start_pos
        if not lexeme.value.startswith("<["):
            return token_by_name(self.source, lexeme.value, offset)
        if lexeme.value == "<[*]>":
            return tokens_by_id(self.source, [], offset, is_negated=True)
        match = _SPECIAL_IDS.fullmatch(lexeme.value)
        if match is None:
            raise self.source.error("ids of tokens are written <[7]>, <[7-9,12]>, <[^7]> or <[*]>", offset)
        ranges = []
        for part in match[2].split(","):
            low, _, high = part.partition("-")
            if int(high or low) < int(low):
                raise self.source.error(f"the range {part} is empty; its ends are in the wrong order", offset)
            ranges.append(range(int(low), int(high or low) + 1))
        return tokens_by_id(self.source, ranges, offset, is_negated=bool(match[1]))

    def alias(self, items: list[Item]) -> Node:
        """Return the first item. The alias after it only names trees."""
        return self.node(items[0])

    def conjunction(self, items: list[Item]) -> Node:
        """Return the texts that fit all items; every second item is the operator."""
        operator = items[1]
        assert isinstance(operator, Lexeme)
        return Conjunction(tuple([self.node(item) for item in items[::2]]), operator.start_pos)

    def negated(self, items: list[Item]) -> Node:
        """Return the texts that do not fit the last item. An even number of operators before it cancels out."""
        *operators, item = items
        assert isinstance(operators[0], Lexeme)
        node = self.node(item)
        return Exclusion(None, node, operators[0].start_pos) if len(operators) % 2 else node

    def maybe(self, items: list[Item]) -> Node:
        """Return the item or nothing."""
        return choice([EMPTY, self.node(items[0])])

    def range(self, items: list[Item]) -> Node:
        """Return one character between two others."""
        first, _, last = items
        assert isinstance(first, Lexeme)
        assert isinstance(last, Lexeme)
        return Terminal(char_range(self.source, first, last))

    def template(self, items: list[Item]) -> Node:
        """Refuse the use of a rule with arguments."""
        name = items[0]
        assert isinstance(name, Lexeme)
        raise self.source.error(_NO_TEMPLATES, name.start_pos)


def _hint(attribute: str) -> str:
    """Return a hint for replacing an attribute of llguidance that does not concern the language."""
    if attribute in ("stop", "stop_capture"):
        return "; a text that stops before a mark is a rule with suffix=..., and the mark is part of the text"
    return "; bound the text itself, as /[a-z]{0,80}/ does" if attribute == "max_tokens" else ""
