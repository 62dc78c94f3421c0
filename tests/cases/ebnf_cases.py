"""EBNF grammars in each dialect, with texts that they take and refuse. One table for every backend that reads them.

`plain_lark`: lark itself reads the grammar, so that its Earley parser can be asked too.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EbnfCase:
    """A grammar in a dialect and texts. is_plain_lark: nothing in it is an extension of lark's notation."""

    name: str
    dialect: str
    grammar: str
    accepts: tuple[str, ...]
    rejects: tuple[str, ...] = ()
    is_plain_lark: bool = False


def _gbnf(name: str, grammar: str, accepts: list[str], rejects: list[str]) -> EbnfCase:
    return EbnfCase(f"gbnf {name}", "gbnf", grammar, tuple(accepts), tuple(rejects))


def _xgrammar(name: str, grammar: str, accepts: list[str], rejects: list[str]) -> EbnfCase:
    return EbnfCase(f"xgrammar {name}", "xgrammar", grammar, tuple(accepts), tuple(rejects))


def _w3c(name: str, grammar: str, accepts: list[str], rejects: list[str]) -> EbnfCase:
    return EbnfCase(f"w3c {name}", "w3c", grammar, tuple(accepts), tuple(rejects))


def _lark(name: str, grammar: str, accepts: list[str], rejects: list[str], plain: bool = False) -> EbnfCase:
    return EbnfCase(f"lark {name}", "lark", grammar, tuple(accepts), tuple(rejects), plain)


GBNF_CASES = (
    _gbnf("sequence and alternatives", 'root ::= "a" "b" | "c"', ["ab", "c"], ["a", "b", "abc", ""]),
    _gbnf("comments", '# first\nroot ::= "a" # then "b"\n# last', ["a"], ["ab", ""]),
    _gbnf("empty alternative", 'root ::= "a" | | "b"', ["a", "", "b"], ["ab"]),
    _gbnf("empty rule", 'root ::= "a" none\nnone ::= ', ["a"], ["", "aa"]),
    _gbnf("star", 'root ::= "ab"*', ["", "ab", "abab"], ["a", "aba", "b"]),
    _gbnf("plus", 'root ::= [ab]+ "c"', ["ac", "bbac"], ["c", "ab", ""]),
    _gbnf("question", 'root ::= "a"? ("b" "c")?', ["", "a", "bc", "abc"], ["b", "ac"]),
    _gbnf("exact count", 'root ::= "a"{3}', ["aaa"], ["aa", "aaaa", ""]),
    _gbnf("least count", 'root ::= "a"{ 2, }', ["aa", "aaaaa"], ["a", ""]),
    _gbnf("count between", 'root ::= ("a" | "b"){1,2} "."', ["a.", "ba."], [".", "aba."]),
    _gbnf("no times", 'root ::= "a"{0} "b"', ["b"], ["ab"]),
    _gbnf("quantifier twice", 'root ::= "a"{2}*', ["", "aa", "aaaa"], ["a", "aaa"]),
    _gbnf("lines in parentheses", 'root ::= (\n  "a" # one\n\n  | "b"\n    "c"\n)', ["a", "bc"], ["b", "abc"]),
    _gbnf("line after bar", 'root ::= "a" |\n  "b"', ["a", "b"], ["ab"]),
    _gbnf("line after definition", 'root ::=\n  "a"', ["a"], [""]),
    _gbnf("carriage returns", 'root ::= "a" b\r\nb ::= "b"\r\n', ["ab"], ["a"]),
    _gbnf("class", "root ::= [a-c_x]", ["a", "b", "c", "_", "x"], ["d", "-", "ab", ""]),
    _gbnf("class with dashes", "root ::= [-a] [b-]", ["-b", "a-", "--"], ["ba", "a"]),
    _gbnf("negated class", "root ::= [^\\n\\]]+", ["a[", "é"], ["", "a\n", "]"]),
    _gbnf(
        "class escapes",
        'root ::= [\\x41-\\x43\\u00e9\\U0001F600\\t\\\\"]+',
        ["ABC", "é", "😀", "\t", '\\"'],
        ["D", "x"],
    ),
    _gbnf("caret inside a class", "root ::= [a^]", ["a", "^"], ["b"]),
    _gbnf("string escapes", r'root ::= "\x41\u00e9\U0001F600\n\t\r\\\"\[\]"', ['Aé😀\n\t\r\\"[]'], ["A"]),
    _gbnf("two hexadecimal digits only", r'root ::= "\x1F600"', ["\x1f600"], ["😀"]),
    _gbnf("string over lines", 'root ::= "a\nb"', ["a\nb"], ["ab"]),
    _gbnf("any character", 'root ::= "<" . ">"', ["<a>", "<\n>", "<😀>"], ["<>", "<ab>"]),
    _gbnf("dot beside a name", 'root ::= a.a\na ::= "x"', ["x.x", "x-x"], ["xx", "x.y"]),
    _gbnf("names", 'root ::= a-1 _b 7\na-1 ::= "x"\n_b ::= "y"\n7 ::= "z"', ["xyz"], ["xy"]),
    _gbnf("right recursion", 'root ::= "a" root | "b"', ["b", "aab"], ["a", "bb"]),
    _gbnf("left recursion", 'root ::= root "a" | "b"', ["b", "baa"], ["a", "ab"]),
    _gbnf("nesting", 'root ::= "(" root ")" root |', ["", "()", "(())()"], ["(", ")(", "(()"]),
    _gbnf("ambiguity", 'root ::= a a\na ::= "x" | "x" a', ["xx", "xxxx"], ["x", ""]),
)

XGRAMMAR_CASES = (
    _xgrammar("lines", 'root ::= "a"\n  "b"\n  | c\nc\n  ::= "c"', ["ab", "c"], ["a", "abc"]),
    _xgrammar("names with dots", 'root ::= a.b\na.b ::= "x"', ["x"], ["xx", ""]),
    _xgrammar("spaces before quantifiers", 'root ::= "a" * "b" { 1 , 2 }', ["b", "aabb"], ["a", "bbb"]),
    _xgrammar("empty group", 'root ::= "a" ( )', ["a"], [""]),
    _xgrammar("empty string", 'root ::= "" | "a"', ["", "a"], ["aa"]),
    _xgrammar("long hexadecimal escape", r'root ::= "\x1F600"', ["😀"], ["\x1f600"]),
    _xgrammar("escapes", r'root ::= "\/\'\?\"\\\b\f\a\v\0\e\u00e9\U0001F600"', ["/'?\"\\\b\f\a\v\0\x1bé😀"], ["/"]),
    _xgrammar("class escapes", r"root ::= [\-\]\^\$\.\x41-\x43]+", ["-]^$.ABC"], ["\\", "D"]),
    _xgrammar("any character", "root ::= [^]", ["a", "\n", "é"], ["", "ab"]),
    _xgrammar("no character", 'root ::= [] | "b"', ["b"], ["", "a"]),
    _xgrammar("bracket in a class", "root ::= [[]", ["["], ["]"]),
    _xgrammar("lookahead is no part", 'root ::= a "c"\na ::= "a" (= "b")', ["ac"], ["a", "ab", "abc"]),
    _xgrammar(
        "tags",
        'root ::= TagDispatch(("<a>", x), ("<b>", y))\nx ::= "1"\ny ::= [23]+',
        ["", "text", "text<a>1", "<a", "<<a>1<b>23 and <a>1", "<b>2<a>1."],
        ["<a>", "<a>2", "x<b>", "<a>1<b>4"],
    ),
    _xgrammar(
        "tags once",
        'root ::= TagDispatch(("<a>", x), loop_after_dispatch=false)\nx ::= "1"',
        ["", "text", "text<a>1"],
        ["<a>1.", "<a>1<a>1", "<a>"],
    ),
    _xgrammar(
        "tags with excluded texts",
        'root ::= TagDispatch(("<a>", x), excludes=("end", "q")) "end"\nx ::= "1"',
        ["end", "foo end", "foo<a>1end", "en<a>1d end"],
        ["endend", "<a>end", "qend", "foo", "qu<a>1end"],
    ),
    _xgrammar("no tags", "root ::= TagDispatch()", ["", "abc"], []),
    _xgrammar(
        "regex",
        r'root ::= Regex("[a-c]{2}\\d+?") "x" | Regex ("\\w\\s.") {2}',
        ["ab1x", "cc007x", "a\tbb \n"],
        ["ab1", "abx", "ab1xx", "é\tbb c", "a\u00a0bb c"],
    ),
    _xgrammar("regex without case", 'root ::= Regex("(?i)ab|q")', ["aB", "Q"], ["x", ""]),
    _xgrammar(
        "parts of a list", 'root ::= Substring("ab", "c", "ab") "."', [".", "ab.", "cab.", "abcab."], ["b.", "cc."]
    ),
    _xgrammar("one part", 'root ::= "<" (Substring("ab c") ">")*', ["<", "<>", "<ab c>ab c>"], ["<ab>"]),
    _xgrammar("lazy rule", 'root ::= a "x"\na[lazy] ::= [a-z]* "!"', ["!x", "ab!x"], ["a!b!x", "a!!x", "x"]),
    _xgrammar("lazy start", 'root[lazy] ::= "a" | "ab" | "ca"', ["a", "ca"], ["ab", "c"]),
    _xgrammar(
        "lazy rule beside another",
        'root ::= (a | "q!r") "z"\na[lazy, capture="one"] ::= Regex("[a-z]*!")',
        ["q!z", "q!rz"],
        ["q!q!z"],
    ),
    _xgrammar("bounded rule", 'root ::= a "."\na[max_chars=3] ::= [aé]*', [".", "aéa.", "ééé."], ["aaaa.", "b."]),
    _xgrammar("captures", 'root ::= a a\na[capture] ::= "x"*', ["", "xx"], ["y"]),
)

W3C_CASES = (
    _w3c("first rule is the start", "a ::= b 'c'\nb ::= \"b\"", ["bc"], ["b", "c"]),
    _w3c("numbers and comments", "[1] A ::= B /* x */ B\n/* y\n z */ [2a]   B ::= 'b'", ["bb"], ["b"]),
    _w3c("a class that looks like a number", "A ::= [1]\nB ::= 'b'", ["1"], ["b"]),
    _w3c("characters", "A ::= #x41 #x1F600 | [#x61-#x63#x2D]", ["A😀", "a", "c", "-"], ["A", "d"]),
    _w3c("negated class", "A ::= [^#xA<&]*", ["", "ab"], ["a\n", "<"]),
    _w3c("no escapes", r"A ::= '\n' [\]", ["\\n\\"], ["\n\\"]),
    _w3c("empty alternatives", "A ::= 'a' | /* nothing */", ["a", ""], ["aa"]),
    _w3c("quantifiers", "A ::= 'a'? 'b'+ ('c' 'd')*", ["b", "abbcdcd"], ["a", "abc"]),
    _w3c("exclusion", "A ::= [a-z]+ - ('if' | 'else')", ["i", "iff", "elsee"], ["if", "else", ""]),
    _w3c(
        "exclusion of a rule",
        "Comment ::= '<!--' ((Char - '-') | ('-' (Char - '-')))* '-->'\nChar ::= #x9 | #xA | #xD | [#x20-#xD7FF]",
        ["<!---->", "<!-- a - b -->"],
        ["<!--->", "<!-- a -- b -->", "<!-- a --->"],
    ),
    _w3c(
        "exclusion of what contains a text",
        "CharData ::= [^<&]* - ([^<&]* ']]>' [^<&]*)",
        ["", "a]]b>"],
        ["a]]>b", "<", "]]>"],
    ),
    _w3c("exclusions in a row", "A ::= [a-e] - 'b' - 'c' 'x'", ["ax", "dx"], ["bx", "cx", "a"]),
    _w3c("recursion", "S ::= '(' S ')' S | ''", ["", "(())()"], ["(()"]),
)

LARK_CASES = (
    _lark("rules and terminals", 'start: a B\na: "x" | "y"\nB: "b"+', ["xb", "ybb"], ["x", "xa"], True),
    _lark("lines with bars", 'start: "a"\n    | "b"  // one\n\n    // two\n    | "c"\n', ["a", "b", "c"], ["ab"], True),
    _lark("hash comments", '# one\nstart: "a" # two\n', ["a"], ["b"], True),
    _lark("string flags", 'start: "ab"i "c"', ["abc", "ABc", "aBc"], ["abC"], True),
    _lark("regex flags", r"start: /a.b/s /c/i /d e/x", ["a\nbcde", "a-bCde"], ["a-bcd e"], True),
    _lark("regex escapes", r"start: /a\/b\.\x41\d/", ["a/b.A1"], ["a/bxA1"], True),
    _lark("string escapes", r'start: "\"\\\n\t\x41\u00e9"', ['"\\\n\tAé'], ["A"], True),
    _lark("range", 'start: "a".."c" ("0".."9")+', ["a1", "c09"], ["d1", "a"], True),
    _lark("counts with tilde", 'start: "a"~2 ("b" "c")~1..2', ["aabc", "aabcbc"], ["abc", "aa", "aabcbcbc"], True),
    _lark(
        "counts with braces", 'start: "a"{2} "b"{1,2} "c"{,1} "d"{1,}', ["aabd", "aabbcdd"], ["abd", "aabccd", "aab"]
    ),
    _lark("quantifiers", 'start: "a"? "b"* ("c" | "d")+', ["c", "abbcd"], ["ab", ""], True),
    _lark("maybe", 'start: ["a" "b"] "c"', ["c", "abc"], ["ac", "bc"], True),
    _lark("prefixes and aliases", '?start: _a | b -> other\n_a: "x"\n!b: "y" -> why', ["x", "y"], ["xy"], True),
    _lark("priorities", 'start.2: A | B\nA.3: "x"\nB.-1: "xy"', ["x", "xy"], ["y"], True),
    _lark("names with dashes", 'start: a-b A-B\na-b: "x"\nA-B: "y"', ["xy"], ["x"]),
    _lark("ignored", 'start: "a" "b"\n%ignore " "', ["ab", "a b", "a  b"], ["a", "a\nb", "a c b"], True),
    _lark("ignored at the ends", 'start: "a"?\n%ignore " "', ["a", " a", "a  ", " "], ["b", "\n"], True),
    _lark(
        "ignored twice", 'start: "a"+\n%ignore " "\n%ignore /#[^\\n]*\\n/', ["aa", "a #x\n a"], ["a#", "a # a"], True
    ),
    _lark(
        "nothing ignored inside of terminals",
        'start: AB "c"\nAB: "a" "b"\n%ignore " "',
        ["abc", "ab c"],
        ["a bc"],
        True,
    ),
    _lark(
        "ignored once",
        '%llguidance {"skip_repetition": "once"}\n%ignore / {1,2}/\nstart: "a" "b"',
        ["ab", "a  b"],
        ["a   b"],
    ),
    _lark("import", "%import common.INT\nstart: INT", ["0", "42"], ["", "-1"], True),
    _lark("import as", "%import common.CNAME -> ID\nstart: ID", ["a_1"], ["1a"], True),
    _lark(
        "import of several", '%import common (INT, WS)\nstart: INT "," INT\n%ignore WS', ["1,2", "1 ,\n22"], ["x"], True
    ),
    _lark("terminals of terminals", 'start: A\nA: B "." B\nB: /[0-9]+/ | "x"', ["1.x", "12.3"], ["1", "1. 2"], True),
    _lark("and", "start: A\nA: /[a-z]+/ & /.{2,3}/ & ~/.*x.*/", ["ab", "abc"], ["a", "abcd", "axb", "a1"]),
    _lark("and binds tighter than bars", 'start: A\nA: /[ab]/ & "a" | "c"', ["a", "c"], ["b"]),
    _lark("and binds looser than sequences", 'start: A\nA: "a" "b" & "a" /[bc]/', ["ab"], ["ac", "a"]),
    _lark("not twice", 'start: "x" A\nA: ~~"a"', ["xa"], ["x", "xb"]),
    _lark("not binds tighter than quantifiers", 'start: "x" A\nA: (~"a" & /[ab]/){2}', ["xbb"], ["xab", "xaa", "xb"]),
    _lark("schema", 'start: "x" %json {"type": "integer", "minimum": 3} "y"', ["x3y", "x12y"], ["x1y", 'x"3"y', "xy"]),
    _lark(
        "schema over lines",
        'start: a "."\na: %json {\n  "enum": ["#", "//"]\n}\n',
        ['"#".', '"//".'],
        ['"x".', '"#"'],
    ),
    _lark(
        "words of a text",
        'start: %regex {"substring_words": "foo bar. baz"}',
        ["", "foo", "foo bar", " ", "bar. baz"],
        ["fo", "foo baz", "foobar"],
    ),
    _lark(
        "chunks",
        'start: %regex {"substring_chunks": ["ab", "c", "ab"]}',
        ["", "ab", "abc", "cab", "abcab"],
        ["a", "bc", "abab"],
    ),
    _lark(
        "characters of a text",
        'start: A "!"\nA: %regex {"substring_chars": "abca"}',
        ["!", "bc!", "a!"],
        ["ac!", "aa!"],
    ),
    _lark("lazy", 'start: a "x"\na[lazy]: /a+b?/', ["ax"], ["aax", "abx"]),
    _lark("suffix", 'start: a "x"\na[suffix="b"]: /(.|\\n)*/', ["bx", "aabx"], ["bbx", "x", "abcbx"]),
    _lark("capture", 'start: a "x"\na[capture="c"]: /a+/', ["aax"], ["x"]),
    _lark("lookahead in a terminal", "start: NAME\nNAME: /(?!if\\b)[a-z]+/", ["i", "iff", "else"], ["if"], True),
    _lark("lookahead over pieces", 'start: A\nA: /(?!ab)/ /[a-z]/ "b"', ["bb"], ["ab"]),
    _lark("lazy quantifier that can't go on", 'start: /"[^"]*?"/', ['""', '"ab"'], ['"a"b"'], True),
    _lark(
        "lazy quantifier before a fixed text",
        'start: /<a>.*?<.a>/ "x"',
        ["<a>u</a>x", "<a></a>x"],
        ["<a>u</a></a>x", "<a></a>"],
        True,
    ),
    _lark(
        "bounded lazy quantifier",
        'start: A+\nA: /"(?s:.){1,3}?[";]/',
        ['"a"', '"";', '"abc"";;'],
        ['"a"b"', '""'],
        True,
    ),
    _lark(
        "grammar in a grammar",
        'start: "a" x "z"\n%ignore " "\nx: %lark {\n  start: "b"+ y // }\n  y: /}/\n}\ny: "-"',
        ["ab}z", "abb} z"],
        ["abz", "ab }z", "ab-z"],
    ),
    _lark(
        "grammars in a row",
        'start: x %lark {\n  start: x %lark {\n  start: "c"\n  }\n  x: "b"\n}\nx: "a"',
        ["abc"],
        ["aac", "ab"],
    ),
    _lark("recursion", 'start: "(" start ")" start |', ["", "()(())"], ["(", ")("], True),
    _lark("left recursion", 'start: start "+" A | A\nA: "a"', ["a", "a+a+a"], ["+a", "a+"], True),
    _lark("hidden left recursion", 'start: b start "x" | "y"\nb: "b"?', ["y", "yx", "byxx"], ["bx", "x"], True),
    _lark("cycle", 'start: start | a\na: start | "x"', ["x"], ["", "xx"], True),
    _lark("empty rule", 'start: a "b"\na:', ["b"], [""], True),
    _lark("empty string", 'start: "" "b"', ["b"], [""]),
    _lark("continued line", 'start: "a" \\\n  "b"', ["ab"], ["a"], True),
    _lark("lines in parentheses", 'start: ("a"\n  | "b"\n  "c")', ["a", "bc"], ["b"]),
)

EBNF_CASES = (*GBNF_CASES, *XGRAMMAR_CASES, *W3C_CASES, *LARK_CASES)

COMMON_CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "DIGIT": (("0", "9"), ("", "10", "a")),
    "HEXDIGIT": (("a", "F", "0"), ("g", "")),
    "INT": (("0", "007"), ("", "-1", "1.0")),
    "SIGNED_INT": (("1", "-1", "+12"), ("--1", "-")),
    "DECIMAL": (("1.", "1.5", ".5"), (".", "1")),
    "FLOAT": (("1e5", "1.e-5", ".5E+1", "1.5"), ("1", "e5", ".e1")),
    "SIGNED_FLOAT": (("-1.5", "+.5"), ("-1",)),
    "NUMBER": (("1", "1.5", "1e5"), ("-1", ".")),
    "SIGNED_NUMBER": (("-1", "1.5e-3"), ("--1",)),
    "ESCAPED_STRING": (('""', '"a"', '"\\""', '"\\\\"', '"\\n"'), ('"', '"\\"', '"a"b"', '"\n"', '"\\\\""')),
    "LCASE_LETTER": (("a",), ("A", "ab")),
    "UCASE_LETTER": (("A",), ("a",)),
    "LETTER": (("a", "Z"), ("1", "é")),
    "WORD": (("abC",), ("", "a1")),
    "CNAME": (("a", "_a1"), ("1a", "", "a-b")),
    "WS_INLINE": ((" ", "\t "), ("\n", "")),
    "WS": ((" \n\t\r\f",), ("", "\v")),
    "CR": (("\r",), ("\n",)),
    "LF": (("\n",), ("\r",)),
    "NEWLINE": (("\n", "\r\n\n"), ("\r", "")),
    "SH_COMMENT": (("#", "# a"), ("#\n", "a")),
    "CPP_COMMENT": (("//", "// a"), ("/", "//\n")),
    "C_COMMENT": (("/**/", "/* a\n*/", "/***/", "/*/ */"), ("/*/", "/* */ */", "/**")),
    "SQL_COMMENT": (("--", "-- a"), ("-", "--\n")),
}
"""Terminals that can be imported: texts that they take, and texts that they refuse."""
