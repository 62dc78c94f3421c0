"""Grammars with lazy rules, macros and grammars inside: `python -m tests.fuzz.peer_grammars --seconds 600 --seed 1`.

Random grammars of two kinds: xgrammar's EBNF with `Regex`, `Substring`, `lazy` and `max_chars`, and Lark with lazy
rules beside text, `%lark` and `%json`. A text is taken here, byte by byte, exactly where the library that has the
notation takes it. That one gets whole characters: xgrammar refuses some bytes of counted ones. Left out is what the
two read otherwise on purpose: `max_chars` of a rule that can't end everywhere (xgrammar), terminals that a lexer would
cut otherwise (llguidance). A lazy rule that may come at some place behind a text ends what stands behind this text
everywhere; llguidance is more exact, so there texts may be refused here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnsatisfiableError
from guided.grammars.protocol import Matcher
from tests.grammars.vocabularies import byte_vocabulary, matches, vocabulary_of

from .command import Case, main

VOCABULARY = byte_vocabulary()
CHARACTERS = vocabulary_of(*map(bytes, zip(range(256))), "é".encode())
NUM_TEXTS = 60
MAX_PIECES = 7
_MARKS = ("x", "xy", "y", "bx", "<a", "<ab", "ya")
_ARGUMENTS = {
    "/[0-9]+/": ("1", "07"),
    '%json {"enum": [null, 12]}': ("null", "12"),
    '%lark {\n  start: "(" inner* ")"\n  inner: "q" | "(" inner ")"\n}': ("()", "(q)", "((q)q)", "(()"),
}


def lark_grammar(rng: random.Random) -> tuple[str, list[str], bool]:
    """Calls behind lazy rules, and text beside them; pieces of its texts; whether the peer may take more texts."""
    marks = rng.sample(_MARKS, rng.choice([1, 2, 2, 3]))
    pieces = ["a", "b", "x", "y", "<", ".", *marks, *marks]
    lines, items = ["TEXT: /[abxy<]*/"], []
    for number, mark in enumerate(marks):
        argument = rng.choice(list(_ARGUMENTS))
        pieces += [mark + one + "." for one in _ARGUMENTS[argument]]
        lines.append(f'call{number}: head{number} {argument} "."')
        is_lazy = rng.random() < 0.5
        lines.append(f'head{number}[lazy]: TEXT "{mark}"' if is_lazy else f'head{number}[suffix="{mark}"]: TEXT')
        items.append(f"call{number}")
    if rng.random() < 0.4:
        items.append("other")
        pieces += ["2", "a2"]
        lines.append('other: words "2"\nwords: /[ab]+/')
    end = rng.choice(["tail", '"|" tail', '"|" /[ab]+/', '"." words2'])
    pieces += ["|", ".a"]
    lines.append("tail: TEXT\nwords2: /[abx]+/")
    many = f"({' | '.join(items)}){rng.choice(['*', '+', '?', '', '{0,2}'])}"
    start = rng.choice([many, f"call0? {many}", f"call0 {many}", f'({many} ";")*', f'both*\nboth: {many} | ";"'])
    pieces += [";"]
    head, _, rest = start.partition("\n")
    is_stricter = many[-1] not in "*+" or start.startswith("call0") or end.startswith('"."')
    return "\n".join([f"start: {head} {end}", *([rest] if rest else []), *lines]), pieces, is_stricter


def xgrammar_grammar(rng: random.Random) -> tuple[str, list[str], bool]:
    """Rules of macros and with options, a fixed text after each; the rest as above."""
    lines, items, pieces = [], [], ["a", "b", "!", "!", ".", "1", "é", "ab", "c"]
    for number in range(rng.choice([1, 2, 3])):
        name, end = f"r{number}", rng.choice([".", ",", "!."])
        options, body = rng.choice(
            [
                ("", 'Regex("[ab]{1,2}\\\\d?")'),
                ("", 'Regex("a.b|\\\\w+?")'),
                ("", 'Substring("ab", "c", "é", "a") "1"?'),
                ("[lazy]", '[a-c!]* "!"'),
                ("[lazy, capture]", 'Regex("(a|b)*!+")'),
                ("[lazy]", '"a" | "ab" | "b!"'),
                ("[max_chars=3]", "[abé]*"),
                ("[max_chars=2]", 'Regex("[^.,]*")'),
            ]
        )
        lines.append(f"{name}{options} ::= {body}")
        items.append(f'{name} "{end}"')
        pieces += [end, "ab" + end, "a!" + end]
    start = f"({' | '.join(items)}){rng.choice(['*', '+', '{1,2}', ''])}"
    rest = rng.choice(["", 'Substring("a", "b")', "[ab]?"])
    return "\n".join([f"root ::= {start} {rest}", *lines]), pieces, False


def look(case: Case) -> Iterator[str]:
    """Texts that one of the two takes and the other does not."""
    dialect, backend = case.rng.choice([("lark", "llguidance"), ("xgrammar", "xgrammar")])
    grammar, pieces, is_stricter = (lark_grammar if dialect == "lark" else xgrammar_grammar)(case.rng)
    try:
        ours = compile_grammar(VOCABULARY, ebnf=grammar, dialect=dialect, cache=None).matcher()
    except UnsatisfiableError:
        return
    theirs = compile_grammar(CHARACTERS, ebnf=grammar, dialect=dialect, backend=backend, cache=None).matcher()
    case.counts[dialect] += 1
    for _ in range(NUM_TEXTS):
        text = "".join(case.rng.choices(pieces, k=case.rng.randrange(MAX_PIECES)))
        is_taken = matches(ours, text)
        case.counts["taken"] += is_taken
        if is_taken != _is_taken(theirs, text) and (is_taken or not is_stricter):
            yield f"{'taken here' if is_taken else 'refused here'}: {text!r} of {dialect}\n{grammar}"
            return


def _is_taken(matcher: Matcher, text: str) -> bool:
    """Whether a matcher of `CHARACTERS` takes exactly this text."""
    matcher.reset()
    token_ids = [256 if char == "é" else ord(char) for char in text]
    return all(map(matcher.accept_token, token_ids)) and matcher.is_accepting()


if __name__ == "__main__":
    main(look, __doc__)
