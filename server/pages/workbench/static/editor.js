// A code editor: CodeMirror in a shadow root, so that its styles are style sheets and no inline styles.
import {
  Compartment, Decoration, EditorState, EditorView, HighlightStyle, StateEffect, StateField, StreamLanguage, autocompletion,
  bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, highlightSpecialChars, history,
  historyKeymap, indentOnInput, indentUnit, json, keymap, lineNumbers, lintKeymap, setDiagnostics, syntaxHighlighting, tags,
} from "./vendor/editor.js";
import { ebnf, regex } from "./languages.js";

const LANGUAGES = { json: () => json(), ebnf: () => StreamLanguage.define(ebnf), regex: () => StreamLanguage.define(regex), plain: () => [] };

const THEME = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13.5px", maxHeight: "28rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0", minHeight: "4.5rem" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "none" },
  "& .cm-matchingBracket": { backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--drawn)" },
  ".cm-lit": { backgroundColor: "var(--lit)", borderRadius: "3px" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "7px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "inherit", opacity: ".75", fontStyle: "normal", marginLeft: "1rem" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic": { padding: "5px 10px", maxWidth: "34rem", fontFamily: "system-ui, sans-serif" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
});

const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--key)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: [tags.bool, tags.null, tags.keyword], color: "var(--keyword)" },
  { tag: [tags.operator, tags.regexp], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
]);

const light = StateEffect.define();
const LIT_MARGIN = 40; // pixels above what is lit
const LIT = StateField.define({
  create: () => Decoration.none,
  update(lit, change) {
    let now = lit.map(change.changes);
    for (const effect of change.effects) {
      if (effect.is(light)) now = Decoration.set(effect.value ? [Decoration.mark({ class: "cm-lit" }).range(effect.value.from, effect.value.to)] : []);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** An editor in a host element. label: for screen readers. onChange: called with the text that somebody has written. */
export class Editor {
  constructor(host, { label, onChange, complete }) {
    this._language = new Compartment();
    this._isTold = true;
    const root = host.attachShadow({ mode: "open" });
    const extensions = [
      lineNumbers(), history(), highlightSpecialChars(), bracketMatching(), closeBrackets(), indentOnInput(), indentUnit.of("  "),
      EditorState.tabSize.of(2), EditorView.lineWrapping, autocompletion({ override: [complete], icons: false }), THEME,
      syntaxHighlighting(COLORS), LIT, this._language.of([]),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
      EditorView.updateListener.of((update) => { if (update.docChanged && this._isTold) onChange(this.text); }),
    ];
    this.view = new EditorView({ state: EditorState.create({ extensions }), parent: root, root });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Another text, in one of the languages json, ebnf, regex and plain; `onChange` does not hear of it. */
  show(text, language) {
    this._isTold = false;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      effects: [this._language.reconfigure(LANGUAGES[language]()), light.of(null)],
      selection: { anchor: 0 },
    });
    this._isTold = true;
  }

  /** The one error that is there, at its range; null: none. */
  mark(error) {
    const diagnostics = error ? [{ ...this._within(error), severity: "error", message: error.message }] : [];
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Light up a range, null: none. The editor scrolls to it if it can't be seen there; the page does not. */
  light(range) {
    this.view.dispatch({ effects: [light.of(range)] });
    if (!range) return;
    const { top, bottom } = this.view.lineBlockAt(range.from);
    const scroller = this.view.scrollDOM;
    const seen = scroller.scrollTop;
    if (top < seen || bottom > seen + scroller.clientHeight) scroller.scrollTop = top - LIT_MARGIN;
  }

  /** Put the cursor to a range, and the focus into the editor. */
  goTo(range) {
    this.view.focus();
    this.view.dispatch({ selection: { anchor: range.from, head: range.to }, effects: EditorView.scrollIntoView(range.from, { y: "center" }) });
  }

  _within({ from, to }) {
    const end = this.view.state.doc.length;
    const start = Math.min(from, end);
    const stop = Math.min(Math.max(to, start + 1), end);
    return { from: Math.min(start, stop === start && start > 0 ? start - 1 : start), to: stop };
  }
}
