"""`/v1/logit_processors`: lists the custom processors that requests can name; the administrator can add one.

The administrator sends the signed text of `CustomLogitProcessor.to_str`. Such text is code that runs in this process.
The server therefore accepts it only with the admin key, and only if the operator configured a key file to check
signatures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Request
from pydantic import Field

from guided.grammars.errors import InvalidInputError
from guided.processors.base import CustomLogitProcessor
from guided.processors.errors import ProcessorRefusedError
from guided.processors.registry import logit_processor_names, register_logit_processor

from ..body import read_request
from ..errors import InvalidRequestError
from ..state import require_admin, state_of
from ..validation import validate
from .base import Answer, OwnRequest, keyed_router, posting

if TYPE_CHECKING:
    from guided.llm import LLM

router = keyed_router()
PAYLOAD = "custom_logit_processor"


class RegisterProcessorRequest(OwnRequest):
    """name: how requests will call the processor. custom_logit_processor: text that `to_str(key_file=...)` wrote of its
    class.
    """

    name: Annotated[str, Field(min_length=1, max_length=200)]
    custom_logit_processor: str


class ProcessorNames(Answer):
    """The names of all processors, sorted."""

    names: list[str]


@router.get("/v1/logit_processors")
async def list_processors(request: Request) -> ProcessorNames:
    """The names that requests can use in `logit_processors`."""
    return ProcessorNames(names=logit_processor_names())


@router.post(
    "/v1/logit_processors",
    status_code=201,
    dependencies=[Depends(require_admin)],
    openapi_extra=posting(RegisterProcessorRequest),
)
async def register_processor(request: Request) -> ProcessorNames:
    """Register a processor under a name until the server stops. Registering the same class again replaces it."""
    state = state_of(request)

    def register(body: dict[str, Any]) -> None:
        _register(state.require(None), validate(RegisterProcessorRequest, body))

    await read_request(request, register)
    return ProcessorNames(names=logit_processor_names())


def _register(llm: LLM, given: RegisterProcessorRequest) -> None:
    try:
        processor = CustomLogitProcessor.from_str(given.custom_logit_processor, llm.engine.processor_settings)
    except ProcessorRefusedError as error:
        raise InvalidRequestError(str(error), PAYLOAD, "logit_processor_refused") from error
    if vars(processor):
        raise InvalidRequestError("the processor is an object with attributes; send its class", PAYLOAD)
    try:
        register_logit_processor(given.name)(type(processor))
    except InvalidInputError as error:
        raise InvalidRequestError(str(error), param="name") from error
