"""Grammars of the kinds that people share for llama.cpp and xgrammar, in what both dialects read alike.

Each is written for these tests, with texts that it takes and refuses.
"""

from __future__ import annotations

from typing import NamedTuple


class UsualGrammar(NamedTuple):
    """A grammar whose texts begin at `root`."""

    name: str
    grammar: str
    accepts: tuple[str, ...]
    rejects: tuple[str, ...]


USUAL_GRAMMARS = (
    UsualGrammar(
        "arithmetic",
        """root ::= (sum "=" space number "\\n")+
sum ::= product ([-+] space product)*
product ::= atom ([*/] space atom)*
atom ::= number | "(" space sum ")" space
number ::= [0-9]+ space
space ::= [ \\t]*""",
        ("1+2=3\n", "(4 - 1) * 2 = 6\n7=7\n"),
        ("1+=2\n", "1+2=3", "(1=1\n"),
    ),
    UsualGrammar(
        "a small C",
        """root ::= function*
function ::= type " " name "(" parameter? ")" "{" statement* "}"
type ::= "int" | "float" | "char"
name ::= [a-zA-Z_] [a-zA-Z_0-9]*
parameter ::= type " " name
statement ::= (type " " name " " "=" " " value ";") | (name " " "=" " " value ";") | "return" " " value ";" | while
while ::= "while" "(" condition ")" "{" statement* "}"
condition ::= value (">" | "<" | "==" | "!=" | "<=" | ">=") value
value ::= term (("+" | "-") term)*
term ::= factor (("*" | "/") factor)*
factor ::= name | [0-9]+ | "-" factor | "(" value ")" | name "(" (value ("," " "? value)*)? ")" """,
        ("int f(int a){return a+1;}", "char g(){int i = 0;while(i<9){i = h(i, 2)*-i;}}", ""),
        ("int f(int a){return a+;}", "int (){}", "int f(){x;}"),
    ),
    UsualGrammar(
        "moves of chess",
        """root ::= "1. " move " " move "\\n" ([1-9] [0-9]? ". " move " " move "\\n")*
move ::= (pawn | piece | castle) [+#]?
piece ::= [NBRQK] [a-h]? [1-8]? "x"? [a-h] [1-8]
pawn ::= ([a-h] "x")? [a-h] [1-8] ("=" [NBRQ])?
castle ::= "O-O" "-O"?""",
        ("1. e4 e5\n", "1. d4 Nf6\n2. c4 O-O\n", "1. exd8=Q+ Rbxb1#\n"),
        ("1. e9 e5\n", "2. e4 e5\n", "1. e4\n"),
    ),
    UsualGrammar(
        "words of English",
        """root ::= word (("-" | "'" | " " | ", ") word)* [.!?]
word ::= [a-zA-Z]+""",
        ("It's a well-kept secret, isn't it?", "No."),
        ("It's", "a  b.", "café."),
    ),
    UsualGrammar(
        "Japanese",
        """root ::= kana+ ([ \\t\\n] kana+)*
kana ::= hiragana | katakana | punctuation | cjk
hiragana ::= [ぁ-ゟ]
katakana ::= [ァ-ヿ]
punctuation ::= [、-〾]
cjk ::= [一-鿿]""",
        ("日本語です。", "カタカナ と かな"),
        ("abc", "日本 ", ""),
    ),
    UsualGrammar(
        "JSON",
        r"""root ::= object
value ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws (string ":" ws value ("," ws string ":" ws value)*)? "}" ws
array ::= "[" ws (value ("," ws value)*)? "]" ws
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}))* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
ws ::= " "? | "\n" [ \t]{0,20}""",
        ('{"a": [1, -2.5e3], "b\\u00e9": {}}', '{\n  "x": null\n}'),
        ('{"a": 01}', "[1]", '{"a": "\t"}', '{"a"  : 1}'),
    ),
    UsualGrammar(
        "array of JSON strings",
        r'''root ::= "[\n" (item (",\n" item)*)? "\n]"
item ::= "\"" [^"\\\n]* "\""''',
        ('[\n"a",\n"b c"\n]', "[\n\n]"),
        ('["a"]', '[\n"a",\n]'),
    ),
    UsualGrammar(
        "list of points",
        """root ::= item+
item ::= "- " [^\\r\\n\\x0b\\x0c\\x85\\u2028\\u2029]+ "\\n" """,
        ("- one\n- two\n", "- é\n"),
        ("- \n", "-a\n", "- one"),
    ),
    UsualGrammar(
        "date and time",
        """root ::= date ("T" time zone?)?
date ::= [0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [12] [0-9] | "3" [01])
time ::= ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] (":" [0-5] [0-9] ("." [0-9]{1,6})?)?
zone ::= "Z" | [+-] [0-9]{2} ":" [0-9]{2}""",
        ("2026-11-29", "2026-11-29T09:30Z", "1999-01-31T23:59:59.5+01:00"),
        ("2026-13-01", "2026-11-29T", "2026-11-29T24:00"),
    ),
    UsualGrammar(
        "address of a mail",
        """root ::= local "@" label ("." label)+
local ::= [a-z0-9._+-]{1,64}
label ::= [a-z0-9] ([a-z0-9-]{0,61} [a-z0-9])?""",
        ("a.b+c@mail-1.example.org", "x@y.z"),
        ("x@y", "@y.z", "x@-y.z"),
    ),
    UsualGrammar(
        "IPv4",
        """root ::= byte ("." byte){3}
byte ::= [0-9] | [1-9] [0-9] | "1" [0-9] [0-9] | "2" ([0-4] [0-9] | "5" [0-5])""",
        ("0.0.0.0", "255.249.99.1"),
        ("256.1.1.1", "1.1.1", "01.1.1.1"),
    ),
    UsualGrammar(
        "semantic version",
        """root ::= number "." number "." number ("-" part ("." part)*)? ("+" part ("." part)*)?
number ::= "0" | [1-9] [0-9]*
part ::= [0-9A-Za-z-]+""",
        ("1.0.0", "0.2.10-rc.1+build-7"),
        ("01.0.0", "1.0", "1.0.0-"),
    ),
    UsualGrammar(
        "CSV",
        r'''root ::= row ("\n" row)*
row ::= field ("," field)*
field ::= [^",\n]* | "\"" ([^"] | "\"\"")* "\""''',
        ("a,b\n1,2", '"x, ""y""\nz",', ""),
        ('a,"b', 'a"b', '"a"b'),
    ),
    UsualGrammar(
        "table of Markdown",
        """root ::= row rule row+
row ::= "|" (cell "|")+ "\\n"
rule ::= "|" (" "? ":"? "-"{3,} ":"? " "? "|")+ "\\n"
cell ::= " " [^|\\n]{1,40}""",
        ("| a | b |\n|---|:---:|\n| 1 | 2 |\n", "| x|\n| --- |\n| y |\n"),
        ("| a |\n| 1 |\n", "| a |\n|--|\n| 1 |\n"),
    ),
    UsualGrammar(
        "a query of SQL",
        """root ::= "SELECT " ("*" | name (", " name)*) " FROM " name where? order? ";"
where ::= " WHERE " condition ((" AND " | " OR ") condition)*
condition ::= name " "? ("=" | "<" | ">" | "<>") " "? value | "(" condition ")"
order ::= " ORDER BY " name (" DESC" | " ASC")?
value ::= [0-9]+ | "'" [^']* "'"
name ::= [a-z_]+ ("." [a-z_]+)?""",
        ("SELECT * FROM t;", "SELECT a, t.b FROM t WHERE (a = 'x y') OR b<>3 ORDER BY a DESC;"),
        ("SELECT FROM t;", "SELECT * FROM t WHERE a;", "SELECT * FROM t"),
    ),
    UsualGrammar(
        "a call of a function",
        """root ::= name "(" (argument (", " argument)*)? ")"
argument ::= (name "=")? value
value ::= [0-9]+ | "'" [^'\\\\]* "'" | "[" (value (", " value)*)? "]" | root | "None"
name ::= [a-z_] [a-z_0-9]*""",
        ("f()", "get(1, key='a b', x=[1, g(None)])"),
        ("f(,)", "f(a)", "f(1 , 2)"),
    ),
    UsualGrammar(
        "tags of HTML",
        """root ::= element
element ::= "<p>" content "</p>" | "<b>" content "</b>" | "<br/>" | "<a href=\\"" [^"<>]* "\\">" content "</a>"
content ::= (text | element)*
text ::= [^<>&]+ | "&" ("lt" | "gt" | "amp") ";" """,
        ("<p>a <b>b</b>&amp;<br/></p>", '<a href="x">y</a>', "<br/>"),
        ("<p>a</b>", "<p>&</p>", "text"),
    ),
    UsualGrammar(
        "Roman numerals",
        """root ::= "M"{0,3} hundreds ("XC" | "XL" | "L"? "X"{0,3}) ("IX" | "IV" | "V"? "I"{0,3})
hundreds ::= "CM" | "CD" | "D"? "C"{0,3}""",
        ("MMXXVI", "CDXLIV", ""),
        ("IIII", "IC", "VX"),
    ),
    UsualGrammar(
        "thought, then an answer",
        """root ::= "<think>" ([^<] | "<" [^/])* "</think>\\n" answer
answer ::= "yes" | "no" | "unknown (" [a-z ]+ ")" """,
        ("<think>a < b, so</think>\nyes", "<think></think>\nunknown (no data)"),
        ("<think>a</think>yes", "yes", "<think>a</think>\nmaybe"),
    ),
    UsualGrammar(
        "settings",
        """root ::= line (newline line)*
line ::= key ": " scalar | key ":" newline "  " key ": " scalar | "# " [^\\n]*
key ::= [a-z] [a-z0-9_]*
scalar ::= "true" | "false" | "-"? [0-9]+ ("." [0-9]+)? | "\\"" [^"\\n]* "\\""
newline ::= "\\r"? "\\n" """,
        ('name: "x y"\nsize: -1.5', "a:\n  b: true\n# end", "a: 1\r\nb: 2"),
        ("a: yes", "a:1", "a:\nb: 1"),
    ),
)
