"""Grammars of custom tools as agents send them."""

from __future__ import annotations

# Codex's tool apply_patch, from the description of its format.
APPLY_PATCH = r"""
start: opening file+ closing
opening: "*** Begin Patch" LF
closing: "*** End Patch" LF?
file: added | deleted | updated
added: "*** Add File: " path LF new_line+
deleted: "*** Delete File: " path LF
updated: "*** Update File: " path LF moved? changes?
moved: "*** Move to: " path LF
path: /(.+)/
new_line: "+" /(.*)/ LF
changes: (place | line)+ last?
place: ("@@" | "@@ " /(.+)/) LF
line: ("+" | "-" | " ") /(.*)/ LF
last: "*** End of File" LF
%import common.LF
"""
PATCH = (
    "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-x = \"1\\n\"\n+x = 'é'\n*** Add File: b\n+\n*** End Patch\n"
)

# A part of SQL, with whitespace that counts.
SQL = r"""
start: "SELECT" SPACE columns SPACE "FROM" SPACE name (SPACE "WHERE" SPACE condition)?
columns: "*" | name ("," SPACE? name)*
condition: comparison (SPACE ("AND" | "OR") SPACE comparison)* | "(" condition ")"
comparison: name SPACE? OPERATOR SPACE? value | "(" condition ")"
value: NUMBER | STRING
name: NAME | QUOTED
OPERATOR: "=" | "<>" | "<=" | ">=" | "<" | ">"
QUOTED: /"[^"\n]+"/
NUMBER: /-?[0-9]+(\.[0-9]+)?/
STRING: /'([^']|'')*'/
NAME: /[a-z_][a-z0-9_]*/
SPACE: /[ \n]+/
"""
