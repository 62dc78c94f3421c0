"""`guided serve`: the server's command line."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

from rich.console import Console

from guided.engine.settings import EngineSettings
from guided.grammars.errors import InvalidInputError
from guided.processors.settings import ProcessorSettings
from guided.request_limits import RequestLimits

from . import options
from .access import keys_of_process
from .settings import ServerSettings

if TYPE_CHECKING:
    from .logs import LogFormat

DEFAULTS = ServerSettings()
ENGINE = EngineSettings()


def serve(
    config: options.Config = None,
    model: options.Model = None,
    served_model_name: options.ServedModelName = None,
    add_model: options.AddModel = None,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8000,
    engine: options.Engine = "transformers",
    engine_args: options.EngineArgs = None,
    base_url: options.BaseUrl = None,
    api_key_env: options.ApiKeyEnv = None,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    backend: options.Backend = None,
    max_batch_size: options.MaxBatchSize = ENGINE.max_batch_size,
    kv_cache_tokens: options.KvCacheTokens = ENGINE.kv_cache_tokens,
    max_prefill_tokens: options.MaxPrefillTokens = ENGINE.max_prefill_tokens,
    prefix_caching: options.PrefixCaching = ENGINE.prefix_caching,
    jump_forward: options.JumpForward = ENGINE.jump_forward,
    num_threads: options.NumThreads = ENGINE.num_threads,
    max_body_bytes: options.MaxBodyBytes = DEFAULTS.max_body_bytes,
    max_body_values: options.MaxBodyValues = DEFAULTS.max_body_values,
    max_body_depth: options.MaxBodyDepth = DEFAULTS.max_body_depth,
    max_schema_bytes: options.MaxSchemaBytes = DEFAULTS.max_schema_bytes,
    max_check_documents: options.MaxCheckDocuments = DEFAULTS.max_check_documents,
    max_check_bytes: options.MaxCheckBytes = DEFAULTS.max_check_bytes,
    max_check_seconds: options.MaxCheckSeconds = DEFAULTS.max_check_seconds,
    max_stops: options.MaxStops = DEFAULTS.request_limits.max_stops,
    max_stop_chars: options.MaxStopChars = DEFAULTS.request_limits.max_stop_chars,
    max_stop_seconds: options.MaxStopSeconds = DEFAULTS.request_limits.max_stop_seconds,
    max_bad_words: options.MaxBadWords = DEFAULTS.request_limits.max_bad_words,
    max_bad_word_tokens: options.MaxBadWordTokens = DEFAULTS.request_limits.max_bad_word_tokens,
    max_token_ids: options.MaxTokenIds = DEFAULTS.request_limits.max_token_ids,
    max_logprob_token_ids: options.MaxLogprobTokenIds = DEFAULTS.request_limits.max_logprob_token_ids,
    max_messages: options.MaxMessages = DEFAULTS.max_messages,
    max_outputs: options.MaxOutputs = DEFAULTS.max_outputs,
    max_new_tokens: options.MaxNewTokens = DEFAULTS.max_new_tokens,
    max_prompt_tokens: options.MaxPromptTokens = DEFAULTS.max_prompt_tokens,
    max_concurrent_requests: options.MaxConcurrentRequests = DEFAULTS.max_concurrent_requests,
    max_concurrent_requests_per_key: options.MaxConcurrentRequestsPerKey = DEFAULTS.max_concurrent_requests_per_key,
    compile_threads: options.CompileThreads = DEFAULTS.compile_threads,
    max_request_s: options.MaxRequestS = DEFAULTS.max_request_s,
    body_timeout_s: options.BodyTimeoutS = DEFAULTS.body_timeout_s,
    send_timeout_s: options.SendTimeoutS = DEFAULTS.send_timeout_s,
    shutdown_timeout_s: options.ShutdownTimeoutS = 30.0,
    api_key_file: options.ApiKeyFile = None,
    admin_key_file: options.AdminKeyFile = None,
    processor_key_file: options.ProcessorKeyFile = None,
    cors_origin: options.CorsOrigin = None,
    log_level: options.LogLevel = "info",
    log_format: options.LogFormatOption = "text",
    log_prompts: options.LogPrompts = DEFAULTS.log_prompts,
) -> None:
    """Serve a model with OpenAI's and Anthropic's APIs; answers always fit the schema or grammar of the request.

    Every option is also an environment variable (GUIDED_PORT=9000) and a key of the file that --config names
    (port = 9000). A flag wins over the variable, that over the file. docs/server.md teaches the rest.

    Examples:

    guided serve

    guided serve --model ./my-model --port 9000 --api-key-file keys.txt

    guided serve --model ./large --served-model-name large --add-model small=./small

    guided serve --engine openai --base-url https://HOST/v1 --api-key-env OTHER_KEY --model NAME

    guided serve --config server.toml

    Then, from any OpenAI client: base_url="http://127.0.0.1:8000/v1", api_key="none", model="embedded". The same in a
    browser: http://127.0.0.1:8000/docs and /playground.
    """
    more_folders = _more_models(add_model or [])
    api_key = None if api_key_env is None else _endpoint_key(api_key_env)
    if engine == "openai" and max_prompt_tokens is not None:
        raise InvalidInputError(
            "--max-prompt-tokens can't be held to with --engine openai: the other server has the tokens"
        )
    with Console(stderr=True).status("loading the server"):
        from guided.llm import LLM

        from .serve import run
    request_limits = RequestLimits(
        max_stops=max_stops,
        max_stop_chars=max_stop_chars,
        max_stop_seconds=max_stop_seconds,
        max_bad_words=max_bad_words,
        max_bad_word_tokens=max_bad_word_tokens,
        max_token_ids=max_token_ids,
        max_logprob_token_ids=max_logprob_token_ids,
    )
    settings = ServerSettings(
        max_concurrent_requests=max_concurrent_requests,
        max_concurrent_requests_per_key=max_concurrent_requests_per_key,
        compile_threads=compile_threads,
        max_body_bytes=max_body_bytes,
        max_body_values=max_body_values,
        max_body_depth=max_body_depth,
        max_schema_bytes=max_schema_bytes,
        max_check_documents=max_check_documents,
        max_check_bytes=max_check_bytes,
        max_check_seconds=max_check_seconds,
        request_limits=request_limits,
        max_messages=max_messages,
        max_outputs=max_outputs,
        max_new_tokens=max_new_tokens,
        max_prompt_tokens=max_prompt_tokens,
        max_request_s=max_request_s,
        body_timeout_s=body_timeout_s,
        send_timeout_s=send_timeout_s,
        keys=keys_of_process(api_key_file, admin_key_file),
        cors_origins=tuple(cors_origin or ()),
        log_prompts=log_prompts,
    )
    engine_settings = EngineSettings(
        max_batch_size=max_batch_size,
        kv_cache_tokens=kv_cache_tokens,
        max_prefill_tokens=max_prefill_tokens,
        prefix_caching=prefix_caching,
        jump_forward=jump_forward,
        num_threads=num_threads,
    )
    load_once = functools.cache(LLM)  # a folder that has two names is loaded once
    load, *more = (
        functools.partial(
            load_once,
            folder,
            engine,
            device=device,
            dtype=dtype,
            backend=backend,
            engine_settings=engine_settings,
            request_limits=request_limits,
            engine_args=engine_args,
            base_url=base_url,
            api_key=api_key,
            processor_settings=ProcessorSettings(key_file=processor_key_file),
        )
        for folder in (model, *more_folders.values())
    )
    chosen_format: LogFormat = log_format  # type: ignore[assignment]  # checked by run
    run(
        load,
        host,
        port,
        served_model_name=served_model_name,
        more_models=dict(zip(more_folders, more, strict=True)),
        settings=settings,
        shutdown_timeout_s=shutdown_timeout_s,
        log_level=log_level,
        log_format=chosen_format,
    )


def _more_models(texts: list[str]) -> dict[str, str]:
    """Name -> model, of texts NAME=MODEL."""
    found: dict[str, str] = {}
    for text in texts:
        name, _, folder = (part.strip() for part in text.partition("="))
        if not name or not folder:
            raise InvalidInputError(f"--add-model must be NAME=MODEL, such as small=./my-model, not {text!r}")
        if name in found:
            raise InvalidInputError(f"--add-model gives the name {name!r} to two models")
        found[name] = folder
    return found


def _endpoint_key(variable: str) -> str:
    """The key for another server, of an environment variable: on the command line others would see it."""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InvalidInputError(
            f"--api-key-env names {variable}, and there is no such environment variable, or it is empty"
        )
    return key
