"""JSON Schema as a regular expression over JSON text, for backends that take only regexes.

Enforced exactly: what is finite or regular. Refused with `UnsupportedSchemaError`: the rest (recursion, open objects,
arbitrary values, conjunctions). `builder.build_regex` is the entry.

    places.py    a schema at its place: pointer, `$ref`
    builder.py   any schema: references, enum, anyOf, oneOf, dispatch by type
    strings.py numbers.py arrays.py objects.py   one type each
    disjoint.py  proofs that no value fits two schemas
    json_text.py how JSON spells values: strings, literals, whitespace
"""
