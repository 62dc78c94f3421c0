"""What compiling a grammar may cost. Each limit has a typed error, `LimitExceededError`, that names it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds on one `compile_grammar` call, and on what its matchers build later.

    max_schema_bytes: size of the schema written as compact JSON. Bytes. Checking a schema against its meta-schema takes
        about 10 us a byte.
    max_schema_depth: nesting of the schema's own JSON, so that no schema can exhaust the Python stack. Levels.
    max_automaton_states: states looked at to see whether a language is empty, or that one lexeme, one rule or the texts
        of one grammar may have. About 30 us each.
    max_plans: choices tried to see that one object or array with open alternatives can be completed. About 50 us each.
    max_compile_seconds: time on the clock for one `compile_grammar` call. What runs inside of a library is not
        interrupted. Seconds.
    max_mask_seconds: processor time for what a native grammar must build, the first time that a document gets there,
        for one mask or one token. Nothing else that shares the vocabulary builds meanwhile. Seconds.
    max_text_seconds: processor time for all that one matcher, with its forks, makes a native grammar build, masks,
        tokens and completions together; a reset begins anew. Seconds.
    max_grammar_bytes: memory of one native grammar, tables and masks, before matchers that are new or reset start on a
        fresh one. Bytes.
    max_regex_bytes: size of a regex. Bytes.
    max_choice_bytes: size of the strings of a choice, as a JSON list. Bytes.
    max_source_bytes: size of all texts that a grammar's quotes are taken from, together. Preparing one takes about
        10 ns a byte. Bytes.
    max_ebnf_bytes: size of an EBNF grammar's text. Reading takes about 5 us a byte. Bytes.
    max_ebnf_depth: nesting of its brackets, so that no grammar can exhaust the Python stack. Levels; each
        takes about 10 frames of it.
    max_repeat: counts that a quantifier of an EBNF grammar, or a structural tag, may name, as in `x{3,500}`.
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
