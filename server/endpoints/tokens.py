"""`/tokenize`, `/detokenize` and `/tokenizer_info`: convert between text and token ids, in vLLM's format.

The first two are also at `/v1/tokenize` and `/v1/detokenize`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Request, Response
from pydantic import Field

from guided.errors import ContextLengthError
from guided.grammars.vocabulary import Vocabulary
from guided.requests.prompting import Conversation, PromptEncoder

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError
from ..limits import require_tokenizer
from ..state import state_of
from ..validation import validate
from .base import Answer, OwnRequest, keyed_router, posting

if TYPE_CHECKING:
    from guided.llm import LLM

router = keyed_router()


class MessagePart(OwnRequest):
    """A message whose content is text."""

    role: str
    content: str


class PromptFields(OwnRequest):
    """Either a text, or messages that the model's chat template renders."""

    model: str | None = None
    prompt: str | None = None
    messages: Annotated[list[MessagePart], Field(min_length=1)] | None = None

    def require_llm(self, request: Request) -> LLM:
        """The requested model. Raises InvalidRequestError unless exactly one of prompt and messages is given, or if the
        model has no tokenizer.
        """
        if (self.prompt is None) == (self.messages is None):
            raise InvalidRequestError("give either prompt or messages", param="prompt")
        llm = state_of(request).require(self.model)
        require_tokenizer(llm)
        context_of(request).prompt_param = "prompt" if self.messages is None else "messages"
        return llm


class TokenizeRequest(PromptFields):
    """The text or messages to tokenize.

    add_special_tokens: add the tokens that the tokenizer puts around a text, such as a beginning of sequence.
    return_token_strs: also return each token's text.
    add_generation_prompt, continue_final_message, chat_template_kwargs: for messages only, as in chat completions.
    """

    add_special_tokens: bool | None = None
    return_token_strs: bool | None = None
    add_generation_prompt: bool | None = None
    continue_final_message: bool | None = None
    chat_template_kwargs: dict[str, Any] | None = None


class TokenizeAnswer(Answer):
    """count: number of tokens. max_model_len: the most tokens of prompt and answer together."""

    count: int
    max_model_len: int
    tokens: list[int]
    token_strs: list[str] | None = None


class DetokenizeRequest(OwnRequest):
    """Token ids, in order."""

    model: str | None = None
    tokens: list[Annotated[int, Field(ge=0)]]


class DetokenizeAnswer(Answer):
    """prompt: the text, with special tokens as their names. bytes: the same text as exact bytes.

    In `prompt`, bytes that are no whole character become U+FFFD. A cut through a text may leave such bytes.
    """

    prompt: str
    bytes: list[int]


class TokenizerInfo(Answer):
    """Facts with which a client can imitate the model's tokenizer; null for a token or template that the model lacks.

    chat_template: a Jinja template.
    model_max_length: the most tokens of prompt and answer together.
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
    """A description of a model's tokenizer; without ?model=NAME, of the first model's."""
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
    given = validate(TokenizeRequest, body)
    llm = given.require_llm(request)
    for name in ("add_generation_prompt", "continue_final_message", "chat_template_kwargs"):
        if given.messages is None and getattr(given, name):
            raise InvalidRequestError(f"{name} is for messages", name)
    if given.messages is not None and given.add_special_tokens:
        raise InvalidRequestError(
            "add_special_tokens is for prompt: the chat template adds its own", "add_special_tokens"
        )
    token_ids = _encode(llm.encoder, given)
    texts = None
    if given.return_token_strs:
        texts = [piece.decode("utf-8", "replace") for piece in token_texts(llm.vocabulary, token_ids)]
    return TokenizeAnswer(
        count=len(token_ids), max_model_len=llm.max_context_tokens, tokens=token_ids, token_strs=texts
    )


def _detokenize(request: Request, body: dict[str, Any]) -> DetokenizeAnswer:
    given = validate(DetokenizeRequest, body)
    llm = state_of(request).require(given.model)
    require_tokenizer(llm)
    vocabulary = llm.vocabulary
    if len(given.tokens) > llm.max_context_tokens:
        raise ContextLengthError(len(given.tokens), llm.max_context_tokens)
    for place, token_id in enumerate(given.tokens):
        if token_id >= vocabulary.size:
            param = f"tokens[{place}]"
            raise InvalidRequestError(
                f"{param} must be below the vocabulary's {vocabulary.size}, not {token_id}", param
            )
    content = b"".join(token_texts(vocabulary, given.tokens))
    return DetokenizeAnswer(prompt=content.decode("utf-8", "replace"), bytes=list(content))


def token_texts(vocabulary: Vocabulary, token_ids: Sequence[int]) -> list[bytes]:
    """The bytes of each token; a special token's bytes are its name."""
    return [vocabulary.written(token_id) for token_id in token_ids]


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
