"""`SamplingParams`: how one request is sampled, constrained and ended. Validated once, when it is made.

Each parameter is declared once, with its default and its check, of which is made what requests may send; and the class
says once what it means, of which docs/sampling.md has its table (`python -m guided.params.sampling_params`).
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Literal, get_args

from guided.grammars.combination import REGULAR_KINDS
from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.spec import VALUES, Kind

from . import checks

GREEDY_TEMPERATURE = 1e-6  # below it a request is greedy (argmax)
MAX_SEED = 2**63 - 1
MAX_PENALTY = 2.0
MIN_REPETITION_PENALTY = 1e-6  # float32 holds it, and logits divided by it
MAX_TOKENS = 2**31 - 1  # longer than any context; numbers of tokens are int32 and int64 on devices
MAX_BIAS = 100.0

FilterOrder = Literal["top_k_first", "joint"]
LogprobsMode = Literal["raw", "processed", "both"]
Check = Callable[[str, Any], None]
CONSTRAINTS: tuple[Kind, ...] = get_args(Kind)  # each is a field of SamplingParams

_SWITCH: Check = checks.check_bool
_BIASES: Check = partial(checks.check_logit_bias, limit=MAX_BIAS)
_LIMITS: Check = partial(checks.check_kind, kind=Limits)
_SOME_TOKEN_IDS: Check = partial(checks.check_token_ids, may_be_empty=False)


def _number(minimum: float, maximum: float = math.inf) -> Check:
    return partial(checks.check_number, minimum=minimum, maximum=maximum)


def _integer(minimum: int, maximum: int | None = None) -> Check:
    return partial(checks.check_integer, minimum=minimum, maximum=maximum)


def _one_of(allowed: Any) -> Check:
    return partial(checks.check_one_of, allowed=get_args(allowed))


def _checked(default: Any, check: Check) -> Any:
    return field(default=default, metadata={"check": check, "of_requests": check})


def _optional(default: Any, check: Callable[..., None]) -> Any:
    """None is allowed, too. In requests it takes the default."""
    return field(default=default, metadata={"check": partial(check, is_optional=True), "of_requests": check})


@dataclass(frozen=True)
class SamplingParams:
    """One request's parameters. Only None takes a default from elsewhere; every number means itself.

    Drawing a token, in the order in which it happens:
    frequency_penalty: in [-2, 2]; taken off a token's logit once for each time that the output holds it.
    presence_penalty: in [-2, 2]; taken off the logit of every token that the output holds.
    repetition_penalty: in (0, 2]; the logit of every token that prompt or output hold is divided by it where positive,
        multiplied where negative; 1 is off.
    penalize_forced: False: tokens that the grammar forced are not counted by the penalties.
    min_new_tokens: nothing ends the text (no end-of-sequence token, no stop) before so many new tokens, at most
        max_new_tokens. Where a grammar allows only the end, it wins, and the completion says so.
    logit_bias: {token id: bias in [-100, 100]}, added to the logits. JSON's ids are strings: "50256" is 50256.
    bad_words: words not to be written, each a string or its token ids: the token that would complete one is ruled out.
    allowed_token_ids: only these tokens, at least one; None is all.
    logit_processors: custom processors in their order: each a registered name, a `CustomLogitProcessor`, a signed text
        of one, a pair of one of these and its parameters, or a dict {"name": ..., "params": {...}}.
    custom_params: the parameters of those that bring none of their own.
    thinking: None: what the chat template opened is thought through, and a grammar starts after it; True: under a
        grammar the model may also begin to think itself; False: an opened block is closed at once.
    thinking_budget: tokens that the model may think before its answer, >= 0; None: no limit.
    separate_thinking: tell thinking apart from the text also where no grammar, `thinking` or budget asks for it.
    temperature: >= 0; 0 (anything below 1e-6) is greedy: an exact argmax.
    top_k: keep the k most probable tokens, ties at the threshold included; None, 0 and -1 turn it off.
    top_p: in [0, 1]; keep the smallest set of most probable tokens whose mass reaches it, at least one token; 1 is off.
    min_p: in [0, 1]; keep tokens at least min_p times as probable as the most probable one; 0 is off.
    filter_order: "top_k_first": top_p looks at the probabilities renormalised after top_k; "joint": at those before it.
    seed: of this request's own random stream; None draws a fresh one.
    n: how many outputs to make for the prompt, each from its own random stream; all of them follow from the one seed.
    particles: with a constraint: so many outputs, at least 2, with weights that make good what the mask does to the
        model's distribution (docs/sampling.md); the first one is drawn by weight. None: it stays as the mask makes it.

    Ending the text:
    max_new_tokens: at least 1; None: what is left of the model's context.
    ignore_eos: end-of-sequence tokens don't end the text (an unconstrained request only: a grammar ends where it ends).
    stop: strings that end the text where the first of them is complete, also under a grammar, whose text may be cut.
    stop_regex: the same for what a regex matches, in Python's syntax and without anchors and lookaround.
    stop_token_ids: tokens that end the text, beside the end-of-sequence tokens. A grammar may never allow them.
    stop_in_strings: False: in a JSON document (under json_schema, or an all_of with one) a stop that lies within a
        string, a key included, does not count. True: it ends the text there too. Tool calls are never cut by a stop.
    include_stop_str_in_output: keep in the text what ended it (stop string, match, stop token); False cuts it off.

    Constraint, at most one:
    json_schema, regex, choice, ebnf, structural_tag, all_of: a schema is a dict, JSON text, a Pydantic model, a
        dataclass, a TypedDict or an Enum; the others are as in `guided.compile_grammar`.
    dialect: of ebnf: "gbnf", "xgrammar", "w3c" or "lark"; None: recognise it.
    whitespace: between JSON tokens under json_schema: "compact", "spaced", "flexible" or a regex; None: the model's own
        preference ("flexible" when it has none).
    values: numbers and times in schemas: "canonical", as writers write them (no 3.0 for an integer), or "any" that is
        valid; None: "canonical", where the grammar backend can.
    sources: {name: text}, the texts that the grammar's quotes (`x-quote`) are taken from, by their names.
    limits: a `guided.Limits`, what this grammar may cost; None: the limits that `LLM` was given.

    What comes back:
    skip_special_tokens: leave special tokens out of the text; False writes their names ("<|tool_call|>"), but for the
        one that ends the text. None: written under a constraint, which asked for them, left out without one.
    spaces_between_special_tokens: where special tokens are shown, put a space between a name and what stands next to
        it. A text under a constraint is the constraint's own and gets none.
    logprobs: log-probabilities of each new token and of so many most probable ones (0: only its own); None is none.
    logprob_token_ids: at each step also those of these tokens. Needs logprobs.
    logprobs_mode: "raw": of the model itself; "processed": of what is drawn from, after penalties, bias, mask,
        temperature and filters; "both": raw ones, and beside them the processed ones of the token itself and of the
        most probable ones there.
    prompt_logprobs: raw log-probabilities of the prompt's tokens too, with so many most probable ones; None is none.
    return_hidden_states: what the model's output layer reads, as tensors: `Completion.hidden_states` and
        `prompt_hidden_states`. In Python alone, and within `EngineSettings.max_returned_bytes`.
    return_logits: the model's own logits, of the whole vocabulary: `Completion.logits` and `prompt_logits`. The same.

    Raises InvalidInputError, which names the field, its value and what is allowed.
    """

    temperature: float = _checked(1.0, _number(0.0))
    top_k: int | None = _optional(None, _integer(-1))
    top_p: float = _checked(1.0, _number(0.0, 1.0))
    min_p: float = _checked(0.0, _number(0.0, 1.0))
    filter_order: FilterOrder = _checked("top_k_first", _one_of(FilterOrder))  # noqa: RUF009 - a literal
    seed: int | None = _optional(None, _integer(0, MAX_SEED))
    n: int = _checked(1, _integer(1))
    particles: int | None = _optional(None, _integer(2))
    frequency_penalty: float = _checked(0.0, _number(-MAX_PENALTY, MAX_PENALTY))
    presence_penalty: float = _checked(0.0, _number(-MAX_PENALTY, MAX_PENALTY))
    repetition_penalty: float = _checked(1.0, _number(MIN_REPETITION_PENALTY, MAX_PENALTY))
    penalize_forced: bool = _checked(False, _SWITCH)
    min_new_tokens: int = _checked(0, _integer(0, MAX_TOKENS))
    max_new_tokens: int | None = _optional(128, _integer(1))
    logit_bias: Mapping[int, float] | None = _checked(None, _BIASES)
    bad_words: Sequence[str | Sequence[int]] | None = _checked(None, checks.check_words)
    allowed_token_ids: Sequence[int] | None = _checked(None, _SOME_TOKEN_IDS)
    logit_processors: Sequence[Any] | None = _checked(None, checks.check_list)
    custom_params: Mapping[str, Any] | None = _checked(None, checks.check_mapping)
    thinking: bool | None = _optional(None, _SWITCH)
    thinking_budget: int | None = _optional(None, _integer(0, MAX_TOKENS))
    separate_thinking: bool = _checked(False, _SWITCH)
    ignore_eos: bool = _checked(False, _SWITCH)
    stop: str | Sequence[str] | None = _checked(None, checks.check_texts)
    stop_regex: str | Sequence[str] | None = _checked(None, checks.check_texts)
    stop_token_ids: Sequence[int] | None = _checked(None, checks.check_token_ids)
    stop_in_strings: bool = _checked(False, _SWITCH)
    include_stop_str_in_output: bool = _checked(False, _SWITCH)
    json_schema: Any = None
    regex: str | None = _checked(None, checks.check_text)
    choice: Sequence[str] | None = None
    ebnf: str | None = _checked(None, checks.check_text)
    structural_tag: dict[str, Any] | str | None = None
    all_of: Sequence[Mapping[str, Any]] | None = None
    dialect: str | None = _checked(None, checks.check_text)
    whitespace: str | None = _checked(None, checks.check_text)
    values: str | None = _checked(None, checks.check_text)
    sources: Mapping[str, str] | None = _checked(None, checks.check_sources)
    limits: Limits | None = _checked(None, _LIMITS)  # noqa: RUF009 - it is frozen
    skip_special_tokens: bool | None = _optional(None, _SWITCH)
    spaces_between_special_tokens: bool = _checked(True, _SWITCH)
    logprobs: int | None = _optional(None, _integer(0))
    logprob_token_ids: Sequence[int] | None = _checked(None, checks.check_token_ids)
    logprobs_mode: LogprobsMode = _checked("raw", _one_of(LogprobsMode))  # noqa: RUF009 - as above
    prompt_logprobs: int | None = _optional(None, _integer(0))
    return_hidden_states: bool = _checked(False, _SWITCH)
    return_logits: bool = _checked(False, _SWITCH)

    def __post_init__(self) -> None:
        if self.logit_bias:
            object.__setattr__(self, "logit_bias", checks.with_token_ids("logit_bias", self.logit_bias))
        given = vars(self)
        for name, default, check in _CHECKS:
            if given[name] is not default:
                check(name, given[name])
        self._check_particles()
        self._check_tokens()
        self._check_constraint()
        self._check_logprobs()

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

    @property
    def returns_tensors(self) -> bool:
        """True when hidden states or logits are wanted."""
        return self.return_hidden_states or self.return_logits

    @property
    def stop_strings(self) -> tuple[str, ...]:
        """`stop`, listed."""
        return _listed(self.stop)

    @property
    def stop_patterns(self) -> tuple[str, ...]:
        """`stop_regex`, listed."""
        return _listed(self.stop_regex)

    def _check_particles(self) -> None:
        if self.particles is None:
            return
        if self.is_greedy:
            raise InvalidInputError("particles are drawn: they need a temperature above 0, best 1")
        excluded = {"n": self.n != 1, "prompt_logprobs": self.prompt_logprobs is not None}
        excluded |= {name: bool(getattr(self, name)) for name in ("stop", "stop_regex", "stop_token_ids")}
        excluded |= {name: getattr(self, name) for name in ("return_hidden_states", "return_logits")}
        for name, is_given in excluded.items():
            if is_given:
                raise InvalidInputError(f"particles and {name} exclude each other; leave one of them out")

    def _check_tokens(self) -> None:
        if self.custom_params and not self.logit_processors:
            raise InvalidInputError(
                "custom_params are what logit_processors read, and there are none: name a processor, or leave them out"
            )
        if self.thinking is False and self.thinking_budget:
            raise InvalidInputError(f"thinking=False leaves no thinking_budget; leave out {self.thinking_budget}")
        if self.max_new_tokens is not None and self.min_new_tokens > self.max_new_tokens:
            raise InvalidInputError(
                f"min_new_tokens must be at most max_new_tokens, {self.max_new_tokens}, not {self.min_new_tokens}"
            )

    def _check_constraint(self) -> None:
        given = [name for name in CONSTRAINTS if getattr(self, name) is not None]
        if len(given) > 1:
            raise InvalidInputError(f"{' and '.join(given)} exclude each other; give one constraint a request")
        for option, kind in (("whitespace", "json_schema"), ("dialect", "ebnf")):
            if getattr(self, option) is not None and getattr(self, kind) is None:
                raise InvalidInputError(f"{option} only applies to {kind}")
        if self.values is not None:
            checks.check_one_of("values", self.values, VALUES)
            if not given or given[0] in REGULAR_KINDS:
                raise InvalidInputError("values only applies to grammars with schemas")
        if given and self.ignore_eos:
            raise InvalidInputError("ignore_eos can't be used with a grammar: its end is where the text ends")

    def _check_logprobs(self) -> None:
        if self.logprobs is None and self.logprob_token_ids:
            raise InvalidInputError("logprob_token_ids needs logprobs; give logprobs=0 for no other tokens than these")
        if self.logprobs is None and self.logprobs_mode != "raw":
            raise InvalidInputError(f"logprobs_mode {self.logprobs_mode!r} needs logprobs; give how many, or 0")


_CHECKS = [(one.name, one.default, one.metadata["check"]) for one in fields(SamplingParams) if one.metadata]
CHECKS_OF_REQUESTS: Mapping[str, Check] = {
    one.name: one.metadata["of_requests"] for one in fields(SamplingParams) if one.metadata
}


def table() -> str:
    """All parameters as a table in Markdown, with what the class says of them."""
    defaults = {one.name: one.default for one in fields(SamplingParams)}
    lines = ["| parameter | default | |", "|---|---|---|"]
    for heading, found in _sections():
        lines.append(f"| **{heading}** | | |")
        for names, meaning in found.items():
            shown, told = ", ".join(f"`{name}`" for name in names), meaning.replace("|", r"\|")
            lines.append(f"| {shown} | {_shown(defaults[names[0]])} | {told} |")
    return "\n".join(lines) + "\n"


def meanings() -> dict[str, str]:
    """Parameter -> what the class says of it."""
    return {name: meaning for _, found in _sections() for names, meaning in found.items() for name in names}


def _sections() -> Iterator[tuple[str, dict[tuple[str, ...], str]]]:
    """The headings of what the class says, each with what is below it."""
    for section in inspect.cleandoc(SamplingParams.__doc__ or "").split("\n\n")[1:-1]:
        heading, *entries = re.split(r"\n(?=\w)", section)
        parted = (re.sub(r"\s+", " ", entry).partition(": ") for entry in entries)
        yield heading.removesuffix(":"), {tuple(names.split(", ")): meaning for names, _, meaning in parted}


def _shown(default: Any) -> str:
    """A default as the table has it."""
    return f'`"{default}"`' if isinstance(default, str) else f"{default:g}" if type(default) is float else str(default)


def _listed(texts: str | Sequence[str] | None) -> tuple[str, ...]:
    if texts is None:
        return ()
    return (texts,) if isinstance(texts, str) else tuple(texts)


if __name__ == "__main__":
    print(table(), end="")
