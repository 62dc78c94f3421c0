// The tab where one tries texts on the grammar, and sees texts that it allows.
import { post } from "./api.js";
import { byId, element, visible } from "./dom.js";
import { grammarFields } from "./settings.js";

const MAX_LINES = 50;
const MAX_SHOWN_OPTIONS = 40;

export class TestPanel {
  constructor(settings) {
    this._settings = settings;
    this._turns = { match: 0, sample: 0 };
    this._seed = 0;
    byId("match").onclick = () => this.match();
    byId("samples-button").onclick = () => this.sample();
  }

  /** What is shown was of another grammar. */
  clear() {
    this._turns.match += 1;
    this._turns.sample += 1;
    this._seed = 0;
    byId("match-results").replaceChildren();
    byId("samples").replaceChildren();
    byId("samples-error").textContent = "";
    byId("samples-button").textContent = "Ten random texts";
  }

  /** Try the text, or each line of it. */
  async match() {
    const turn = ++this._turns.match;
    const whole = byId("match-text").value;
    const texts = byId("by-line").checked ? whole.split("\n").filter((line) => line !== "").slice(0, MAX_LINES) : [whole];
    const results = [];
    for (const text of texts) {
      const { answer, failure } = await this._ask("v1/grammar/match", { text });
      if (turn !== this._turns.match) return;
      if (failure) {
        byId("match-results").replaceChildren(element("p", { className: "status bad", textContent: failure.message }));
        return;
      }
      results.push(result(text, answer));
    }
    byId("match-results").replaceChildren(...results);
  }

  /** Show ten texts of the grammar; each time others. */
  async sample() {
    const turn = ++this._turns.sample;
    const { answer, failure } = await this._ask("v1/grammar/sample", { num: 10, seed: this._seed });
    if (turn !== this._turns.sample) return;
    byId("samples-error").textContent = failure?.message ?? "";
    byId("samples").replaceChildren(...(answer?.texts ?? []).map(sampled));
    if (!answer) return;
    this._seed += 1;
    byId("samples-button").textContent = "Ten others";
  }

  async _ask(path, body) {
    if (this._settings.kind === "none") return { failure: { message: "There is no grammar: every text is allowed." } };
    try {
      const model = this._settings.model ? { model: this._settings.model } : {};
      return await post(path, { ...body, ...grammarFields(this._settings), ...model });
    } catch (error) {
      return { failure: { message: error.message } };
    }
  }
}

function sampled(text) {
  const use = element("button", { type: "button", textContent: "Try a change", title: "Put it into the box above" });
  use.onclick = () => {
    byId("match-text").value = text;
    byId("match-text").focus();
  };
  return element("li", {}, element("pre", { textContent: text === "" ? "(the empty text)" : text }), use);
}

/** What the server says of a text. */
function result(text, { accepted, beginning, stop, expected, place }) {
  if (accepted) {
    return element("div", { className: "result" }, element("strong", { textContent: "\u2713 The grammar takes it." }),
      element("pre", { textContent: text }), more(expected));
  }
  const where = `line ${stop.line}, column ${stop.column}`;
  const title = beginning ? `It is not complete: something is missing at its end (${where}).` : `It stops at ${where}, before ${JSON.stringify(visible(stop.found ?? ""))}.`;
  const characters = [...text];
  const after = characters.slice(stop.characters + 1).join("");
  const shown = element("pre", {}, characters.slice(0, stop.characters).join(""),
    element("mark", { className: "stop", textContent: beginning ? "\u2038" : visible(characters[stop.characters] ?? "") }),
    element("span", { className: "rest", textContent: after }));
  return element("div", { className: "result stops" }, element("strong", { textContent: title }), shown,
    element("p", { textContent: `Allowed here: ${expected.text}.` }), placeWords(place), options(expected.options));
}

const more = (expected) => (expected.options.some((one) => one.kind !== "end") ? element("p", { className: "hint", textContent: `It could also go on: ${expected.text}.` }) : null);

function placeWords(place) {
  if (!place) return null;
  const parts = ["In the document at ", element("code", { textContent: place.document || "the root" })];
  if (place.schema !== null) parts.push(", in the schema at ", element("code", { textContent: place.schema || "the root" }));
  return element("p", { className: "hint" }, ...parts, ".");
}

function options(all) {
  if (all.length < 2) return null;
  const shown = all.slice(0, MAX_SHOWN_OPTIONS).map((one) => element("li", { textContent: one.text }));
  if (all.length > shown.length) shown.push(element("li", { textContent: `\u2026 and ${all.length - shown.length} more` }));
  return element("details", {}, element("summary", { textContent: "One by one" }), element("ul", {}, ...shown));
}
