"""`/v1/models`: the model that is served."""

from __future__ import annotations

from typing import Literal

from fastapi import Request

from ..state import ServerState, state_of
from .base import Answer, keyed_router

router = keyed_router()


class ModelObject(Answer):
    """A model, as OpenAI describes it, and the tokens that prompt and answer may have together."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: Literal["guided"] = "guided"
    max_model_len: int


class ModelList(Answer):
    """All models."""

    object: Literal["list"] = "list"
    data: list[ModelObject]


@router.get("/v1/models")
async def list_models(request: Request) -> ModelList:
    """The served model; an empty list while it is not loaded."""
    state = state_of(request)
    return ModelList(data=[] if state.model.llm is None else [_model_object(state)])


@router.get("/v1/models/{model:path}")
async def retrieve_model(request: Request, model: str) -> ModelObject:
    """One model by its name."""
    state = state_of(request)
    state.require(model)
    return _model_object(state)


def _model_object(state: ServerState) -> ModelObject:
    llm = state.model.require()
    return ModelObject(id=state.name_of(llm), created=state.created, max_model_len=llm.max_context_tokens)
