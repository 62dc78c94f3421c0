"""Loading for `guided.LLM(engine="openai")`: reads the settings, and identifies the other server."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

from openai import APIStatusError, OpenAI

from guided.grammars.errors import InvalidInputError

from ...errors import EndpointBusyError, EndpointError, EndpointTimeoutError, ModelNotFoundError
from ...params.checks import advice_on_unknown
from ...params.sampling_params import MAX_TOKENS
from ...requests.prompting import SCHEMA_VARIABLE
from ..factory import EngineOptions, LoadedEngine, read_engine_args, refuse_settings
from ..settings import EngineSettings
from .connections import new_client
from .endpoint import Endpoint, EndpointSettings
from .engine import OpenAIEngine
from .failures import no_answer, typed_errors
from .prompts import EndpointEncoder
from .text_check import byte_vocabulary

log = logging.getLogger(__name__)

OUR_NAME = "guided"  # `owned_by` in our server's list of models
SHOWN_MODELS = 10
LOOK_EVERY_S = 0.5  # seconds between two questions to a server that is loading
_UNREAD = dict.fromkeys(
    (
        *("kv_cache_tokens", "page_size", "max_prefill_tokens", "prefix_caching", "jump_forward", "max_draft_tokens"),
        *("num_threads", "short_steps"),
    ),
    "the other side runs the model",
)
"""Fields of `EngineSettings` that this engine does not take, see `refuse_settings`."""


def load_openai_engine(model: Any, options: EngineOptions) -> LoadedEngine:
    """Make an `OpenAIEngine`. model: name of the model on the other server; None: its only one.

    engine_args: the fields of `EndpointSettings`.
    Raises InvalidInputError for wrong settings, EndpointError if the server can't be asked, and ModelNotFoundError if
    the server is ours and has no such model.
    """
    if not isinstance(model, str | None) or options.tokenizer is not None:
        raise InvalidInputError("the openai engine takes a model's name, and no tokenizer: the other side has it")
    if options.device != "auto" or options.dtype != "auto":
        raise InvalidInputError("the openai engine has no weights; leave out device and dtype")
    settings = options.settings or EngineSettings()
    refuse_settings(settings, "openai", _UNREAD)
    endpoint = find_endpoint(read_settings(options.engine_args), model)
    vocabulary = byte_vocabulary()
    engine = OpenAIEngine(
        endpoint,
        vocabulary,
        settings=settings,
        processor_settings=options.processor_settings,
        limits=options.limits,
    )
    kind = "a guided server" if endpoint.is_guided else "an OpenAI-compatible one"
    log.info("asking %s at %s, %s", endpoint.model, endpoint.settings.base_url, kind)
    return LoadedEngine(engine, None, EndpointEncoder(endpoint, vocabulary))


def read_settings(engine_args: Mapping[str, Any] | str | None) -> EndpointSettings:
    """The settings. Raises InvalidInputError for a field that is unknown, missing or wrong."""
    given = read_engine_args(engine_args)
    known = list(EndpointSettings.model_fields)
    for name in given:
        if name not in known:
            advice = advice_on_unknown(name, known)
            raise InvalidInputError(f"engine_args: the openai engine has no field {name!r}; {advice}")
    if "base_url" not in given:
        raise InvalidInputError("the openai engine needs base_url, where the other server is: 'https://host/v1'")
    return EndpointSettings(**given)


def find_endpoint(settings: EndpointSettings, model: str | None) -> Endpoint:
    """Ask the other server for its models, and find out if it is ours."""
    with new_client(settings) as client:
        listed = _models_once_loaded(client, settings, model)
        name = _pick(listed, model, settings)
        entry = next((one for one in listed or () if one["id"] == name), {})
        is_guided = settings.is_guided
        if is_guided is None:
            is_guided = {one.get("owned_by") for one in ([entry] if entry else listed or ())} == {OUR_NAME}
        if listed and not entry:
            _check_unlisted(name, listed, settings, is_guided=is_guided)
        shows_schema = is_guided and SCHEMA_VARIABLE in _chat_template(client, settings, name)
    length = entry.get("max_model_len") if settings.max_context_tokens is None else settings.max_context_tokens
    context = length if isinstance(length, int) and length > 0 else MAX_TOKENS
    return Endpoint(settings, name, is_guided, context, shows_schema)


def _models_once_loaded(
    client: OpenAI, settings: EndpointSettings, model: str | None
) -> list[Mapping[str, Any]] | None:
    """The list of models, after a guided server has loaded the model.

    Such a server lists only loaded models, and answers 503 until the first one is loaded.
    """
    deadline = monotonic() + settings.timeout_s
    is_told = False
    while True:
        refusal = None
        try:
            listed = _models(client, settings, is_needed=model is None)
        except EndpointBusyError as error:
            listed, refusal = [], error
        is_there = bool(listed) if model is None else any(one["id"] == model for one in listed or ())
        if listed is None or is_there or not _is_loading(client, settings):
            if refusal is not None:
                raise refusal
            return listed
        if monotonic() > deadline:
            message = "the endpoint is still loading its model; give it more time with engine_args timeout_s"
            raise EndpointTimeoutError(message, settings.base_url)
        if not is_told:
            log.info("%s is still loading its model; waiting for it", settings.base_url)
        is_told = True
        sleep(LOOK_EVERY_S)


def _is_loading(client: OpenAI, settings: EndpointSettings) -> bool:
    """True if the server is ours and says that it is loading."""
    found = _beside(client, settings, "/health")
    return isinstance(found, Mapping) and found.get("model_loaded") is False


def _beside(client: OpenAI, settings: EndpointSettings, path: str) -> Any:
    """The content of a guided server's path outside /v1, also if it is an error."""
    where = settings.base_url.rstrip("/").removesuffix("/v1") + path
    with typed_errors(where):
        try:
            return client.get(where, cast_to=object, options=settings.call_options)
        except APIStatusError as error:
            return error.body


def _models(client: OpenAI, settings: EndpointSettings, *, is_needed: bool) -> list[Mapping[str, Any]] | None:
    """The list of models. None if the server has no such path, or if the list is not needed and the path fails.

    `transformers serve` fails there while the cache of models has no folder.
    """
    where = f"{settings.base_url.rstrip('/')}/models"
    try:
        with typed_errors(where):
            listed = client.get("/models", cast_to=object, options=settings.call_options)
    except EndpointError as error:
        if error.status in (404, 405, 501):
            return None
        if error.status != 500 or is_needed or settings.is_guided:
            raise
        if settings.is_guided is None:
            log.warning(
                "%s failed to list its models (500), so it is taken for a server that is not ours: quotes are checked "
                "when it has answered; if it is ours, say is_guided=True in engine_args",
                settings.base_url,
            )
        return None
    found = listed.get("data") if isinstance(listed, Mapping) else None
    if not isinstance(found, list) or not all(
        isinstance(one, Mapping) and isinstance(one.get("id"), str) for one in found
    ):
        raise no_answer("a list of models without names", where)
    return found


def _pick(listed: Sequence[Mapping[str, Any]] | None, model: str | None, settings: EndpointSettings) -> str:
    """The given model's name; without a name, the only one of the list."""
    if model is not None:
        return model
    if listed is None and not settings.base_url.rstrip("/").endswith("/v1"):
        advice = f"base_url may lack /v1: {settings.base_url.rstrip('/')}/v1; else say which model with model="
        raise InvalidInputError(f"{settings.base_url} has no list of models; {advice}")
    if not listed:
        raise InvalidInputError(f"{settings.base_url} lists no models; say which one with model=")
    if len(listed) > 1 and listed[0].get("owned_by") != OUR_NAME:
        raise InvalidInputError(f"{settings.base_url} has several models; say which one with model=: {_shown(listed)}")
    return str(listed[0]["id"])


def _check_unlisted(
    name: str, listed: Sequence[Mapping[str, Any]], settings: EndpointSettings, *, is_guided: bool
) -> None:
    """Raises ModelNotFoundError if a guided server does not list a model, since it lists all that it accepts.

    For other servers it is a warning. `transformers serve` lists the models of its cache but also accepts folders;
    proxies accept whole families of models.
    """
    if is_guided:
        raise ModelNotFoundError(f"{settings.base_url} has no model {name!r}; it has {_shown(listed)}")
    log.warning("%s does not list the model %r; it lists %s", settings.base_url, name, _shown(listed))


def _shown(listed: Sequence[Mapping[str, Any]]) -> str:
    names = [str(one["id"]) for one in listed[:SHOWN_MODELS]]
    return ", ".join(names) + (", ..." if len(listed) > SHOWN_MODELS else "")


def _chat_template(client: OpenAI, settings: EndpointSettings, model: str) -> str:
    """The chat template of a guided server's model; "" if the server itself asks another server and has none."""
    found = _beside(client, settings, f"/tokenizer_info?{urlencode({'model': model})}")
    template = found.get("chat_template") if isinstance(found, Mapping) else None
    return template if isinstance(template, str) else ""
