"""`/v1/tokenize` and `/v1/detokenize`: between text and the model's token ids, in vLLM's shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import Field

from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary
from guided.prompting import PromptEncoder

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError
from ..limits import check_messages
from ..state import state_of
from ..validation import validate
from .base import Answer, OwnRequest, keyed_router

router = keyed_router()


class MessagePart(OwnRequest):
    """A message whose content is text."""

    role: str
    content: str


class TokenizeRequest(OwnRequest):
    """Either a text, or messages, which the model's chat template writes.

    add_special_tokens: those that the tokenizer adds to a text (a beginning of sequence). return_token_strs: each
    token's text too.
    """

    model: str | None = None
    prompt: str | None = None
    messages: Annotated[list[MessagePart], Field(min_length=1)] | None = None
    add_special_tokens: bool | None = None
    return_token_strs: bool = False


class TokenizeAnswer(Answer):
    """count: of the tokens. max_model_len: tokens that prompt and answer may have together."""

    count: int
    max_model_len: int
    tokens: list[int]
    token_strs: list[str] | None = None


class DetokenizeRequest(OwnRequest):
    """Token ids, in their order."""

    model: str | None = None
    tokens: list[Annotated[int, Field(ge=0)]]


class DetokenizeAnswer(Answer):
    """prompt: the text, with special tokens as their names. bytes: the same, exactly.

    In prompt, bytes that are no whole character are U+FFFD: a cut through a text may leave some.
    """

    prompt: str
    bytes: list[int]


@router.post("/v1/tokenize", response_model=TokenizeAnswer)
async def tokenize(request: Request) -> Response:
    """The token ids of a text or of a conversation."""
    return await read_request(request, lambda body: _tokenize(request, body).response())


@router.post("/v1/detokenize", response_model=DetokenizeAnswer)
async def detokenize(request: Request) -> Response:
    """The text of token ids."""
    return await read_request(request, lambda body: _detokenize(request, body).response())


def _tokenize(request: Request, body: dict[str, Any]) -> TokenizeAnswer:
    state = state_of(request)
    given = validate(TokenizeRequest, body)
    if (given.prompt is None) == (given.messages is None):
        raise InvalidRequestError("give either prompt or messages", param="prompt")
    if given.messages is not None and given.add_special_tokens is not None:
        raise InvalidRequestError(
            "add_special_tokens is for prompt: the chat template adds its own", "add_special_tokens"
        )
    check_messages(given.messages or (), state.settings, "messages")
    llm = state.require(given.model)
    context_of(request).prompt_param = "prompt" if given.messages is None else "messages"
    encoder = PromptEncoder(llm.tokenizer, llm.vocabulary)
    token_ids = _encode(encoder, given)
    texts = _texts(llm.vocabulary, token_ids) if given.return_token_strs else None
    return TokenizeAnswer(
        count=len(token_ids), max_model_len=llm.max_context_tokens, tokens=token_ids, token_strs=texts
    )


def _detokenize(request: Request, body: dict[str, Any]) -> DetokenizeAnswer:
    given = validate(DetokenizeRequest, body)
    return _decode(state_of(request).require(given.model).vocabulary, given.tokens)


def _encode(encoder: PromptEncoder, given: TokenizeRequest) -> list[int]:
    if given.messages is not None:
        messages: list[dict[str, Any]] = [message.model_dump() for message in given.messages]
        return encoder.encode_chat(messages)
    assert given.prompt is not None
    if not given.prompt:
        raise InvalidInputError("the prompt is empty; give it some text")
    return encoder.encode_part(given.prompt) if given.add_special_tokens is False else encoder.encode_text(given.prompt)


def _decode(vocabulary: Vocabulary, token_ids: list[int]) -> DetokenizeAnswer:
    for place, token_id in enumerate(token_ids):
        if token_id >= vocabulary.size:
            raise InvalidRequestError(
                f"tokens[{place}] must be below the vocabulary's {vocabulary.size}, not {token_id}",
                param=f"tokens[{place}]",
            )
    content = b"".join(_pieces(vocabulary, token_ids))
    return DetokenizeAnswer(prompt=content.decode("utf-8", "replace"), bytes=list(content))


def _texts(vocabulary: Vocabulary, token_ids: list[int]) -> list[str]:
    return [piece.decode("utf-8", "replace") for piece in _pieces(vocabulary, token_ids)]


def _pieces(vocabulary: Vocabulary, token_ids: list[int]) -> Iterator[bytes]:
    """The bytes of each token, of a special one its name's."""
    names = {token_id: name.encode() for name, token_id in vocabulary.special_tokens.items()}
    for token_id in token_ids:
        yield vocabulary.tokens[token_id] or names.get(token_id, b"")
