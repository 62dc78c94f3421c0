"""`PlainCall`: what an endpoint without a wire format asks of the model; `AnyCall`: that, or a wire format's `Call`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from guided.params.sampling_params import SamplingParams
from guided.tools import ToolUse

from .protocol.base import Call, Prompt


@dataclass(frozen=True)
class PlainCall:
    """The fields are those of `Call`; the endpoint writes the answer itself."""

    model: str | None
    prompts: tuple[Prompt, ...]
    params: SamplingParams
    prompt_param: str
    constraint_param: str | None = None
    tools: ToolUse | None = None
    is_stream: bool = False
    sent_names: Mapping[str, str] = field(default_factory=dict)


AnyCall = Call | PlainCall
CallT = TypeVar("CallT", Call, PlainCall)
