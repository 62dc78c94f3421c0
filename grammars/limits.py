"""Bounds on the cost of compiling a grammar. Exceeding one raises `LimitExceededError`, which names the limit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds on one `compile_grammar` call, and on what its matchers build later.

    Attributes:
        max_schema_bytes: size of the schema written as compact JSON, bytes. Checking a schema against its meta-schema
            takes about 10 us a byte.
        max_schema_depth: nesting of the schema's own JSON, levels. Protects the Python stack.
        max_automaton_states: states of one lexeme, one rule or the texts of one grammar; also the states visited to
            decide whether a language is empty. About 30 us each.
        max_plans: choices tried to decide whether an object or array with open alternatives can be completed. About 50
            us each.
        max_compile_seconds: processor time of one `compile_grammar` call, seconds. Calls inside a library are not
            interrupted.
        max_mask_seconds: processor time to build what one mask or one token needs in a native grammar, seconds. Only
            the first text in a configuration pays it.
        max_text_seconds: processor time for all that one matcher and its forks build in a native grammar: masks, tokens
            and completions together, seconds. A reset starts the count again.
        max_grammar_bytes: memory of one native grammar, tables and masks, bytes. Above it, new and reset matchers start
            on a fresh automaton.
        max_regex_bytes: size of a regex, bytes.
        max_choice_bytes: size of the strings of a choice, written as a JSON list, bytes.
        max_source_bytes: size of all source texts for quotes together, bytes. Preparing one takes about 10 ns a byte.
        max_ebnf_bytes: size of an EBNF grammar's text, bytes. Reading takes about 5 us a byte.
        max_ebnf_depth: nesting of brackets in an EBNF grammar, levels. Each level takes about 10 frames of the Python
            stack.
        max_repeat: largest count in a quantifier of an EBNF grammar or a structural tag, such as 500 in `x{3,500}`.
    """

    max_schema_bytes: int = 1_000_000
    max_schema_depth: int = 512
    max_automaton_states: int = 20_000
    max_plans: int = 20_000
    max_compile_seconds: float = 30.0
    max_mask_seconds: float = 5.0
    max_text_seconds: float = 30.0
    max_grammar_bytes: int = 256_000_000
    max_regex_bytes: int = 1_000_000
    max_choice_bytes: int = 10_000_000
    max_source_bytes: int = 2_000_000
    max_ebnf_bytes: int = 1_000_000
    max_ebnf_depth: int = 50
    max_repeat: int = 20_000


DEFAULT_LIMITS = Limits()
