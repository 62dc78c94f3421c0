"""The layout of a page as text. Its size is bounded: padding of tables and nested lists may multiply it."""

from __future__ import annotations

from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.extras import require
from guided.grammars.watch import checkpoint

MAX_PADDED_CHARS = 10_000_000
"""Most characters that tables and lists of one page may take. Long real pages take a tenth of it."""
# block elements in addition to the library's own
_BLOCKS = (
    *("center", "dd", "details", "dialog", "dir", "dl", "dt", "fieldset", "form", "hr", "legend", "menu", "optgroup"),
    *("option", "search", "section", "summary"),
)
_LISTS = ("ul", "ol")
_LIST_PADDING = 4  # indentation of a list in characters
_SEPARATOR = "  "  # between two columns
_MAX_NUMBER_DIGITS = 9  # maximum number of digits of a list item's number


class PageLayout:
    """Lays out one page. name: the page's name, for errors."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._num_chars = 0
        self._tables = self._module("inscriptis.model.tag.table_tag")
        self._css = self._module("inscriptis.model.css").CssParse

    def text(self, tree: Any) -> str:
        """The text of an lxml tree. Raises InvalidInputError if it would be too large, RecursionError."""
        self._check_lists_inplace(tree)
        config = self._module("inscriptis.model.config").ParserConfig(
            css=self._elements(),
            table_cell_separator=_SEPARATOR,
            custom_html_tag_handler_mapping=self._module("inscriptis.model.tag").CustomHtmlTagHandlerMapping(
                {}, {"table": self._end_table}
            ),
        )
        # margins and paddings of a `style` are left out: they may be of any size
        config.attribute_handler.attribute_mapping = {
            **config.attribute_handler.attribute_mapping,
            "style": self._style,
        }
        text: str = self._module("inscriptis").Inscriptis(tree, config).get_text()
        return text

    def _module(self, module: str) -> Any:
        return require(module, f"the text of {self._name}")

    def _elements(self) -> dict[str, Any]:
        """The layout of elements, by element name."""
        properties = self._module("inscriptis.html_properties")
        element = self._module("inscriptis.model.html_element").HtmlElement
        block = properties.Display.block
        text_box = element(display=block, whitespace=properties.WhiteSpace.pre)
        blocks = {tag: element(display=block) for tag in _BLOCKS}
        return _Watched(
            {**self._module("inscriptis.css_profiles").CSS_PROFILES["strict"], **blocks, "textarea": text_box}
        )

    def _style(self, style: str, element: Any) -> None:
        for name, apply in (("display", self._css.attr_display), ("white-space", self._css.attr_white_space)):
            value = styles_of(style).get(name)
            if value is not None:
                apply(value, element)

    def _end_table(self, state: Any) -> None:
        if state.current_table:
            self._add_table(state.current_table[-1])
        self._tables.table_end_handler(state)

    def _add_table(self, table: Any) -> None:
        """Count the characters of a table: each line of each row is as long as all columns together."""
        num_lines = 0
        widths: list[int] = []
        for row in table.rows:
            checkpoint()
            cells = [cell.get_text().split("\n") for cell in row.columns]
            num_lines += max(map(len, cells), default=1)
            widths += [0] * (len(cells) - len(widths))
            for column, lines in enumerate(cells):
                widths[column] = max(widths[column], max(map(len, lines)))
        self._add(num_lines * (sum(widths) + len(_SEPARATOR) * len(widths)), "tables")

    def _check_lists_inplace(self, tree: Any) -> None:
        """Count the padding of nested lists: each line may have that of all lists around it. Numbers of items that the
        library can't read are removed.
        """
        pending = [(tree, 0)]
        while pending:
            checkpoint()
            element, padding = pending.pop()
            if not isinstance(element.tag, str):  # a comment
                continue
            padding += _LIST_PADDING * (element.tag in _LISTS)
            num_lines = 1 + (element.text or "").count("\n") + sum((child.tail or "").count("\n") for child in element)
            self._add(padding * num_lines, "nested lists")
            number = element.get("value", "1") if element.tag == "li" else "1"
            if not (number.isascii() and number.isdecimal() and len(number) <= _MAX_NUMBER_DIGITS):
                del element.attrib["value"]
            pending += [(child, padding) for child in element]

    def _add(self, num_chars: int, what: str) -> None:
        self._num_chars += num_chars
        if self._num_chars > MAX_PADDED_CHARS:
            reason = f"the {what} of {self._name} would take over {MAX_PADDED_CHARS:,} characters as text"
            raise InvalidInputError(f"{reason}; give a smaller page, or its plain text")


class _Watched(dict[str, Any]):
    """The layout of elements; the library looks up each element of the page, which is a checkpoint."""

    def get(self, name: str, default: Any = None) -> Any:
        """See `dict.get`."""
        checkpoint()
        return super().get(name, default)


def styles_of(style: str) -> dict[str, str]:
    """The declarations of a `style`, by property name; the last one wins."""
    declarations = (one.partition(":") for one in style.lower().split(";"))
    return {name.strip(): value.partition("!")[0].strip() for name, _, value in declarations}
