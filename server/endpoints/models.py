"""`/v1/models`: the served models, in OpenAI's format, or in Anthropic's for clients that send its version header."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from fastapi import Request

from ..model import ModelHolder
from ..protocol.registry import is_anthropic
from ..state import ServerState, state_of
from .base import Answer, keyed_router

router = keyed_router()


class ModelObject(Answer):
    """A model in OpenAI's format. max_model_len: the most tokens of prompt and answer together."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: Literal["guided"] = "guided"
    max_model_len: int


class ModelList(Answer):
    """All models."""

    object: Literal["list"] = "list"
    data: list[ModelObject]


class AnthropicModelObject(Answer):
    """A model in Anthropic's format. max_input_tokens: the most tokens of prompt and answer together."""

    type: Literal["model"] = "model"
    id: str
    display_name: str
    created_at: str
    max_input_tokens: int


class AnthropicModelList(Answer):
    """All models, on a single page."""

    data: list[AnthropicModelObject]
    has_more: Literal[False] = False
    first_id: str
    last_id: str


@router.get("/v1/models")
async def list_models(request: Request) -> ModelList | AnthropicModelList:
    """The loaded models. The first answers requests without a model name.

    503 while no model is loaded.
    """
    state = state_of(request)
    loaded = [holder for holder in state.models if holder.llm is not None]
    models = [_model_object(state, holder) for holder in loaded or [state.models.first]]
    if not is_anthropic(request):
        return ModelList(data=models)
    ids = [model.id for model in models]
    return AnthropicModelList(
        data=[_for_anthropic(model) for model in models],
        first_id=ids[0],
        last_id=ids[-1],
    )


@router.get("/v1/models/{model:path}")
async def retrieve_model(request: Request, model: str) -> ModelObject | AnthropicModelObject:
    """One model by its name."""
    state = state_of(request)
    found = _model_object(state, state.models.find(model))
    return _for_anthropic(found) if is_anthropic(request) else found


def _for_anthropic(model: ModelObject) -> AnthropicModelObject:
    created_at = datetime.fromtimestamp(model.created, UTC).isoformat().replace("+00:00", "Z")
    return AnthropicModelObject(
        id=model.id, display_name=model.id, created_at=created_at, max_input_tokens=model.max_model_len
    )


def _model_object(state: ServerState, holder: ModelHolder) -> ModelObject:
    llm = holder.require()
    return ModelObject(id=holder.require_name(), created=state.created, max_model_len=llm.max_context_tokens)
