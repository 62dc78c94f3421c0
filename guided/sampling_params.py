"""`SamplingParams`: how one request is sampled and constrained. Validated once, when it is made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from guided.grammars.errors import InvalidInputError
from guided.grammars.spec import Kind

GREEDY_TEMPERATURE = 1e-6  # below it a request is greedy (argmax)

FilterOrder = Literal["top_k_first", "joint"]
CONSTRAINTS: tuple[Kind, ...] = get_args(Kind)  # each is a field of SamplingParams


@dataclass(frozen=True)
class SamplingParams:
    """One request's parameters. Only None takes a default from elsewhere; every number means itself.

    temperature: >= 0; 0 (anything below 1e-6) is greedy: an exact argmax.
    top_k: keep the k most probable tokens, ties at the threshold included; None, 0 and -1 turn it off.
    top_p: in [0, 1]; keep the smallest set of most probable tokens whose mass reaches it, at least one token; 1 is off.
    min_p: in [0, 1]; keep tokens at least min_p times as probable as the most probable one; 0 is off.
    filter_order: "top_k_first": top_p looks at the probabilities renormalised after top_k; "joint": at those before it.
    seed: of this request's own random stream; None draws a fresh one.
    max_new_tokens: at least 1; None: what is left of the model's context.
    ignore_eos: end-of-sequence tokens don't end the text (an unconstrained request only: a grammar ends where it ends).
    json_schema, regex, choice, ebnf, structural_tag: the constraint, at most one. A schema is a dict, JSON text, a
        Pydantic model, a dataclass, a TypedDict or an Enum; the others are as in `guided.compile_grammar`.
    dialect: of ebnf: "gbnf", "xgrammar", "w3c" or "lark"; None: recognise it.
    whitespace: between JSON tokens under json_schema: "compact", "spaced", "flexible" or a regex; None: the model's own
        preference ("flexible" when it has none).
    skip_special_tokens: leave special tokens out of the text; False writes their names ("<|tool_call|>"), but for the
        one that ends the text. None: written under a constraint, which asked for them, left out without one.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    min_p: float = 0.0
    filter_order: FilterOrder = "top_k_first"
    seed: int | None = None
    max_new_tokens: int | None = 128
    ignore_eos: bool = False
    json_schema: Any = None
    regex: str | None = None
    choice: Sequence[str] | None = None
    ebnf: str | None = None
    structural_tag: dict[str, Any] | str | None = None
    dialect: str | None = None
    whitespace: str | None = None
    skip_special_tokens: bool | None = None

    def __post_init__(self) -> None:
        _check_number("temperature", self.temperature, 0.0, math.inf)
        _check_number("top_p", self.top_p, 0.0, 1.0)
        _check_number("min_p", self.min_p, 0.0, 1.0)
        _check_integer("top_k", self.top_k, minimum=-1)
        _check_integer("seed", self.seed, minimum=0, maximum=2**63 - 1)
        _check_integer("max_new_tokens", self.max_new_tokens, minimum=1)
        for name in ("regex", "ebnf", "dialect", "whitespace"):
            _check_text(name, getattr(self, name))
        if not isinstance(self.skip_special_tokens, bool | None):
            raise InvalidInputError(f"skip_special_tokens must be a bool or None, not {self.skip_special_tokens!r}")
        if self.filter_order not in get_args(FilterOrder):
            raise InvalidInputError(f"filter_order must be top_k_first or joint, not {self.filter_order!r}")
        given = [name for name in CONSTRAINTS if getattr(self, name) is not None]
        if len(given) > 1:
            raise InvalidInputError(f"{' and '.join(given)} exclude each other; give one constraint a request")
        for option, kind in (("whitespace", "json_schema"), ("dialect", "ebnf")):
            if getattr(self, option) is not None and getattr(self, kind) is None:
                raise InvalidInputError(f"{option} only applies to {kind}")
        if self.ignore_eos and self.is_constrained:
            raise InvalidInputError("ignore_eos can't be used with a grammar: its end is where the text ends")

    @property
    def is_constrained(self) -> bool:
        """True when a grammar limits the output."""
        return self.constraint is not None

    @property
    def constraint(self) -> Kind | None:
        """The field that gives the constraint."""
        return next((name for name in CONSTRAINTS if getattr(self, name) is not None), None)

    @property
    def is_greedy(self) -> bool:
        """True when the most probable token is always taken."""
        return self.temperature < GREEDY_TEMPERATURE


def _check_number(name: str, value: Any, minimum: float, maximum: float) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not minimum <= value <= maximum:
        span = f">= {minimum:g}" if maximum == math.inf else f"in [{minimum:g}, {maximum:g}]"
        raise InvalidInputError(f"{name} must be a finite number {span}, not {value!r}")


def _check_integer(name: str, value: Any, minimum: int, maximum: int | None = None) -> None:
    if value is None:
        return
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    if not is_integer or value < minimum or (maximum is not None and value > maximum):
        span = f">= {minimum}" if maximum is None else f"in [{minimum}, {maximum}]"
        raise InvalidInputError(f"{name} must be an integer {span}, not {value!r}")


def _check_text(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(f"{name} must be a string, not {type(value).__name__}")
