"""`/tokenize`, `/detokenize` and `/tokenizer_info`: between text and the model's token ids, as vLLM has them.

The first two are at `/v1/tokenize` and `/v1/detokenize` too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import Field

from guided.grammars.vocabulary import Vocabulary
from guided.requests.prompting import Conversation, PromptEncoder

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError
from ..limits import check_messages, require_tokenizer
from ..state import state_of
from ..validation import validate
from .base import Answer, OwnRequest, keyed_router, posting

router = keyed_router()


class MessagePart(OwnRequest):
    """A message whose content is text."""

    role: str
    content: str


class TokenizeRequest(OwnRequest):
    """Either a text, or messages, which the model's chat template writes.

    add_special_tokens: those that the tokenizer adds to a text (a beginning of sequence). return_token_strs: each
    token's text too. add_generation_prompt, continue_final_message, chat_template_kwargs: of messages, as in chats.
    """

    model: str | None = None
    prompt: str | None = None
    messages: Annotated[list[MessagePart], Field(min_length=1)] | None = None
    add_special_tokens: bool | None = None
    return_token_strs: bool | None = None
    add_generation_prompt: bool | None = None
    continue_final_message: bool | None = None
    chat_template_kwargs: dict[str, Any] | None = None


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


class TokenizerInfo(Answer):
    """What a client needs to do as the model's tokenizer does; null where it has none of that.

    chat_template: in Jinja. model_max_length: tokens that prompt and answer may have together.
    """

    tokenizer_class: str
    model_max_length: int
    bos_token: str | None
    eos_token: str | None
    pad_token: str | None
    unk_token: str | None
    additional_special_tokens: list[str]
    chat_template: str | None


@router.get("/tokenizer_info")
async def tokenizer_info(request: Request, model: str | None = None) -> TokenizerInfo:
    """What is known of a model's tokenizer; without ?model=NAME, of the first model's."""
    llm = state_of(request).require(model)
    require_tokenizer(llm)
    tokenizer = llm.tokenizer
    named = {name: getattr(tokenizer, name, None) for name in ("bos_token", "eos_token", "pad_token", "unk_token")}
    texts = {name: None if token is None else str(token) for name, token in named.items()}
    template = getattr(tokenizer, "chat_template", None)
    return TokenizerInfo(
        tokenizer_class=type(tokenizer).__name__,
        model_max_length=llm.max_context_tokens,
        **texts,
        additional_special_tokens=sorted(set(llm.vocabulary.special_tokens) - set(texts.values())),
        chat_template=template if isinstance(template, str) else None,
    )


@router.post("/tokenize", response_model=TokenizeAnswer, openapi_extra=posting(TokenizeRequest))
@router.post("/v1/tokenize", response_model=TokenizeAnswer, openapi_extra=posting(TokenizeRequest))
async def tokenize(request: Request) -> Response:
    """The token ids of a text or of a conversation."""
    return await read_request(request, lambda body: _tokenize(request, body).response())


@router.post("/detokenize", response_model=DetokenizeAnswer, openapi_extra=posting(DetokenizeRequest))
@router.post("/v1/detokenize", response_model=DetokenizeAnswer, openapi_extra=posting(DetokenizeRequest))
async def detokenize(request: Request) -> Response:
    """The text of token ids."""
    return await read_request(request, lambda body: _detokenize(request, body).response())


def _tokenize(request: Request, body: dict[str, Any]) -> TokenizeAnswer:
    state = state_of(request)
    given = validate(TokenizeRequest, body)
    if (given.prompt is None) == (given.messages is None):
        raise InvalidRequestError("give either prompt or messages", param="prompt")
    for name in ("add_generation_prompt", "continue_final_message", "chat_template_kwargs"):
        if given.messages is None and getattr(given, name):
            raise InvalidRequestError(f"{name} is for messages", name)
    if given.messages is not None and given.add_special_tokens:
        raise InvalidRequestError(
            "add_special_tokens is for prompt: the chat template adds its own", "add_special_tokens"
        )
    check_messages(given.messages or (), state.settings, "messages")
    llm = state.require(given.model)
    require_tokenizer(llm)
    context_of(request).prompt_param = "prompt" if given.messages is None else "messages"
    encoder = PromptEncoder(llm.tokenizer, llm.vocabulary)
    token_ids = _encode(encoder, given)
    texts = _texts(llm.vocabulary, token_ids) if given.return_token_strs else None
    return TokenizeAnswer(
        count=len(token_ids), max_model_len=llm.max_context_tokens, tokens=token_ids, token_strs=texts
    )


def _detokenize(request: Request, body: dict[str, Any]) -> DetokenizeAnswer:
    given = validate(DetokenizeRequest, body)
    llm = state_of(request).require(given.model)
    require_tokenizer(llm)
    return _decode(llm.vocabulary, given.tokens)


def _encode(encoder: PromptEncoder, given: TokenizeRequest) -> list[int]:
    if given.messages is not None:
        continues = bool(given.continue_final_message)
        conversation = Conversation(
            [message.model_dump() for message in given.messages],
            template_variables=given.chat_template_kwargs or {},
            add_generation_prompt=given.add_generation_prompt is not False and not continues,
            continue_final_message=continues,
        )
        return encoder.encode_chat(conversation)
    assert given.prompt is not None
    # a part of a text may be empty, a prompt may not
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
