"""`/v1/grammar/check`: the report of `guided check` about a grammar, as JSON. No model is asked."""

from __future__ import annotations

from fastapi import Request

from guided.grammars.spec import GrammarKind
from guided.workbench.inspection.match import Acceptor

from ..errors import RequestLimitError
from ..settings import ServerSettings
from .base import Answer, keyed_router, posting
from .grammar_requests import AskedGrammar, GrammarRequest, answer_of_grammar

router = keyed_router()


class GrammarCheckRequest(GrammarRequest):
    """One constraint, in any of the fields of a chat completion, and texts to test.

    documents: texts; the answer says for each whether the grammar allows exactly this text.
    """

    documents: list[str] | None = None

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the documents are too many or too long together."""
        documents = self.documents or []
        if len(documents) > settings.max_check_documents:
            what = f"{len(documents)} documents"
            raise RequestLimitError(what, settings.max_check_documents, "max_check_documents", "documents")
        num_bytes = sum(len(text.encode()) for text in documents)
        if num_bytes > settings.max_check_bytes:
            what = f"documents of {num_bytes} bytes together"
            raise RequestLimitError(what, settings.max_check_bytes, "max_check_bytes", "documents")


class KeywordReport(Answer):
    """How the server enforces one keyword of a schema, or a grammar as a whole. pointer: JSON pointer of its place."""

    pointer: str
    keyword: str
    enforcement: str


class GrammarCheckAnswer(Answer):
    """kind: kind of the grammar. compile_s: seconds of compiling, near 0 if cached. documents: allowed or not, in
    order.
    """

    kind: GrammarKind
    report: list[KeywordReport]
    documents: list[bool]
    compile_s: float


@router.post("/v1/grammar/check", openapi_extra=posting(GrammarCheckRequest))
async def check_grammar(request: Request) -> GrammarCheckAnswer:
    """Checks a grammar: whether and how it is enforced, and which documents it allows. A grammar that can't be enforced
    gets status 400 with the place of the problem.
    """
    return await answer_of_grammar(request, GrammarCheckRequest, _check)


def _check(given: GrammarCheckRequest, grammar: AskedGrammar) -> GrammarCheckAnswer:
    with grammar.watched("trying the documents", "documents"):
        acceptor = Acceptor(grammar.compiled)
        documents = [acceptor.allows(text.encode()) for text in given.documents or []]
    report = [KeywordReport(**vars(entry)) for entry in grammar.compiled.report]
    return GrammarCheckAnswer(kind=grammar.kind, report=report, documents=documents, compile_s=grammar.compile_s)
