"""Ready grammars, as files in the package: `names`, `get`.

    grammar = compile_grammar(vocabulary, **library.get("sql_select").arguments)

To add a grammar, add its file here, its line in `_GRAMMARS`, and valid and invalid texts in the table of its tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..errors import InvalidInputError
from ..spec import GrammarKind

_GRAMMARS: dict[str, tuple[str, str]] = {
    "arithmetic": ("arithmetic.lark", "sums, products and powers of decimal numbers"),
    "chess_moves": ("chess_moves.gbnf", "chess moves in algebraic notation (SAN), numbered"),
    "csv_row": ("csv_row.lark", "one record of a CSV file (RFC 4180)"),
    "iso_date": ("iso_date.lark", "calendar dates that exist, with or without time of day (ISO 8601)"),
    "json": ("json.lark", "any JSON value (RFC 8259)"),
    "json_lines": ("json_lines.lark", "JSON values, one in each line"),
    "markdown_table": ("markdown_table.w3c", "a table of GitHub Flavored Markdown"),
    "python_expression": ("python_expression.lark", "an expression of Python, on one line"),
    "sql_select": ("sql_select.lark", "a SELECT statement of SQL"),
    "tool_calls": ("tool_calls.json", "text with calls in <tool_call> tags, JSON inside"),
}


@dataclass(frozen=True)
class LibraryGrammar:
    """A ready grammar.

    name, description: texts for people.
    kind: the argument of `compile_grammar` that takes the grammar.
    source: the grammar's text.
    dialect: the dialect of an EBNF grammar; None for other kinds.
    """

    name: str
    description: str
    kind: GrammarKind
    source: str
    dialect: str | None

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments for `compile_grammar` except the vocabulary."""
        named: dict[str, str] = {self.kind: self.source}
        return named if self.dialect is None else {**named, "dialect": self.dialect}


def names() -> tuple[str, ...]:
    """Return the names of all ready grammars, sorted."""
    return tuple(sorted(_GRAMMARS))


@cache
def get(name: str) -> LibraryGrammar:
    """Return the ready grammar of that name. Raises InvalidInputError with the names for an unknown one."""
    if name not in _GRAMMARS:
        raise InvalidInputError(f"there is no ready grammar {name!r}; there are {', '.join(names())}")
    file, description = _GRAMMARS[name]
    from importlib import resources  # takes 10 ms, so only reading a grammar pays

    source = resources.files(__name__).joinpath(file).read_text(encoding="utf-8")
    suffix = file.rpartition(".")[2]
    if suffix == "json":
        return LibraryGrammar(name, description, "structural_tag", source, None)
    return LibraryGrammar(name, description, "ebnf", source, suffix)
