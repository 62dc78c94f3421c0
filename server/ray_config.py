"""`RayConfig`: what `guided.server.ray:build_app` is told in a `serve.yaml`. Needs no Ray."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from .options import Options
from .settings import Origin


class RayConfig(Options):
    """One model or several, on each replica. Keys are named as the options of `guided serve` (with _ for -); how many
    replicas there are and what each may use is Ray's matter: the options of the deployment `GuidedServer`.

    more_models: name -> folder or hub name. cors_origins: see `ServerSettings`. Ray's proxy holds the connections, so
    there is no send_timeout_s. Key files are read by each replica, on its own machine; the variables GUIDED_API_KEYS
    and GUIDED_ADMIN_KEY work too.
    Raises pydantic's ValidationError for an unknown key and for a value that can't be.
    """

    panel: ClassVar[str | None] = None

    more_models: dict[str, str] = Field(default_factory=dict)
    cors_origins: tuple[Origin, ...] = ()

    @model_validator(mode="after")
    def _check_models(self) -> Self:
        if "" in {name.strip() for name in self.more_models}:
            raise ValueError("a name in more_models must not be empty")
        if self.served_model_name in self.more_models:
            raise ValueError(f"two models have the name {self.served_model_name!r}; give one of them another name")
        if self.engine_args is not None and self.engine != "vllm":
            raise ValueError(f"engine_args are for the engine 'vllm', not for {self.engine!r}")
        return self
