"""`SamplingParams`: how one request is sampled, constrained and ended. An instance is validated when it is made.

Each parameter is declared once, with its default and its check; the schemas of HTTP requests are made of these. The
class docstring explains each parameter once. `python -m guided.params.sampling_params` prints it as the table in
docs/sampling.md.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial, wraps
from typing import Any, Literal, get_args

from guided.grammars.combination import REGULAR_KINDS
from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.spec import VALUES, GrammarKind

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
CONSTRAINTS: tuple[GrammarKind, ...] = get_args(GrammarKind)  # each is a field of SamplingParams

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
    """A field that may also be None. In requests, None stands for the default."""
    return field(default=default, metadata={"check": partial(check, is_optional=True), "of_requests": check})


@dataclass(frozen=True)
class SamplingParams:
    """The parameters of one request. Only None takes a default from elsewhere; no number stands for "default".

    Drawing a token, in the order in which it happens:
    frequency_penalty: in [-2, 2]; subtracted from a token's logit once for each time that the output contains it.
    presence_penalty: in [-2, 2]; subtracted from the logit of every token that the output contains.
    repetition_penalty: in (0, 2]; for every token in the prompt or output, a positive logit is divided by it and a
        negative one multiplied; 1 is off.
    penalize_forced: False: the penalties do not count tokens that the grammar forced.
    min_new_tokens: the number of new tokens before which no end-of-sequence token and no stop ends the text; at most
        max_new_tokens. If a grammar allows only the end, the text ends earlier, and the completion tells this.
    logit_bias: {token id: bias in [-100, 100]}, added to the logits. JSON's ids are strings: "50256" is 50256.
    bad_words: words that must not be written, each a string or its token ids. The token that would complete one is
        excluded.
    allowed_token_ids: only these tokens are allowed, at least one; None: all tokens.
    logit_processors: custom processors in their order. Each is a registered name, a `CustomLogitProcessor`, a signed
        text of one, a pair of one of these and its parameters, or a dict {"name": ..., "params": {...}}.
    custom_params: the parameters of processors that are given without parameters.
    thinking: None: a thinking block that the chat template opened is completed, and a grammar starts after it; True:
        under a grammar the model may also open a block itself; False: a block that the template opened is closed at
        once.
    thinking_budget: the most tokens of thinking before the answer, >= 0; None: no limit.
    separate_thinking: True: separate thinking from the text even if no grammar, `thinking` or budget requires it.
    temperature: >= 0; 0 (anything below 1e-6) is greedy: an exact argmax.
    top_k: keep the k most probable tokens, ties at the threshold included; None, 0 and -1 turn it off.
    top_p: in [0, 1]; keep the smallest set of most probable tokens whose sum of probabilities reaches it, at least one
        token; 1 is off.
    min_p: in [0, 1]; keep tokens at least min_p times as probable as the most probable one; 0 is off.
    filter_order: "top_k_first": top_p uses the probabilities renormalised after top_k; "joint": those before top_k.
    seed: the seed of this request's own random stream; None: a fresh one.
    n: number of outputs for the prompt, each from its own random stream; the one seed determines all of them.
    particles: the number of outputs to draw under a constraint, at least 2. Weights correct the mask's effect on the
        model's distribution (docs/sampling.md); the first output is drawn by weight. None: no correction.

    Ending the text:
    max_new_tokens: at least 1; None: the rest of the model's context.
    ignore_eos: True: end-of-sequence tokens don't end the text. Only without a constraint: a grammar has its own end.
    stop: strings. The text ends when it contains one of them, also under a grammar, whose text may then be incomplete.
    stop_regex: the same for a match of a regex, in Python's syntax and without anchors and lookaround.
    stop_token_ids: tokens that end the text, in addition to the end-of-sequence tokens. A grammar may never allow them.
    stop_in_strings: False: in a JSON document a stop within a string or key does not count (under json_schema, or an
        all_of that contains one). True: it ends the text there too. A stop never cuts tool calls.
    include_stop_str_in_output: True: the text keeps the stop string, match or stop token that ended it; False: cut off.

    Constraint, at most one:
    json_schema, regex, choice, ebnf, structural_tag, all_of: a schema is a dict, JSON text, a Pydantic model, a
        dataclass, a TypedDict or an Enum. The others are as in `guided.compile_grammar`.
    dialect: the dialect of ebnf: "gbnf", "xgrammar", "w3c" or "lark"; None: recognised from the text.
    whitespace: whitespace between JSON tokens under json_schema: "compact", "spaced", "flexible" or a regex; None: the
        model's own preference ("flexible" if it has none).
    values: forms of numbers and times under schemas: "canonical", as programs write them (no 3.0 for an integer), or
        "any" valid form; None: "canonical" if the grammar backend can.
    sources: {name: text}, the texts from which the grammar's quotes (`x-quote`) are taken, by name.
    limits: a `guided.Limits`, the most that this grammar may cost; None: the limits that `LLM` was given.

    Returned values:
    skip_special_tokens: True: leave special tokens out of the text. False: write their names ("<|tool_call|>"), except
        the name of the token that ends the text. None: written under a constraint, which asked for them, and left out
        otherwise.
    spaces_between_special_tokens: True: separate the name of each shown special token from its neighbours by a space.
        A constrained text gets no such spaces.
    logprobs: log-probabilities of each new token and of this number of most probable tokens (0: only of the new token);
        None: no log-probabilities.
    logprob_token_ids: at each step also the log-probabilities of these tokens. Needs logprobs.
    logprobs_mode: "raw": the model's own; "processed": of the distribution that tokens are drawn from, after penalties,
        bias, mask, temperature and filters; "both": raw ones, and also the processed ones of the token itself and of
        the tokens that are most probable after processing.
    prompt_logprobs: raw log-probabilities of each token of the prompt and of this number of most probable tokens; None:
        no log-probabilities.
    return_enforcement: True: say in `Completion.enforcement` what the grammar enforces, with its digest. Over HTTP the
        answer has a field `enforcement` and a header. Without a grammar this is an error.
    return_hidden_states: True: return the input of the model's output layer as tensors, in `Completion.hidden_states`
        and `prompt_hidden_states`. Only in Python, and within `EngineSettings.max_returned_bytes`.
    return_logits: True: return the model's own logits for the whole vocabulary, in `Completion.logits` and
        `prompt_logits`. Only in Python, and within the same bound.

    `max_tokens`, `min_tokens` and `logits_processors` are other names of `max_new_tokens`, `min_new_tokens` and
    `logit_processors`.
    Raises InvalidInputError; the message names the field, its value and what is allowed.
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
    return_enforcement: bool = _checked(False, _SWITCH)
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
        """True if a grammar limits the output."""
        return self.constraint is not None

    @property
    def constraint(self) -> GrammarKind | None:
        """Name of the field that gives the constraint; None: no constraint."""
        return next((name for name in CONSTRAINTS if getattr(self, name) is not None), None)

    @property
    def is_greedy(self) -> bool:
        """True if the most probable token is always taken."""
        return self.temperature < GREEDY_TEMPERATURE

    @property
    def returns_tensors(self) -> bool:
        """True if hidden states or logits are wanted."""
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
                "custom_params are read by logit_processors, and there are none; name a processor, or leave them out"
            )
        if self.thinking is False and self.thinking_budget:
            raise InvalidInputError(
                f"thinking=False and thinking_budget={self.thinking_budget} exclude each other; leave one out"
            )
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


ALIASES = {"max_tokens": "max_new_tokens", "min_tokens": "min_new_tokens", "logits_processors": "logit_processors"}
"""Names that other engines have for parameters: `SamplingParams` takes either of the two."""


def _with_aliases(init: Callable[..., None]) -> Callable[..., None]:
    @wraps(init)
    def init_with_aliases(self: SamplingParams, *values: Any, **named: Any) -> None:
        is_replaced = named.keys() >= SamplingParams.__dataclass_fields__.keys()  # dataclasses.replace gives all fields
        for alias in named.keys() & ALIASES.keys():
            if ALIASES[alias] in named and not is_replaced:
                raise InvalidInputError(f"{alias} is another name of {ALIASES[alias]}; give one of the two")
            named[ALIASES[alias]] = named.pop(alias)
        init(self, *values, **named)

    return init_with_aliases


SamplingParams.__init__ = _with_aliases(SamplingParams.__init__)  # type: ignore[method-assign]
_CHECKS = [(one.name, one.default, one.metadata["check"]) for one in fields(SamplingParams) if one.metadata]
CHECKS_OF_REQUESTS: Mapping[str, Check] = {
    one.name: one.metadata["of_requests"] for one in fields(SamplingParams) if one.metadata
}


def table() -> str:
    """All parameters as a table in Markdown, with their explanations from the class docstring."""
    defaults = {one.name: one.default for one in fields(SamplingParams)}
    lines = ["| parameter | default | |", "|---|---|---|"]
    for heading, found in _sections():
        lines.append(f"| **{heading}** | | |")
        for names, meaning in found.items():
            shown, told = ", ".join(f"`{name}`" for name in names), meaning.replace("|", r"\|")
            lines.append(f"| {shown} | {_shown(defaults[names[0]])} | {told} |")
    return "\n".join(lines) + "\n"


def meanings() -> dict[str, str]:
    """Parameter -> its explanation in the class docstring."""
    return {name: meaning for _, found in _sections() for names, meaning in found.items() for name in names}


def _sections() -> Iterator[tuple[str, dict[tuple[str, ...], str]]]:
    """The headings in the class docstring, each with its entries: parameter names -> explanation."""
    for section in inspect.cleandoc(SamplingParams.__doc__ or "").split("\n\n")[1:-1]:
        heading, *entries = re.split(r"\n(?=\w)", section)
        parted = (re.sub(r"\s+", " ", entry).partition(": ") for entry in entries)
        yield heading.removesuffix(":"), {tuple(names.split(", ")): meaning for names, _, meaning in parted}


def _shown(default: Any) -> str:
    """A default as the table writes it."""
    return f'`"{default}"`' if isinstance(default, str) else f"{default:g}" if type(default) is float else str(default)


def _listed(texts: str | Sequence[str] | None) -> tuple[str, ...]:
    if texts is None:
        return ()
    return (texts,) if isinstance(texts, str) else tuple(texts)


if __name__ == "__main__":
    print(table(), end="")
