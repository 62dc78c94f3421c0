"""The options of `guided serve` and `guided.server.ray`. Each is declared once, here or in the settings it belongs to.

`flags` makes the command line's options from the declarations, and `table` the table of docs/operating.md.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

import annotated_types
import typer
from pydantic import Field
from pydantic.fields import FieldInfo

from guided.engines.settings import BatchSettings, EngineSettings
from guided.grammars import Limits
from guided.params.limits import RequestLimits, read_limits
from guided.processors.settings import ProcessorSettings
from guided.settings import SecondsFromZero, Settings, Switch, TypeWords

from .access import keys_of_process
from .settings import (
    BodyLimits,
    HostName,
    LoadLimits,
    Origin,
    ServerSettings,
    SocketLimits,
    TelemetrySettings,
    WorkbenchSettings,
)

LogLevel = Literal["critical", "error", "warning", "info", "debug"]
LogFormat = Literal["text", "json"]
Name = Annotated[str, Field(min_length=1)]


class ModelOptions(Settings):
    """The served model, and the engine that runs it."""

    panel: ClassVar[str | None] = "Model"

    model: str | None = Field(
        default=None,
        description="Model folder, GGUF file, known name or hub name. Default: smollm2-extract if it is in the cache, "
        "else embedded.",
    )
    served_model_name: Name | None = Field(
        default=None, description="The name that requests give as model. Default: the model's own."
    )
    engine: str = Field(
        default="transformers",
        description="transformers; vllm; openai, another server in OpenAI's protocol (--base-url); or echo, which "
        "writes each prompt's own text, for tests of clients.",
    )
    engine_args: str | dict[str, Any] | None = Field(
        default=None,
        description="For the engine vllm: a JSON object of vLLM's EngineArgs. For openai: how the other server is "
        "asked.",
    )
    device: str = Field(default="auto", description="auto, cpu, cuda, cuda:1, ...")
    dtype: str = Field(default="auto", description="auto, float32, bfloat16 or float16.")
    backend: str | None = Field(default=None, description="Grammar backend. Default: native.")
    limits: str | dict[str, Any] | None = Field(
        default=None,
        description="Limits on one grammar, as a JSON object of fields of guided.Limits, such as "
        '{"max_automaton_states": 50000}.',
    )


class ServedBatch(BatchSettings):
    """The model's batch in a server, where callers don't know each other."""

    short_steps: Switch = Field(default=True, description=EngineSettings.model_fields["short_steps"].description)


class AccessOptions(Settings):
    """Keys: who may use and administer the server."""

    panel: ClassVar[str | None] = "Access"

    api_key_file: Path | None = Field(
        default=None,
        description="API keys: KEY or LABEL KEY a line. Or the variable GUIDED_API_KEYS, with commas. Default: no key "
        "needed.",
    )
    admin_key_file: Path | None = Field(
        default=None, description="The administrator's key. Or the variable GUIDED_ADMIN_KEY. Default: nobody is."
    )
    processor_key_file: Path | None = Field(
        default=None,
        description="Lets requests bring serialised logit processors that are signed with this file's key. "
        "Serialised processors are code that runs in this process. Default: refused.",
    )


class LogOptions(Settings):
    """Settings of the log."""

    panel: ClassVar[str | None] = "Log"

    log_level: Annotated[LogLevel, TypeWords(f"one of {', '.join(get_args(LogLevel))}")] = Field(
        default="info", description="critical, error, warning, info or debug."
    )
    log_format: Annotated[LogFormat, TypeWords("text or json")] = Field(
        default="text", description="text, or json: one object a line."
    )
    log_prompts: Switch = Field(default=False, description="Log the texts of requests too.")


class Options(
    LogOptions,
    TelemetrySettings,
    AccessOptions,
    WorkbenchSettings,
    LoadLimits,
    BodyLimits,
    RequestLimits,
    ServedBatch,
    ModelOptions,
):
    """The options of every way to run the server."""

    panel: ClassVar[str | None] = LoadLimits.panel

    shutdown_timeout_s: SecondsFromZero = Field(
        default=30.0, description="Seconds that running requests get when it stops."
    )

    def server_settings(self, **others: Any) -> ServerSettings:
        """The settings of the server: these options, with the API keys read from files or the environment.

        Raises InvalidInputError if a file can't be read.
        """
        keys = keys_of_process(self.api_key_file, self.admin_key_file)
        return ServerSettings.of(self, keys=keys, request_limits=RequestLimits.of(self), **others)

    def grammar_limits(self) -> Limits | None:
        """Limits on one grammar; None: the defaults. Raises InvalidInputError for an unknown or wrong limit."""
        if self.limits is None:
            return None
        return read_limits(self.limits if isinstance(self.limits, str) else json.dumps(self.limits), "limits")

    def llm_arguments(self) -> dict[str, Any]:
        """The arguments of `guided.LLM` beside the model.

        Only our own engine has `short_steps`; others plan their steps.
        """
        settings = EngineSettings.of(self)
        if self.engine in ("vllm", "openai"):
            settings = settings.model_copy(update={"short_steps": False})
        return {
            "engine": self.engine,
            "engine_args": self.engine_args,
            "device": self.device,
            "dtype": self.dtype,
            "backend": self.backend,
            "limits": self.grammar_limits(),
            "engine_settings": settings,
            "request_limits": RequestLimits.of(self),
            "processor_settings": ProcessorSettings(key_file=self.processor_key_file),
        }


class ServedModels(Settings):
    """Further models, and models of other servers."""

    panel: ClassVar[str | None] = ModelOptions.panel

    add_model: tuple[str, ...] = Field(
        default=(), description="Serve one more model, which requests name as NAME: NAME=MODEL; give it once for each."
    )
    base_url: str | None = Field(default=None, description="For the engine openai: the other server, https://HOST/v1.")
    api_key_env: str | None = Field(
        default=None,
        description="For the engine openai: environment variable with the other server's key. Default: no key is sent.",
    )


class PageOptions(Settings):
    """Web pages that may use the server, and the host names that requests may have."""

    panel: ClassVar[str | None] = AccessOptions.panel

    cors_origin: tuple[Origin, ...] = Field(
        default=(), description="A web page's origin that may use the server from a browser, or *; can be repeated."
    )
    allowed_host: tuple[HostName, ...] = Field(
        default=(),
        description="A name that requests may have in their Host header, beside this machine's own and --host; * for "
        "any; can be repeated. Default: any, but on a loopback address without API keys no other.",
    )


class ServeOptions(SocketLimits, PageOptions, ServedModels, Options):
    """The options of `guided serve`."""

    panel: ClassVar[str | None] = None

    host: str = Field(default="127.0.0.1", description="Address to listen on; 0.0.0.0 lets other machines in.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")


def flags(kind: type[Settings]) -> list[inspect.Parameter]:
    """A parameter for each field, with its help, panel and bounds. typer makes flags of them."""
    return [_flag(kind, name, field) for name, field in kind.model_fields.items()]


def table(kind: type[Settings]) -> str:
    """All fields as a table in Markdown, grouped by panel."""
    lines = ["| option | default | |", "|---|---|---|"]
    panels = dict.fromkeys(_panel(kind, name) for name in kind.model_fields)
    for panel in sorted(panels, key=lambda one: one is not None):
        lines += [] if panel is None else [f"| **{panel}** | | |"]
        for name, field in kind.model_fields.items():
            if _panel(kind, name) == panel:
                lines.append(f"| `--{name.replace('_', '-')}` | {_shown(field.default)} | {field.description} |")
    return "\n".join(lines) + "\n"


def _shown(default: Any) -> str:
    """The text of a default in the table."""
    if default is None or default == ():
        return ""
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, int) and default >= 10_000:
        return f"{default:,}"
    return f"{default:g}" if isinstance(default, float) else str(default)


def _flag(kind: type[Settings], name: str, field: FieldInfo) -> inspect.Parameter:
    bounds = {type(one): one for one in _metadata(field)}
    low, high = bounds.get(annotated_types.Ge), bounds.get(annotated_types.Le)
    option = typer.Option(
        help=field.description,
        rich_help_panel=_panel(kind, name),
        min=None if low is None else low.ge,
        max=None if high is None else high.le,
    )
    annotation: Any = Annotated[_flag_type(field.annotation), option]
    default = list(field.default) if isinstance(field.default, tuple) else field.default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _metadata(field: FieldInfo) -> list[Any]:
    """The metadata of a field's type, also if the type may be None."""
    inner = [part for one in get_args(field.annotation) for part in getattr(one, "__metadata__", ())]
    found = [*field.metadata, *inner]
    return found + [part for one in found if isinstance(one, FieldInfo) for part in one.metadata]


def _flag_type(annotation: Any) -> Any:
    """The type of the flag for a field's type."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _flag_type(get_args(annotation)[0])
    if origin in (Union, UnionType):
        plain, *_ = (one for one in get_args(annotation) if one is not type(None))
        return _flag_type(plain) | None
    if origin is tuple:
        return list[str]
    return str if origin is Literal else annotation


def _panel(kind: type[Settings], name: str) -> str | None:
    """The panel of the class that declares the field."""
    declares = (one for one in kind.__mro__ if name in vars(one).get("__annotations__", {}))
    found: type[Settings] = next(declares)
    return found.panel


if __name__ == "__main__":
    print(table(ServeOptions), end="")
