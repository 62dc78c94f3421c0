"""The fields of sampling, in any wire format: what they take, for the API's document, and the params they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.output.stopping import Stops
from guided.params.conversions import MAX_OUTPUTS, MAX_REQUEST_TEMPERATURE, MAX_TOP_LOGPROBS, from_openai
from guided.params.sampling_params import (
    MAX_BIAS,
    MAX_PENALTY,
    MAX_SEED,
    MAX_TOKENS,
    MIN_REPETITION_PENALTY,
    FilterOrder,
    LogprobsMode,
    SamplingParams,
)

from .constraints import Constraint


def read_params(
    fields: Mapping[str, Any], constraint: Constraint | None, others: Mapping[str, Any] | None = None
) -> SamplingParams:
    """The params of a request's fields.

    fields: with the names of `guided.params.conversions.from_openai`. others: further arguments of `SamplingParams`.
    Raises RequestFieldError with the field that is wrong, by the name that chats have for it.
    """
    arguments = {**(others or {}), **({} if constraint is None else constraint.arguments)}
    params = from_openai(fields, arguments)
    try:
        Stops(params)
    except InvalidInputError as error:
        raise RequestFieldError(str(error), "stop_regex") from None
    return params


NonEmpty = Annotated[str, Field(min_length=1)]
TokenId = Annotated[int, Field(ge=0)]
TokenIds = Annotated[list[TokenId], Field(min_length=1)]
Share = Annotated[float | None, Field(ge=0, le=1)]
Penalty = Annotated[float | None, Field(ge=-MAX_PENALTY, le=MAX_PENALTY)]
MaxTokens = Annotated[
    int | None, Field(ge=1, description="Tokens that the answer may have. Unset: what is left of the context.")
]
MinTokens = Annotated[
    int | None, Field(ge=0, le=MAX_TOKENS, description="Nothing ends the text before so many tokens.")
]
Seed = Annotated[
    int | None,
    Field(ge=0, le=MAX_SEED, description="Of the request's own random stream: the same seed gives the same text."),
]
Biases = Annotated[
    dict[str, Annotated[float, Field(ge=-MAX_BIAS, le=MAX_BIAS)]],
    Field(json_schema_extra={"propertyNames": {"pattern": "^[0-9]{1,18}$"}}),
]
KeepStop = Annotated[bool | None, Field(description="Keep in the text what ended it.")]


def _said(description: str, **bounds: Any) -> Any:
    return Field(default=None, description=description, **bounds)


class NamedProcessor(BaseModel):
    """A custom processor with its parameters."""

    model_config = ConfigDict(extra="forbid")

    name: str
    params: dict[str, Any] = {}


class SamplingFields(BaseModel):
    """What `from_openai` reads, for the API's document; it checks them itself, in words of its own."""

    temperature: float | None = _said("0 takes the most probable token. Default 1.", ge=0, le=MAX_REQUEST_TEMPERATURE)
    top_p: Share = _said("Keep the fewest most probable tokens whose mass reaches it. 1 is off.")
    n: int | None = _said("Outputs of the prompt.", ge=1, le=MAX_OUTPUTS)
    max_tokens: MaxTokens = None
    max_completion_tokens: MaxTokens = None
    stop: NonEmpty | list[NonEmpty] | None = _said("Strings that end the text where the first of them is complete.")
    presence_penalty: Penalty = _said("Off the logit of every token that the output holds.")
    frequency_penalty: Penalty = _said("The same for each time that it holds the token.")
    logit_bias: Biases | None = _said("Token id -> what is added to its logit.")
    seed: Seed = None
    max_new_tokens: MaxTokens = None
    min_tokens: MinTokens = None
    min_new_tokens: MinTokens = None
    sampling_seed: Seed = None
    top_k: int | None = _said("Keep the k most probable tokens. 0 and -1 are off.", ge=-1)
    min_p: Share = _said("Keep tokens at least so many times as probable as the best one. 0 is off.")
    repetition_penalty: float | None = _said(
        "Logits of tokens of prompt and output are divided by it. 1 is off.", ge=MIN_REPETITION_PENALTY, le=MAX_PENALTY
    )
    stop_token_ids: list[TokenId] | None = _said("Tokens that end the text.")
    stop_regex: NonEmpty | list[NonEmpty] | None = _said("The same as stop for what a regex matches.")
    ignore_eos: bool | None = _said("End-of-sequence tokens don't end the text.")
    stop_in_strings: bool | None = _said("A stop counts within the strings of a JSON document too.")
    include_stop_str_in_output: KeepStop = None
    no_stop_trim: KeepStop = None
    skip_special_tokens: bool | None = _said("Leave special tokens out of the text.")
    spaces_between_special_tokens: bool | None = _said("Put spaces beside the names of special tokens.")
    bad_words: list[NonEmpty | TokenIds] | None = _said("Words that are not written, or their tokens.")
    allowed_token_ids: TokenIds | None = _said("Only these tokens.")
    prompt_logprobs: int | None = _said("Log-probabilities of the prompt's tokens too.", ge=0, le=MAX_TOP_LOGPROBS)
    custom_params: dict[str, Any] | None = _said("Parameters of custom processors that bring none of their own.")
    custom_logit_processor: str | None = _said("A signed processor, where the server allows them.")
    filter_order: FilterOrder | None = _said("What top_p looks at beside top_k.")
    penalize_forced: bool | None = _said("Penalties count tokens that the grammar forced.")
    logprobs_mode: LogprobsMode | None = _said("Of the model's own logits, or of what is drawn from.")
    logprob_token_ids: list[TokenId] | None = _said("At each step also the log-probabilities of these.")
    logit_processors: list[str | tuple[Any, Any] | NamedProcessor] | None = _said(
        "Custom processors by name; GET /v1/logit_processors lists them."
    )
    thinking: bool | None = _said("False: a block of thinking that the chat template opened is closed at once.")
    thinking_budget: int | None = _said("Tokens that the model may think.", ge=0, le=MAX_TOKENS)
