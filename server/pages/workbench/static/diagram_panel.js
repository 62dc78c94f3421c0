// The tab with railroad diagrams: of a regex, of each rule of a grammar. The server says what they are made of.
import { post } from "./api.js";
import { byId, element } from "./dom.js";
import { grammarFields } from "./settings.js";
import { Choice, Comment, Diagram, NonTerminal, OneOrMore, Optional, Sequence, Skip, Stack, Terminal, ZeroOrMore } from "./vendor/railroad.js";

const MAX_SHOWN = 60; // rules
const WRAP_AT = 8; // parts of a sequence in one line
const HAS_NONE = { json_schema: "JSON Schemas have no rules to draw; choose a regex, an EBNF grammar or a structural tag. What the schema allows stands under Test.",
  all_of: "Combinations have no rules to draw.", none: "There is no grammar." };

/** Whether there is something to draw of a grammar of this kind. */
export const hasDiagram = ({ kind }) => !Object.hasOwn(HAS_NONE, kind);

export class DiagramPanel {
  constructor(settings) {
    this._settings = settings;
    this._turn = 0;
  }

  /** Show the diagrams of the grammar as it is now. */
  async show() {
    const turn = ++this._turn;
    const said = byId("diagram-status");
    said.className = "status";
    const none = HAS_NONE[this._settings.kind];
    let result = none ? { failure: { message: none } } : null;
    try {
      result ??= await post("v1/grammar/diagram", { ...grammarFields(this._settings), ...(this._settings.model ? { model: this._settings.model } : {}) });
    } catch (error) {
      result = { failure: { message: error.message } };
    }
    if (turn !== this._turn) return;
    if (!none && result.failure) said.className = "status bad";
    const names = Object.keys(result.answer?.rules ?? {});
    said.textContent = result.failure?.message ?? (names.length > MAX_SHOWN ? `The first ${MAX_SHOWN} of ${names.length} rules.` : "");
    byId("diagrams").replaceChildren(...names.slice(0, MAX_SHOWN).map((name) => figure(name, result.answer, names.length)));
  }
}

function figure(name, { start, rules }, numRules) {
  const isStart = name === start && numRules > 1;
  const title = element("h3", { id: `rule-${name}`, textContent: isStart ? `${name} (a text begins here)` : name });
  const drawn = new Diagram(itemOf(rules[name])).format(10).toSVG();
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", `${name}: ${words(rules[name])}`);
  return element("figure", { tabIndex: 0, "aria-label": `Diagram of ${name}` }, title, drawn);
}

/** A part of a grammar as an item of a diagram. */
function itemOf(part) {
  switch (part.kind) {
    case "text": return new Terminal(shown(part.text));
    case "characters": return new NonTerminal(part.text);
    case "rule": return new NonTerminal(part.name);
    case "note": return new Comment(part.text);
    case "choice": return choice(part.parts);
    case "repeat": return repeat(part);
    default: return sequence(part.parts);
  }
}

function sequence(parts) {
  const items = parts.map(itemOf);
  if (items.length === 0) return new Skip();
  if (items.length <= WRAP_AT) return new Sequence(...items);
  const lines = [];
  for (let from = 0; from < items.length; from += WRAP_AT) lines.push(new Sequence(...items.slice(from, from + WRAP_AT)));
  return new Stack(...lines);
}

function choice(parts) {
  const isEmpty = (part) => part.kind === "sequence" && part.parts.length === 0;
  const others = parts.filter((part) => !isEmpty(part));
  const item = others.length === 1 ? itemOf(others[0]) : new Choice(0, ...others.map(itemOf));
  return others.length < parts.length ? new Optional(item) : item;
}

function repeat({ part, low, high }) {
  const item = itemOf(part);
  if (low === 0 && high === 1) return new Optional(item);
  if (low === 0 && high === null) return new ZeroOrMore(item);
  if (low === 1 && high === null) return new OneOrMore(item);
  const times = high === null ? `at least ${low} times` : low === high ? `${low} times` : `${low} to ${high} times`;
  const loop = new OneOrMore(item, new Comment(times));
  return low === 0 ? new Optional(loop) : loop;
}

const shown = (text) => `"${text.replaceAll("\n", "\u21b5").replaceAll("\t", "\u21e5")}"`;

/** A part in words, for those who don't see it. */
function words(part) {
  switch (part.kind) {
    case "text": return shown(part.text);
    case "characters": case "note": return part.text;
    case "rule": return part.name;
    case "choice": return `one of ${part.parts.map(words).join(", or ")}`;
    case "repeat": return `${part.low} to ${part.high ?? "any number of"} times ${words(part.part)}`;
    default: return part.parts.length ? part.parts.map(words).join(", then ") : "nothing";
  }
}
