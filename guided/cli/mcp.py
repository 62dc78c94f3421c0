"""`guided mcp`: extraction and grammar checks as tools of the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from guided import __version__
from guided.grammars.errors import GuidedError
from guided.grammars.extras import require

from .loading import ModelName, load_llm

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from ..llm import LLM


def mcp(model: ModelName = None) -> None:
    """Offer extraction and grammar checks to an MCP client (an editor, an agent), over standard input and output.

    The tools are extract, check_schema and check_grammar; each describes itself to the client. The client starts this
    command and ends it.

    Examples:

    guided mcp

    guided mcp --model ./my-model

    Write this in the client's settings: {"mcpServers": {"guided": {"command": "guided", "args": ["mcp"]}}}
    """
    require("mcp", "guided mcp")
    with load_llm(model) as llm:
        mcp_server(llm).run()


def mcp_server(llm: LLM) -> MCPServer[Any]:
    """The MCP server. llm: reads texts; its vocabulary is used to check grammars."""
    from mcp.server.mcpserver import MCPServer

    from ..compile import compile_grammar
    from ..extraction.document import DocumentReader
    from ..extraction.records import to_record
    from .check import report_of
    from .check_report import refusal

    server = MCPServer[Any]("guided", version=__version__, log_level="WARNING")

    @server.tool()
    def extract(
        text: str, schema: dict[str, Any], quotes: bool = False, instructions: str | None = None, long: bool = False
    ) -> dict[str, Any]:
        """Read a text into a JSON document that always fits a JSON Schema.

        text: the text to read. schema: the JSON Schema.
        quotes: true: free strings are quotes of the text, and the text states numbers and dates; `places` in the answer
            tells where, counted in characters.
        instructions: an explanation in words of what to look for.
        long: true: a text that is longer than the model's context is read in pieces.
        """
        with _refusals_as_errors():
            extractor = llm.extractor(schema, quotes=quotes, instructions=instructions, confidence=long)
            found = DocumentReader(extractor).read(text) if long else extractor.extract_one(text)
            if found.error is not None:
                raise found.error
            return to_record("text", found)

    def check(source: dict[str, Any], texts: list[str]) -> dict[str, Any]:
        """The report, or the refusal, of `guided check --json`."""
        try:
            return report_of(compile_grammar(llm.vocabulary, **source), source, texts=texts).as_json()
        except GuidedError as error:
            return refusal(error)

    @server.tool()
    def check_schema(schema: dict[str, Any], texts: list[str] = []) -> dict[str, Any]:  # noqa: B006 - never changed
        """Tell how each keyword of a JSON Schema is enforced in generation, or why the schema is refused and where.

        texts: texts to match against the schema. In the answer, `warnings` names keywords that look misspelled, and
        `notes` names values without a bound. `texts` tells for each text whether the schema allows it; if not, it tells
        where the text stops to match and what was expected there.
        """
        return check({"json_schema": schema}, texts)

    @server.tool()
    def check_grammar(
        kind: Literal["regex", "ebnf", "structural_tag"],
        grammar: str,
        texts: list[str] = [],  # noqa: B006 - never changed
        dialect: Literal["gbnf", "xgrammar", "w3c", "lark"] | None = None,
    ) -> dict[str, Any]:
        """Tell how a grammar is enforced in generation, or why it is refused and where.

        kind: the kind of the grammar: a regex in Python's syntax, an EBNF grammar, or a structural tag in JSON.
        grammar: the grammar. dialect: the dialect of an EBNF grammar; by default it is recognised.
        texts: texts to match; the answer is as in check_schema.
        """
        return check({kind: grammar} | ({} if dialect is None else {"dialect": dialect}), texts)

    return server


@contextmanager
def _refusals_as_errors() -> Iterator[None]:
    """Report expected errors to the client with their message; the MCP package hides the text of other errors."""
    from mcp.server.mcpserver.exceptions import ToolError

    try:
        yield
    except GuidedError as error:
        raise ToolError(str(error)) from error
