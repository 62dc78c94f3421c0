"""Adds to an answer what its grammar enforces, for requests with the option `return_enforcement`.

vLLM hands one field on to its users as plain JSON data, in `RequestOutput` and in each HTTP answer that is no stream:
`kv_transfer_params`. The enforcement is an entry of it. An entry of a KV connector stays beside it.

The front end computes the enforcement when it checks the request, and keeps it in the request's parameters. The output
processor, in the same process, moves it to its state of the request, so that it is not sent to the engine.
"""

from __future__ import annotations

from typing import Any

from guided.schemas.enforcement import Enforcement

from ..common.errors import RequestOptionError
from ..common.options import BACKEND

ENTRY = "guided_enforcement"
"""Key of the enforcement in `kv_transfer_params`, and in a request's parameters until vLLM has queued it."""


def check_enforcement(params: Any, vllm_config: Any) -> None:
    """Raise RequestOptionError if an answer to a request can't have the enforcement.

    params: vLLM's `SamplingParams`, with the option `return_enforcement`.
    """
    option = "return_enforcement"
    if params.structured_outputs is None:
        raise RequestOptionError(option, "needs a grammar in structured_outputs: there is nothing to enforce")
    if vllm_config.structured_outputs_config.backend != BACKEND:
        raise RequestOptionError(option, f"needs an engine with the backend {BACKEND!r}")
    if params.output_kind.name == "DELTA":
        raise RequestOptionError(
            option, "is for answers that are not streamed; vLLM 0.32's streams have no field for it"
        )


def keep_enforcement(params: Any, enforcement: Enforcement) -> None:
    """Keep what the grammar enforces in a request's parameters. params: a `SamplingParams`, changed in place."""
    params.extra_args = {**params.extra_args, ENTRY: enforcement}


def drop_enforcement(params: Any) -> None:
    """Remove what `keep_enforcement` has added. params: a `SamplingParams`, changed in place."""
    if params.extra_args and ENTRY in params.extra_args:
        params.extra_args = {name: value for name, value in params.extra_args.items() if name != ENTRY}


def move_enforcement(request: Any, state: Any) -> None:
    """Move what the grammar enforces from a request's parameters to the output processor's state, if it is there.

    request: vLLM's `EngineCoreRequest`.
    state: its `RequestState`. Several texts of one prompt may share parameters, and so have it in their parent.
    """
    params = request.sampling_params
    enforcement = params.extra_args.get(ENTRY)
    if isinstance(enforcement, Enforcement):
        (state.parent_req or state).guided_enforcement = enforcement
        drop_enforcement(params)


def add_enforcement(output: Any, state: Any) -> None:
    """Add what the grammar enforces to a `RequestOutput`, once it is finished. output: None if there is none yet."""
    if output is not None and output.finished:
        enforcement = (state.parent_req or state).guided_enforcement
        output.kv_transfer_params = {**(output.kv_transfer_params or {}), ENTRY: enforcement.as_json()}
