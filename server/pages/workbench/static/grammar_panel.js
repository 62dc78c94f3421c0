// The grammar's card: its editor, and what the server says of it while it is written.
import { post } from "./api.js";
import { schemaCompletion } from "./completion.js";
import { byId, counted, debounced, element } from "./dom.js";
import { Editor } from "./editor.js";
import { jsonError, pointerOf, partsOf, rangeOf, treeOf } from "./json_places.js";
import { KINDS, grammarFields } from "./settings.js";
import { impossiblePart } from "./unsatisfiable.js";

const CHECK_AFTER_MS = 250;

export class GrammarPanel {
  /** settings: of the page, which this changes. onChange: after each change; onChecked: {answer} or {failure}. */
  constructor(settings, data, { onChange, onChecked }) {
    this.settings = settings;
    this._onChange = onChange;
    this._onChecked = onChecked;
    this._sources = {}; // of kinds that are not shown now
    this._turn = 0;
    this._check = debounced(CHECK_AFTER_MS, () => this._ask());
    this.editor = new Editor(byId("grammar-editor"), {
      label: "Grammar",
      complete: schemaCompletion(data, () => settings.kind === "json_schema"),
      onChange: (text) => { settings.source = text; this._changed(); },
    });
    byId("kind").append(...Object.entries(KINDS).map(([value, { label }]) => element("option", { value, textContent: label })));
    byId("kind").onchange = () => this._switch(byId("kind").value);
    byId("dialect").onchange = () => { settings.dialect = byId("dialect").value; this._changed(); };
    byId("flexible").onchange = () => { settings.flexible = byId("flexible").checked; this._changed(); };
  }

  /** Show the settings as they are now, and check them at once. */
  show() {
    const { kind, source, dialect, flexible } = this.settings;
    byId("kind").value = kind;
    byId("dialect").value = dialect;
    byId("flexible").checked = flexible;
    byId("dialect").hidden = kind !== "ebnf";
    byId("whitespace-field").hidden = kind !== "json_schema";
    byId("kind-hint").textContent = KINDS[kind].hint;
    byId("grammar-editor").hidden = kind === "none";
    this.editor.show(source, KINDS[kind].language);
    this._clear();
    this._ask();
  }

  /** Light up the place of a schema (by its JSON pointer) or of a grammar's text; null: none. */
  light(place) {
    this.editor.light(place && this._rangeOf(place));
  }

  _switch(kind) {
    this._sources[this.settings.kind] = this.settings.source;
    Object.assign(this.settings, { kind, source: this._sources[kind] ?? "" });
    this._onChange(); // first: without a grammar it is checked at once
    this.show();
  }

  _changed() {
    this._turn += 1; // what is asked now is of an older text
    this.editor.light(null);
    this._check();
    this._onChange();
  }

  async _ask() {
    const turn = ++this._turn;
    if (this.settings.kind === "none") return this._show(turn, { answer: null });
    let fields;
    try {
      fields = grammarFields(this.settings);
    } catch (error) {
      return this._show(turn, { failure: { message: error.message } });
    }
    const model = this.settings.model ? { model: this.settings.model } : {};
    return this._show(turn, await post("v1/grammar/check", { ...fields, ...model }));
  }

  _show(turn, { answer, failure }) {
    if (turn !== this._turn) return;
    this._clear();
    if (failure) this._showFailure(failure);
    else if (answer) this._showReport(answer);
    this._onChecked({ answer, failure });
    if (failure?.code === "unsatisfiable_grammar" && this.settings.kind === "json_schema") this._findImpossible(turn, failure);
  }

  /** A schema that nothing satisfies: say which part of it is to blame, where one part is. */
  async _findImpossible(turn, failure) {
    const { json_schema: source, ...fields } = grammarFields(this.settings);
    const isWanted = () => turn === this._turn;
    const pointer = await impossiblePart(source, fields, isWanted);
    if (!isWanted() || pointer === null) return;
    this._showFailure({ ...failure, message: `${failure.message}: nothing fits what stands at ${pointer}`, place: { pointer } });
  }

  _clear() {
    this.editor.mark(null);
    byId("check-status").textContent = "";
    byId("report").hidden = true;
  }

  _showFailure(failure) {
    const said = byId("check-status");
    const range = this._errorRange(failure);
    said.className = "status bad";
    said.replaceChildren(range?.message ?? failure.message);
    if (range) {
      this.editor.mark({ ...range, message: range.message ?? failure.message });
      const jump = element("button", { className: "link", type: "button", textContent: "Show the place" });
      jump.onclick = () => this.editor.goTo(range);
      said.append(" ", jump);
    }
  }

  _showReport({ report, compile_s: seconds }) {
    const said = byId("check-status");
    said.className = "status good";
    const told = this.settings.kind === "json_schema" ? keywordWords(report) : "enforced exactly";
    said.textContent = `\u2713 ${told}; compiled in ${(1000 * seconds).toFixed(1)} ms`;
    byId("report").hidden = report.length === 0;
    byId("report-rows").replaceChildren(...report.map((one) => this._reportRow(one)));
  }

  _reportRow({ pointer, keyword, enforcement }) {
    const jump = element("button", { className: "link", type: "button", textContent: pointer || "the root" });
    jump.onclick = () => {
      const range = this._rangeOf({ pointer, keyword }) ?? this._rangeOf({ pointer });
      if (range) this.editor.goTo(range);
    };
    return element("tr", {}, element("td", {}, jump), element("td", {}, element("code", { textContent: keyword })),
      element("td", { textContent: enforcement }));
  }

  /** Where an error is: a range, with a message of its own for what is no JSON at all; null if nobody knows. */
  _errorRange({ place }) {
    const text = this.editor.text;
    if (KINDS[this.settings.kind].language === "json") {
      const broken = jsonError(text);
      if (broken) return { from: broken.from, to: broken.from + 1, message: `${broken.message} (line ${broken.line}, column ${broken.column})` };
    }
    return place ? this._rangeOf(place) : null;
  }

  _rangeOf({ pointer, keyword, offset }) {
    const text = this.editor.text;
    if (pointer !== undefined && KINDS[this.settings.kind].language === "json") {
      const tree = treeOf(this.editor.view.state);
      if (keyword === undefined) return rangeOf(text, tree, pointer);
      return rangeOf(text, tree, pointerOf([...partsOf(pointer), keyword]));
    }
    if (offset === undefined) return null;
    const from = unitsOf(text, offset);
    const word = /^[\p{L}\p{N}_.-]+/u.exec(text.slice(from));
    return { from, to: from + (word ? word[0].length : 1) };
  }
}

/** "14 keywords enforced exactly, 3 are annotations", and whatever else a report says. */
function keywordWords(report) {
  const numbers = new Map();
  for (const { enforcement } of report) numbers.set(enforcement, (numbers.get(enforcement) ?? 0) + 1);
  const exactly = numbers.get("exactly") ?? 0;
  const notes = numbers.get("annotation") ?? 0;
  const others = report.length - exactly - notes;
  const parts = [`${counted(exactly, "keyword")} enforced exactly`];
  if (notes) parts.push(counted(notes, "annotation"));
  if (others) parts.push(`${others} more in the report`);
  return parts.join(", ");
}

/** An offset in code points as one in UTF-16 units, as the editor counts. */
function unitsOf(text, offset) {
  return [...text].slice(0, offset).join("").length;
}
