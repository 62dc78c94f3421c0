"""`RayConfig`: what `guided.server.ray:build_app` is told in a `serve.yaml`. Needs no Ray."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from guided.engine.settings import EngineSettings
from guided.processors.settings import ProcessorSettings
from guided.request_limits import RequestLimits

from .access import AccessKeys, keys_of_process
from .settings import ServerSettings

_DEFAULTS = ServerSettings()
_ENGINE = EngineSettings()
_REQUEST = RequestLimits()
ELSEWHERE = {"keys", "request_limits", "send_timeout_s"}
"""Settings of `ServerSettings` that are no key of their own. Ray's proxy holds the connections."""


class RayConfig(BaseModel):
    """One model or several, on each replica. Keys are named as the options of `guided serve` (with _ for -); how many
    replicas there are and what each may use is Ray's matter: the options of the deployment `GuidedServer`.

    more_models: name -> folder or hub name. engine_args: for the engine "vllm". cors_origins: see `ServerSettings`.
    api_key_file, admin_key_file, processor_key_file: read by each replica, on its own machine; the variables
        GUIDED_API_KEYS and GUIDED_ADMIN_KEY work too.
    shutdown_timeout_s: how long a replica that stops may go on with what it has begun. Seconds.
    Raises pydantic's ValidationError for an unknown key and for a value that can't be.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    model: str | None = None
    served_model_name: str | None = Field(default=None, min_length=1)
    more_models: dict[str, str] = Field(default_factory=dict)
    engine: str = "transformers"
    engine_args: dict[str, Any] | None = None
    device: str = "auto"
    dtype: str = "auto"
    backend: str | None = None

    max_batch_size: int = _ENGINE.max_batch_size
    kv_cache_tokens: int | None = _ENGINE.kv_cache_tokens
    page_size: int = _ENGINE.page_size
    max_prefill_tokens: int = _ENGINE.max_prefill_tokens
    prefix_caching: bool = _ENGINE.prefix_caching
    jump_forward: bool = _ENGINE.jump_forward
    max_waiting_requests: int | None = _ENGINE.max_waiting_requests
    num_threads: int | None = _ENGINE.num_threads

    max_concurrent_requests: int = _DEFAULTS.max_concurrent_requests
    max_concurrent_requests_per_key: int | None = _DEFAULTS.max_concurrent_requests_per_key
    compile_threads: int = _DEFAULTS.compile_threads
    max_body_bytes: int = _DEFAULTS.max_body_bytes
    max_body_values: int = _DEFAULTS.max_body_values
    max_body_depth: int = _DEFAULTS.max_body_depth
    max_schema_bytes: int = _DEFAULTS.max_schema_bytes
    max_check_documents: int = _DEFAULTS.max_check_documents
    max_check_bytes: int = _DEFAULTS.max_check_bytes
    max_check_seconds: float = _DEFAULTS.max_check_seconds
    max_messages: int = _DEFAULTS.max_messages
    max_outputs: int = _DEFAULTS.max_outputs
    max_new_tokens: int | None = _DEFAULTS.max_new_tokens
    max_prompt_tokens: int | None = _DEFAULTS.max_prompt_tokens
    max_request_s: float = _DEFAULTS.max_request_s
    body_timeout_s: float = _DEFAULTS.body_timeout_s
    cors_origins: tuple[str, ...] = _DEFAULTS.cors_origins
    log_prompts: bool = _DEFAULTS.log_prompts

    max_stops: int = _REQUEST.max_stops
    max_stop_chars: int = _REQUEST.max_stop_chars
    max_stop_seconds: float = _REQUEST.max_stop_seconds
    max_bad_words: int = _REQUEST.max_bad_words
    max_bad_word_tokens: int = _REQUEST.max_bad_word_tokens
    max_token_ids: int = _REQUEST.max_token_ids
    max_logprob_token_ids: int = _REQUEST.max_logprob_token_ids

    api_key_file: Path | None = None
    admin_key_file: Path | None = None
    processor_key_file: Path | None = None
    shutdown_timeout_s: float = Field(default=30.0, ge=0, allow_inf_nan=False)
    log_level: Literal["critical", "error", "warning", "info", "debug"] = "info"
    log_format: Literal["text", "json"] = "text"

    @model_validator(mode="after")
    def _check(self) -> RayConfig:
        """What is out of range is said where the configuration is read, not once for each replica."""
        self.engine_settings()
        self._server_settings(AccessKeys())
        if "" in {name.strip() for name in self.more_models}:
            raise ValueError("a name in more_models must not be empty")
        if self.served_model_name in self.more_models:
            raise ValueError(f"two models have the name {self.served_model_name!r}; give one of them another name")
        if self.engine_args is not None and self.engine != "vllm":
            raise ValueError(f"engine_args are for the engine 'vllm', not for {self.engine!r}")
        return self

    def engine_settings(self) -> EngineSettings:
        """Those of each model. Raises InvalidInputError for a number out of range."""
        return EngineSettings(**self._values_of(EngineSettings))

    def request_limits(self) -> RequestLimits:
        """Of each model and of the server. Raises InvalidInputError for a number out of range."""
        return RequestLimits(**self._values_of(RequestLimits))

    def server_settings(self) -> ServerSettings:
        """With the keys of this process's files and environment. Raises InvalidInputError where these can't be had."""
        return self._server_settings(keys_of_process(self.api_key_file, self.admin_key_file))

    def llm_arguments(self) -> dict[str, Any]:
        """What `guided.LLM` takes beside the model."""
        return {
            "engine": self.engine,
            "engine_args": self.engine_args,
            "device": self.device,
            "dtype": self.dtype,
            "backend": self.backend,
            "engine_settings": self.engine_settings(),
            "request_limits": self.request_limits(),
            "processor_settings": ProcessorSettings(key_file=self.processor_key_file),
        }

    def _server_settings(self, keys: AccessKeys) -> ServerSettings:
        return ServerSettings(keys=keys, request_limits=self.request_limits(), **self._values_of(ServerSettings))

    def _values_of(self, kind: type[Any]) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(kind) if one.name not in ELSEWHERE}
