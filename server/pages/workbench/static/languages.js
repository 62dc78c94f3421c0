// Colours for regexes and EBNF: just enough to tell names, texts and operators apart.

const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*/u;

export const regex = {
  name: "regex",
  token(stream) {
    if (stream.match(/^\\[pP]\{[^}]*\}/) || stream.match(/^\\./)) return "keyword";
    if (stream.match(/^\[\^?\]?(?:\\.|[^\]\\])*\]/)) return "string";
    if (stream.match(/^(?:\(\?[a-zA-Z<=!:>P-]*|[()|*+?^$.]|\{\d*,?\d*\})/)) return "operator";
    stream.next();
    return null;
  },
};

export const ebnf = {
  name: "ebnf",
  startState: () => ({ isComment: false }),
  token(stream, state) {
    if (state.isComment) {
      if (stream.match(/^.*?\*\//)) state.isComment = false;
      else stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.isComment = true;
      return "comment";
    }
    if (stream.match(/^(?:#(?!x)|\/\/).*/)) return "comment";
    if (stream.match(/^"(?:\\.|[^"\\])*"?/) || stream.match(/^'(?:\\.|[^'\\])*'?/)) return "string";
    if (stream.match(/^\[\^?(?:\\.|[^\]\\])*\]/) || stream.match(/^\/(?:\\.|[^/\\])+\/[a-z]*/)) return "regexp";
    if (stream.match(/^%\w+/)) return "keyword";
    if (stream.match(/^(?:::=|[|()*+?:&~!-]|\{\d*,?\d*\})/)) return "operator";
    if (stream.match(NAME)) return /^\s*(?:::=|:)/.test(stream.string.slice(stream.pos)) ? "variableName.definition" : null;
    stream.next();
    return null;
  },
};
