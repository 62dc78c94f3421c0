"""`RequestPlan`: what a request's sampling parameters and tools come to: what runs, is shown, and is read back."""

from __future__ import annotations

from dataclasses import dataclass

from guided.grammars.protocol import CompiledGrammar

from .sampling_params import SamplingParams
from .tools.definitions import ToolUse
from .tools.plan import ToolPlan
from .tools.reader import CallReader


@dataclass(frozen=True)
class RequestPlan:
    """How a prompt is answered.

    params: that the engine runs; where tools may be called, their grammar is in them. grammar: compiled; None: free.
    shown, tools: what a chat template is told of. tool_plan: None where no tool may be called.
    """

    params: SamplingParams
    grammar: CompiledGrammar | None
    shown: SamplingParams
    tools: ToolUse | None = None
    tool_plan: ToolPlan | None = None

    def new_reader(self) -> CallReader | None:
        """What takes the calls out of one output's text; None where there are none."""
        return None if self.tool_plan is None else self.tool_plan.new_reader()


def shown_params(params: SamplingParams, tool_plan: ToolPlan | None) -> SamplingParams:
    """What a chat template is told of: no schema that no answer has to fit, which is not compiled either."""
    return tool_plan.params if tool_plan is not None and tool_plan.use.is_required else params
