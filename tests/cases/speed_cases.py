"""Grammars with texts for `tests.grammar_speed`: the same language for every engine.

GBNF goes to this package and to xgrammar as it is, and to llguidance through its own converter; so it is written as the
latter's lexer needs it, with whole terminals. Nothing here is random between runs.
"""

# ruff: noqa: E501 (lines of grammars and texts)

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

CODE = r"""
root ::= (blank | function | class | line)+
blank ::= "\n"
function ::= decorator* "def " name "(" parameters? ")" (" -> " type)? ":\n" body
class ::= decorator* "class " name ("(" name ("." name)* ")")? ":\n" ("    " function | body)
decorator ::= "@" name ("." name)* ("(" arguments? ")")? "\n"
parameters ::= parameter (", " parameter)*
parameter ::= "*"? "*"? name (": " type)? (" = " test)?
type ::= name ("." name)* ("[" type (", " type)* "]")? (" | " type)?
body ::= (indent (line | remark "\n"))+
indent ::= "    "+
line ::= (header | simple ("; " simple)*) comment? "\n"
comment ::= "  # " [^\n]*
remark ::= "# " [^\n]*
header ::= ("if " | "elif " | "while ") test ":" | "else:" | "try:" | "finally:" | for | with | except
for ::= "for " names " in " test ":"
with ::= "with " test (" as " name)? ":"
except ::= "except" (" " test (" as " name)?)? ":"
simple ::= assign | test | "return" (" " tests)? | "raise" (" " test)? | "pass" | "break" | "continue" | import | assert
assign ::= name ": " type (" = " tests)? | target (", " target)* (" = " | " += " | " -= " | " *= ") tests
target ::= name trailer*
import ::= "import " dotted (" as " name)? | "from " dotted " import " names
assert ::= "assert " test (", " test)?
dotted ::= name ("." name)*
names ::= name (", " name)*
tests ::= test (", " test)*
test ::= or (" if " or " else " test)? | "lambda " names ": " test
or ::= and (" or " and)*
and ::= not (" and " not)*
not ::= "not "* comparison
comparison ::= sum ((" == " | " != " | " < " | " > " | " <= " | " >= " | " in " | " not in " | " is " | " is not ") sum)*
sum ::= term ((" + " | " - ") term)*
term ::= factor ((" * " | " / " | " // " | " % ") factor)*
factor ::= "-"? power
power ::= primary (" ** " factor)?
primary ::= atom trailer*
trailer ::= "." name | "(" arguments? ")" | "[" subscript "]"
arguments ::= argument (", " argument)*
argument ::= (name "=")? test | "*" "*"? test | test comprehension
subscript ::= test? ":" test? | test
comprehension ::= " for " names " in " or (" if " or)*
atom ::= name | number | string | "(" (tests ","? | test comprehension)? ")" | "[" (tests | test comprehension)? "]" | dict
dict ::= "{" (pair (", " pair)* | pair comprehension | tests)? "}"
pair ::= test ": " test
name ::= [a-zA-Z_] [a-zA-Z0-9_]*
number ::= [0-9]+ ("." [0-9]+)?
string ::= "f"? "\"" ([^"\\\n] | "\\" [nrt"'\\])* "\"" | "'" ([^'\\\n] | "\\" [nrt"'\\])* "'"
"""

CODE_TEXT = """import json
from pathlib import Path


@dataclass(frozen=True)
class Measurement:
    name: str
    values: list[float]


def read_measurements(path: Path, limit: int = 100) -> list[Measurement]:
    # reads at most `limit` measurements
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number >= limit or not line.strip():
                break
            fields = json.loads(line)
            values = [float(value) for value in fields["values"] if value is not None]
            found.append(Measurement(fields.get("name", "unnamed"), values))
    return found


def summarise(measurements: list[Measurement]) -> dict[str, float]:
    totals = {}
    for measurement in measurements:
        if len(measurement.values) == 0:
            raise ValueError(f"no values for {measurement.name}")
        mean = sum(measurement.values) / len(measurement.values)
        spread = max(measurement.values) - min(measurement.values)
        totals[measurement.name] = mean if spread < 0.5 * mean else -1.0  # too wide
    return totals


def main():
    path = Path("data") / "measurements.jsonl"
    try:
        totals = summarise(read_measurements(path, limit=20))
    except OSError as error:
        print('cannot read', path, error)
        return
    for name, mean in sorted(totals.items(), key=lambda item: item[1]):
        print(name, round(mean, 3), sep="\\t")
"""

SQL = r"""
root ::= query ";"?
query ::= select (setop select)* (" ORDER BY " order (", " order)*)? (" LIMIT " integer (" OFFSET " integer)?)?
setop ::= " UNION " | " UNION ALL " | " EXCEPT " | " INTERSECT "
select ::= "SELECT " "DISTINCT "? columns (" FROM " sources)? (" WHERE " condition)? groups?
groups ::= " GROUP BY " expression (", " expression)* (" HAVING " condition)?
columns ::= column (", " column)*
column ::= "*" | name ".*" | expression (" AS " name)?
sources ::= source (", " source)*
source ::= table (join table " ON " condition)*
join ::= (" INNER" | " LEFT" | " RIGHT" | " FULL OUTER")? " JOIN "
table ::= name ("." name)? (" AS " name)? | "(" query ") AS " name
order ::= expression (" ASC" | " DESC")?
condition ::= conjunction (" OR " conjunction)*
conjunction ::= negation (" AND " negation)*
negation ::= "NOT "? predicate
predicate ::= expression rest | "EXISTS (" query ")" | "(" condition ")"
rest ::= compare expression | (" LIKE " | " NOT LIKE ") string | between | in | null
between ::= (" BETWEEN " | " NOT BETWEEN ") expression " AND " expression
in ::= (" IN (" | " NOT IN (") (query | expression (", " expression)*) ")"
null ::= " IS NULL" | " IS NOT NULL"
compare ::= " = " | " <> " | " != " | " <= " | " >= " | " < " | " > "
expression ::= factor ((" + " | " - " | " || ") factor)*
factor ::= value ((" * " | " / " | " % ") value)*
value ::= number | string | "NULL" | reference | call | "-" value | "(" (expression | query) ")"
reference ::= name ("." name)?
call ::= name "(" ("*" | "DISTINCT "? expression (", " expression)*)? ")"
name ::= [a-z_] [a-z0-9_]*
number ::= [0-9]+ ("." [0-9]+)?
integer ::= [0-9]+
string ::= "'" ([^'] | "''")* "'"
"""

SQL_TEXTS = (
    "SELECT c.name, count(*) AS orders, sum(o.total) AS revenue FROM customers AS c LEFT JOIN orders AS o "
    "ON o.customer_id = c.id WHERE c.country IN ('DE', 'AT', 'CH') AND o.created_at >= '2024-01-01' "
    "AND NOT c.email LIKE '%@example.com' GROUP BY c.name HAVING sum(o.total) > 1000.50 ORDER BY revenue DESC LIMIT 20;",
    "SELECT DISTINCT department, avg(salary * 12) AS yearly FROM hr.employees AS e WHERE e.manager_id IS NOT NULL "
    "AND (e.hired BETWEEN '2010-01-01' AND '2019-12-31' OR e.level <> 'it''s junior') GROUP BY department "
    "UNION ALL SELECT name, -1 FROM (SELECT name FROM contractors WHERE rate / 8 > 75) AS c ORDER BY yearly",
    "SELECT * FROM products WHERE EXISTS (SELECT id FROM stock WHERE stock.product_id = products.id "
    "AND stock.quantity - stock.reserved >= 3) OR price <= (SELECT min(price) FROM products) LIMIT 10 OFFSET 30;",
)

JSON = r"""
root ::= object
value ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws (string ":" ws value ("," ws string ":" ws value)*)? "}" ws
array ::= "[" ws (value ("," ws value)*)? "]" ws
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}))* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [0-9]{0,15})? ws
ws ::= "" | " " | "\n" [ \t]{0,20}
"""

ARITHMETIC = r"""
root ::= sum
sum ::= product ((" + " | " - ") product)*
product ::= atom ((" * " | " / ") atom)*
atom ::= number | "-" atom | "(" sum ")"
number ::= [0-9]+ ("." [0-9]+)?
"""


@dataclass(frozen=True)
class SpeedCase:
    """A grammar and texts of it.

    gbnf: for all engines; or choices, a JSON Schema, or a structural tag (`tools`: tools with schemas, see
        `structural_tag`).
    """

    name: str
    texts: tuple[str, ...]
    gbnf: str | None = None
    choices: tuple[str, ...] = ()
    tools: tuple[dict[str, Any], ...] = ()
    schema: dict[str, Any] | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """What `compile_grammar` takes."""
        if self.gbnf is not None:
            return {"ebnf": self.gbnf, "dialect": "gbnf"}
        if self.schema is not None:
            return {"json_schema": self.schema}
        return {"choice": list(self.choices)} if self.choices else {"structural_tag": structural_tag(self.tools)}


def structural_tag(tools: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Free text with calls of the tools: `<function=NAME>{...}</function>`."""
    tags = [
        {
            "type": "tag",
            "begin": f"<function={tool['name']}>",
            "content": {"type": "json_schema", "json_schema": tool["parameters"]},
            "end": "</function>",
        }
        for tool in tools
    ]
    return {"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<function="], "tags": tags}}


def _person(rng: random.Random, number: int) -> dict[str, Any]:
    first, last = (
        rng.choice(("Ana", "Björn", "Chen", "Dmitri", "Ella")),
        rng.choice(("Suárez", "Larsson", "Wei", "Okafor")),
    )
    return {
        "id": 1000 + number,
        "name": f"{first} {last}",
        "email": f"{first.lower()}.{last.lower()}@example.org",
        "active": rng.random() < 0.7,
        "score": round(rng.uniform(-5, 100), 3),
        "tags": rng.sample(["admin", "beta", "newsletter", "on hold", "réseau"], rng.randrange(4)),
        "address": {"street": f'{rng.randrange(1, 200)} Elm "Court"', "city": "Zürich", "zip": "08001", "geo": None},
        "visits": [{"page": f"/docs/{rng.randrange(99)}\\index", "seconds": rng.randrange(5000)} for _ in range(3)],
        "ratio": rng.choice((1e-7, 2.5e21, -0.0, 12)),
        "note": "line one\nline two\t\u0007 end",
    }


def _json_texts(count: int, seed: int) -> tuple[str, ...]:
    rng = random.Random(seed)
    people = [_person(rng, number) for number in range(count)]
    return tuple(
        [
            json.dumps(person, indent=2 if index % 2 else None, ensure_ascii=index % 4 == 0)
            for index, person in enumerate(people)
        ]
    )


def _plain_texts(count: int, seed: int) -> tuple[str, ...]:
    rng = random.Random(seed)
    return tuple([json.dumps(_person(rng, number), ensure_ascii=False) for number in range(count)])


def _one_json_text() -> str:
    return json.dumps(_person(random.Random(7), 2), indent=1)


def _nested(depth: int) -> str:
    rng = random.Random(3)
    text = "1"
    for level in range(depth):
        operator = rng.choice([" + ", " - ", " * ", " / "])
        text = f"({text}{operator}{level * 37 % 1000})" if level % 2 else f"({rng.randrange(10)}.5{operator}{text})"
    return text


def _choices(count: int) -> tuple[str, ...]:
    rng = random.Random(5)
    parts = ("red", "blue", "Nord", "süd", "steel", "oak", "river", "stone", "cloud", "amber", "iron", "light")
    return tuple(sorted({f"{' '.join(rng.sample(parts, 3))} {number}" for number in range(count)}))


_STRING, _INTEGER, _NUMBER, _FLAG = ({"type": name} for name in ("string", "integer", "number", "boolean"))
_TEXTS = {"type": "array", "items": _STRING}
PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": _INTEGER,
        "name": {"type": "string", "maxLength": 80},
        "email": {"type": "string", "pattern": "^[^@]+@[^@]+$"},
        "active": _FLAG,
        "score": {"type": "number", "minimum": -5, "maximum": 100},
        "tags": _TEXTS,
        "address": {
            "type": "object",
            "properties": {
                "street": _STRING,
                "city": _STRING,
                "zip": {"type": "string", "pattern": "^[0-9]{5}$"},
                "geo": {},
            },
            "required": ["street", "city", "zip", "geo"],
        },
        "visits": {
            "type": "array",
            "items": {"type": "object", "properties": {"page": _STRING, "seconds": _INTEGER}, "required": ["page"]},
        },
        "ratio": _NUMBER,
        "note": _STRING,
    },
    "required": ["id", "name", "email"],
    "additionalProperties": False,
}
_TOOLS: tuple[tuple[str, dict[str, Any], list[str]], ...] = (
    ("get_weather", {"city": _STRING, "unit": {"enum": ["celsius", "fahrenheit"]}, "days": _INTEGER}, ["city"]),
    ("send_email", {"to": {"type": "array", "items": _STRING}, "subject": _STRING, "body": _STRING}, ["to", "subject"]),
    ("search_web", {"query": _STRING, "limit": {"type": "integer", "minimum": 1, "maximum": 50}, "safe": _FLAG}, ["query"]),
    ("create_event", {"title": _STRING, "start": _STRING, "minutes": _INTEGER, "guests": {"type": "array", "items": {
        "type": "object", "properties": {"name": _STRING, "email": _STRING}, "required": ["name"]}}}, ["title", "start"]),
    ("book_flight", {"origin": {"type": "string", "pattern": "^[A-Z]{3}$"}, "target": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "seat": {"enum": ["window", "middle", "aisle"]}}, ["origin", "target"]),
    ("convert_money", {"amount": _NUMBER, "source": _STRING, "target": _STRING}, ["amount", "source", "target"]),
    ("read_file", {"path": _STRING, "first_line": _INTEGER, "last_line": _INTEGER}, ["path"]),
    ("write_file", {"path": _STRING, "content": _STRING, "append": _FLAG}, ["path", "content"]),
    ("run_query", {"sql": _STRING, "parameters": {"type": "array", "items": {"anyOf": [_STRING, _NUMBER, {"type": "null"}]}}}, ["sql"]),
    ("set_alarm", {"hour": {"type": "integer", "minimum": 0, "maximum": 23}, "minute": {"type": "integer", "minimum": 0,
        "maximum": 59}, "label": {"type": "string", "maxLength": 40}}, ["hour", "minute"]),
    ("translate", {"text": _STRING, "language": {"enum": ["de", "en", "es", "fr", "ja", "zh"]}}, ["text", "language"]),
    ("play_music", {"artist": _STRING, "title": _STRING, "shuffle": _FLAG, "volume": _NUMBER}, []),
    ("add_contact", {"name": _STRING, "phones": {"type": "array", "items": {"type": "object", "properties": {
        "kind": {"enum": ["home", "work"]}, "number": _STRING}, "required": ["kind", "number"]}}}, ["name", "phones"]),
    ("get_stock", {"symbol": _STRING, "fields": {"type": "array", "items": {"enum": ["price", "volume", "high", "low"]}}}, ["symbol"]),
    ("resize_image", {"url": _STRING, "width": _INTEGER, "height": _INTEGER, "keep_ratio": _FLAG}, ["url", "width"]),
    ("plan_route", {"stops": {"type": "array", "items": {"type": "object", "properties": {"lat": _NUMBER, "lon": _NUMBER},
        "required": ["lat", "lon"], "additionalProperties": False}, "minItems": 2}, "mode": {"enum": ["car", "bike"]}}, ["stops"]),
    ("update_record", {"table": _STRING, "id": _INTEGER, "values": {"type": "object", "additionalProperties": _STRING}}, ["table", "id"]),
    ("list_tasks", {"done": _FLAG, "owner": _STRING, "page": _INTEGER}, []),
    ("open_ticket", {"title": _STRING, "severity": {"enum": ["low", "medium", "high"]}, "details": {"type": "object",
        "properties": {"component": _STRING, "steps": {"type": "array", "items": _STRING}}, "required": ["component"]}}, ["title"]),
    ("finish", {"answer": _STRING, "confidence": {"type": "number", "minimum": 0, "maximum": 1}}, ["answer"]),
)  # fmt: skip
TOOLS = tuple(
    [
        {
            "name": name,
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": False,
            },
        }
        for name, properties, required in _TOOLS
    ]
)
_CALLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("I'll look that up for you.\n", "get_weather", {"city": "São Paulo", "unit": "celsius", "days": 3}),
    (
        "\nThe weather is fine, so here is the invitation: ",
        "create_event",
        {
            "title": "Picnic",
            "start": "2025-06-01",
            "minutes": 90,
            "guests": [{"name": "Ana", "email": "ana@example.org"}],
        },
    ),
    (
        " Now the list of x < 3 & y > 4:\n",
        "run_query",
        {"sql": "SELECT * FROM guests WHERE age < ?", "parameters": [30, None]},
    ),
    ("", "set_alarm", {"hour": 7, "minute": 30, "label": "Get up early"}),
    (
        "\nThen we drive there.\n",
        "plan_route",
        {"stops": [{"lat": 47.37, "lon": 8.54}, {"lat": 46.95, "lon": 7.44}], "mode": "bike"},
    ),
    ("And the last one. ", "finish", {"answer": "All is planned.", "confidence": 0.93}),
)


def _numbered(count: int) -> tuple[dict[str, Any], ...]:
    """So many tools: those of TOOLS over and over, with numbers behind their names."""
    tools = [TOOLS[number % len(TOOLS)] for number in range(count)]
    return tuple([tool | {"name": f"{tool['name']}_{number}"} for number, tool in enumerate(tools)])


def _tool_text(*, numbered: bool = False) -> str:
    """Text with calls of TOOLS. numbered: of the first ones of `_numbered`."""
    places = {tool["name"]: place for place, tool in enumerate(TOOLS)}
    calls = []
    for text, name, value in _CALLS:
        called = f"{name}_{places[name]}" if numbered else name
        calls.append(f"{text}<function={called}>{json.dumps(value, ensure_ascii=False)}</function>")
    return "".join(calls) + " Done."


CASES = (
    SpeedCase("Python-like code", (CODE_TEXT,), CODE),
    SpeedCase("SQL", SQL_TEXTS, SQL),
    SpeedCase("GBNF JSON, one document", (_one_json_text(),), JSON),
    SpeedCase("GBNF JSON, 22 documents", _json_texts(22, 1), JSON),
    SpeedCase("JSON Schema, 22 documents", _plain_texts(22, 1), schema=PERSON),
    SpeedCase("arithmetic, nested 200 deep", (_nested(200),), ARITHMETIC),
    SpeedCase("10,000 choices", _choices(10_000)[::500], choices=_choices(10_000)),
    SpeedCase("structural tag of 20 tools", (_tool_text(),), tools=TOOLS),
    SpeedCase("structural tag of 500 tools", (_tool_text(numbered=True),), tools=_numbered(500)),
)
