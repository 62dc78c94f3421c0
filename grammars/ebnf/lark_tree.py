"""`LarkFile`: what a grammar in the Lark dialect says, rule by rule and directive by directive."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from lark import Token, Tree

from ..rules.expressions import JsonDocument
from ..schema_input import read_plain_schema, schema_text
from ..spec import GrammarSpec
from ..watch import checkpoint
from .bnf_tree import start_of
from .graph import RuleSet
from .lark_common import NAMES, common_terminals
from .lark_literals import char_range, regex, string
from .lark_syntax import json_text
from .parser import Branch
from .source import GrammarSource, similar
from .substrings import read_substrings
from .syntax import (
    Conjunction,
    Counted,
    Exclusion,
    Foreign,
    Name,
    Node,
    Options,
    Rule,
    Series,
    TemplateUse,
    Text,
    options,
    series,
)
from .tokens import token_by_name, tokens_by_id

_SPECIAL_IDS = re.compile(r"<\[(\^?)((?:[0-9]{1,9}(?:-[0-9]{1,9})?)(?:,[0-9]{1,9}(?:-[0-9]{1,9})?)*)\]>")


@dataclass
class Attributes:
    """What stands in brackets behind a rule's name. is_lazy: it matches as little as it can; suffix: what follows."""

    is_lazy: bool = False
    suffix: Node | None = None


@dataclass
class LarkFile:
    """The rules, the terminals, and what the directives say. skips_once: an ignored text is not repeated."""

    rules: RuleSet
    terminals: RuleSet
    attributes: dict[str, Attributes] = field(default_factory=dict)
    ignored: list[Node] = field(default_factory=list)
    skips_once: bool = False
    notes: list[str] = field(default_factory=list)


class LarkTree:
    """The file of a tree; one method for each kind of branch."""

    def __init__(self, source: GrammarSource) -> None:
        self.source = source
        self.file = LarkFile(RuleSet(source), RuleSet(source, "terminal"))

    def read(self, tree: Branch) -> LarkFile:
        """Everything that the tree says. Raises InvalidGrammarError."""
        for branch in tree.children:
            if isinstance(branch, Token):
                self._read_options(branch)
            elif branch.data in ("rule", "terminal"):
                self._read_definition(branch)
            elif branch.data == "ignore":
                self.file.ignored.append(self.node(branch.children[1]))
            else:
                self._read_import(branch)
        return self.file

    def _read_definition(self, branch: Branch) -> None:
        *head, body = branch.children
        tokens = [item for item in head if isinstance(item, Token)]
        branches = {item.data: item for item in head if not isinstance(item, Token)}
        name = next(token for token in tokens if token.type in ("RULE", "TERMINAL"))
        if any(token.type == "PRIORITY" for token in tokens):
            self.file.notes.append(f"the priority of {name} does not change the language; it is ignored")
        parameters = tuple(str(token) for token in branches["parameters"].children) if "parameters" in branches else ()
        if len(set(parameters)) < len(parameters):
            raise self.source.error(f"a parameter of {name} is named twice", start_of(name))
        rule = Rule(str(name), self.node(body), start_of(name), parameters)
        (self.file.rules if name.type == "RULE" else self.file.terminals).add(rule)
        if "attributes" in branches and parameters:
            raise self.source.error(f"{name} is a template, which can't have attributes", start_of(name))
        if "attributes" in branches:
            self._read_attributes(rule, branches["attributes"])

    def _read_attributes(self, rule: Rule, branch: Branch) -> None:
        attributes = self.file.attributes[rule.name] = Attributes()
        for item in branch.children:
            assert isinstance(item, Tree)
            key, *values = item.children
            assert isinstance(key, Token)
            if key == "lazy" and not values:
                attributes.is_lazy = True
            elif key == "suffix" and values:
                attributes.suffix = self.node(values[0])
            elif key == "capture":
                self.file.notes.append(f"the capture of {rule.name} does not change the language; it is ignored")
            else:
                reason = f"the attribute {key} can't be enforced; there are lazy, suffix=... and capture"
                raise self.source.error(reason, start_of(key))

    def _read_import(self, branch: Branch) -> None:
        directive, path, *names = branch.children
        assert isinstance(directive, Token)
        assert isinstance(path, Tree)
        steps = [str(step) for step in path.children]
        if branch.data == "import_all":
            where = "".join(steps)
            for name in names:
                assert isinstance(name, Token)
                self._import(where, str(name), str(name), start_of(name))
            return
        last, alias = path.children[-1], names[0] if names else path.children[-1]
        assert isinstance(last, Token)
        assert isinstance(alias, Token)
        self._import("".join(steps[:-2]), str(last), str(alias), start_of(last))

    def _import(self, where: str, name: str, alias: str, offset: int) -> None:
        if where != "common":
            raise self.source.error("only %import common.NAME can be read; put other rules into this grammar", offset)
        if name not in NAMES:
            raise self.source.error(f"common has no {name}{similar(name, NAMES)}", offset)
        self.file.terminals.add(Rule(alias, Text(common_terminals()[name], offset), offset))

    def _read_options(self, token: Token) -> None:
        value: Any = json.loads(json_text(token))
        if not isinstance(value, dict):
            raise self.source.error("%llguidance takes an object", start_of(token))
        for key, setting in value.items():
            if key == "no_forcing" and isinstance(setting, bool):
                self.file.notes.append("no_forcing does not change the language; it is ignored")
            elif key == "skip_repetition" and setting == "once":
                self.file.skips_once = True
            else:
                reason = f'the option {key} can\'t be enforced; there are no_forcing and "skip_repetition": "once"'
                raise self.source.error(reason, start_of(token))

    def node(self, item: Token | Branch) -> Node:
        """What a token or a branch stands for."""
        checkpoint()
        if isinstance(item, Token):
            return self._leaf(item)
        return getattr(self, item.data)(item.children)  # type: ignore[no-any-return]

    def _leaf(self, token: Token) -> Node:
        offset = start_of(token)
        if token.type in ("RULE", "TERMINAL"):
            return Name(str(token), offset)
        if token.type == "STRING":
            return Text(string(self.source, token), offset)
        if token.type == "REGEXP":
            return Text(regex(self.source, token), offset)
        if token.type == "REGEX":
            return Text(read_substrings(self.source, json_text(token), offset), offset)
        if token.type == "JSON":
            return Foreign(self._schema(token), offset)
        if token.type == "SPECIAL":
            return self._special(token)
        raise self.source.error(f"unexpected {token}; expected a string, a regex or a name", offset)

    def _schema(self, token: Token) -> JsonDocument:
        schema = read_plain_schema(json_text(token), self.source.limits)
        if isinstance(schema, dict) and "x-guidance" in schema:
            raise self.source.error("x-guidance is not read; remove it", start_of(token))
        return JsonDocument(GrammarSpec("json_schema", schema_text(schema)))

    def _special(self, token: Token) -> Node:
        offset = start_of(token)
        if not token.value.startswith("<["):
            return token_by_name(self.source, token.value, offset)
        if token.value == "<[*]>":
            return tokens_by_id(self.source, [], offset, is_negated=True)
        match = _SPECIAL_IDS.fullmatch(token.value)
        if match is None:
            raise self.source.error("ids of tokens are written <[7]>, <[7-9,12]>, <[^7]> or <[*]>", offset)
        ranges = []
        for part in match[2].split(","):
            low, _, high = part.partition("-")
            if int(high or low) < int(low):
                raise self.source.error(f"the range {part} is empty; its ends are in the wrong order", offset)
            ranges.append(range(int(low), int(high or low) + 1))
        return tokens_by_id(self.source, ranges, offset, is_negated=bool(match[1]))

    def alternatives(self, items: list[Token | Branch]) -> Node:
        """One of the items."""
        return options([self.node(item) for item in items])

    def alias(self, items: list[Token | Branch]) -> Node:
        """The first item; its name is for trees only."""
        return self.node(items[0])

    def sequence(self, items: list[Token | Branch]) -> Node:
        """The items in a row."""
        return series([self.node(item) for item in items])

    def conjunction(self, items: list[Token | Branch]) -> Node:
        """Texts of all items; every second one is the operator."""
        operator = items[1]
        assert isinstance(operator, Token)
        return Conjunction(tuple([self.node(item) for item in items[::2]]), start_of(operator))

    def negated(self, items: list[Token | Branch]) -> Node:
        """Texts that are not of the last item, before which operators stand; an even number of them undo each other."""
        *operators, item = items
        assert isinstance(operators[0], Token)
        node = self.node(item)
        return Exclusion(None, node, start_of(operators[0])) if len(operators) % 2 else node

    def maybe(self, items: list[Token | Branch]) -> Node:
        """The item or nothing."""
        return Options((Series(()), self.node(items[0])))

    def repeated(self, items: list[Token | Branch]) -> Node:
        """An item with a quantifier."""
        child, quantifier = items
        assert isinstance(quantifier, Token)
        low, high = self._bounds(quantifier)
        return Counted(self.node(child), low, high)

    def _bounds(self, quantifier: Token) -> tuple[int, int | None]:
        if quantifier.type in ("OP", "QUESTION"):
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[quantifier.value]
        separator = ".." if quantifier.type == "TIMES" else ","
        first, is_range, second = quantifier.value.strip("~{}").partition(separator)
        low = first.strip() or "0"
        return self.source.counts(low, second.strip() or None if is_range else low, start_of(quantifier))

    def range(self, items: list[Token | Branch]) -> Node:
        """One character between two."""
        first, _, last = items
        assert isinstance(first, Token)
        assert isinstance(last, Token)
        return Text(char_range(self.source, first, last), start_of(first))

    def template(self, items: list[Token | Branch]) -> Node:
        """A rule with arguments."""
        name, *arguments = items
        assert isinstance(name, Token)
        return TemplateUse(str(name), tuple([self.node(item) for item in arguments]), start_of(name))
