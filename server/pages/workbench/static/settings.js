// What one sets up on the page: the grammar, the prompt, the sampling. It is what a link holds and requests are made of.
import { jsonError, partsOf } from "./json_places.js";

export const KINDS = {
  json_schema: { label: "JSON Schema", language: "json", hint: "" },
  regex: { label: "Regex", language: "regex", hint: "Of Python\u2019s re; the whole text must match." },
  ebnf: { label: "EBNF", language: "ebnf", hint: "A text begins at the rule root (GBNF, xgrammar), start (Lark) or the first rule (W3C)." },
  choice: { label: "Choices", language: "plain", hint: "One choice a line; or a JSON list, for choices with line ends." },
  structural_tag: { label: "Structural tag", language: "json", hint: "Free text with tags, whose contents have schemas or grammars." },
  all_of: { label: "All of", language: "json", hint: "A JSON list of grammars that all must hold." },
  none: { label: "No grammar", language: "plain", hint: "The model writes what it likes." },
};

export const SLIDERS = ["temperature", "top_k", "top_p", "min_p"];
export const NEUTRAL = { temperature: 1, top_k: 0, top_p: 1, min_p: 0 };
const OF_ONE_KIND = { dialect: "ebnf", flexible: "json_schema" };

export const DEFAULTS = {
  kind: "json_schema", source: "", dialect: "", flexible: false, mode: "chat", prompt: "", model: "",
  temperature: 0, top_k: 0, top_p: 1, min_p: 0, seed: 7, max_tokens: 300,
};

/** Settings in which everything is there and of the right type; what is not known is left out. */
export function completed(given) {
  const settings = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS)) if (typeof given?.[name] === typeof DEFAULTS[name]) settings[name] = given[name];
  if (!Object.hasOwn(KINDS, settings.kind)) settings.kind = DEFAULTS.kind;
  return settings;
}

/** The request's fields that give the grammar; {} without one. Throws an Error for what can't be sent. */
export function grammarFields(settings) {
  return { ...fieldsOfKind(settings), ...sourceFields(settings) };
}

function fieldsOfKind({ kind, source, dialect, flexible }) {
  switch (kind) {
    case "none": return {};
    case "json_schema": return { json_schema: source, ...(flexible ? { whitespace: "flexible" } : {}) };
    case "regex": return { regex: source };
    case "ebnf": return { ebnf: source, ...(dialect ? { dialect } : {}) };
    case "choice": return { choice: choices(source) };
    case "structural_tag": return { structural_tag: source };
    default: return { [kind]: parsed(source, "the list of grammars") };
  }
}

function choices(source) {
  if (source.trimStart().startsWith("[")) {
    const list = parsed(source, "the list of choices");
    if (Array.isArray(list) && list.every((one) => typeof one === "string")) return list;
    throw new Error("choices are texts: [\"yes\", \"no\"]");
  }
  return source.split("\n").filter((line) => line !== "");
}

/** The request's fields that give the prompt: {messages} or {prompt}. Throws an Error for messages that are none. */
export function promptFields({ mode, prompt }) {
  if (prompt.trim() === "") throw new Error("The prompt is empty: give it some text.");
  if (mode === "text") return { prompt };
  if (mode === "chat") return { messages: [{ role: "user", content: prompt }] };
  const messages = parsed(prompt, "the messages");
  if (!Array.isArray(messages)) throw new Error("Messages are a list: [{\"role\": \"user\", \"content\": \"\u2026\"}]");
  return { messages };
}

/** The request's `sources`: the prompt, by each name that the grammar takes quotes from; {} for a grammar without quotes. */
function sourceFields(settings) {
  const names = sourceNames(settings);
  if (!names.length) return {};
  const text = promptText(settings);
  return { sources: Object.fromEntries(names.map((name) => [name, text])) };
}

/** The text that is answered: of messages that of the last one. */
export function promptText({ mode, prompt }) {
  if (mode !== "messages") return prompt;
  try {
    const content = JSON.parse(prompt).at(-1).content;
    return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
  } catch {
    return prompt;
  }
}

function sourceNames({ kind, source }) {
  const named = (value) => (typeof value === "string" ? value : value?.source);
  const found = [];
  if (["json_schema", "structural_tag", "all_of"].includes(kind)) {
    try {
      JSON.parse(source, (key, value) => {
        if (key === "x-quote") found.push(named(value));
        else if (value?.type === "quote") found.push(value.source);
        return value;
      });
    } catch { /* the server says what is wrong with it */ }
  }
  if (kind === "ebnf") {
    for (const [, rule] of source.matchAll(/"x-quote"\s*:\s*("(?:[^"\\]|\\.)*"|\{[^{}]*\})/g)) {
      try {
        found.push(named(JSON.parse(rule)));
      } catch { /* the server says what is wrong with it */ }
    }
  }
  return [...new Set(found.filter((name) => typeof name === "string"))];
}

/**
 * From the pointers of a schema's parts to what the first `x-quote` there says, an object, or null where there is none.
 * Of grammars of other kinds that take quotes nobody tells which strings these are: all of them may be. null: without quotes.
 */
export function quoteRules(settings) {
  if (!sourceNames(settings).length) return null;
  if (settings.kind !== "json_schema") return () => ({});
  const schema = parsed(settings.source, "the schema");
  return (pointers) => {
    const rule = pointers.map((pointer) => partsOf(pointer).reduce((part, name) => part?.[name], schema)?.["x-quote"]).find(Boolean);
    return rule ? (typeof rule === "string" ? {} : rule) : null;
  };
}

/** The request's fields of sampling. */
export function samplingFields(settings) {
  return Object.fromEntries([...SLIDERS, "seed"].map((name) => [name, settings[name]]));
}

/** What is unwise about the sampling, in sentences. */
export function advice({ temperature, top_k, top_p, min_p }) {
  const isFiltered = top_k > 0 || top_p < 1 || min_p > 0;
  if (temperature === 0) {
    return isFiltered ? ["At temperature 0 the most probable token is always taken: filters do nothing."] : [];
  }
  const narrow = [["top-k", top_k > 0 && top_k <= 10], ["top-p", top_p <= 0.5], ["min-p", min_p >= 0.3], ["temperature", temperature <= 0.3]]
    .filter(([, is]) => is).map(([name]) => name);
  const found = [];
  if (narrow.length > 1) {
    found.push(`${narrow.join(" and ")} are all narrow: hardly any token is left, and texts repeat. Relax all but one.`);
  }
  if (temperature >= 1.5 && !isFiltered) {
    found.push("Nothing cuts off the unlikely tokens that this temperature lifts: add top-p 0.95 or min-p 0.05.");
  }
  return found;
}

function parsed(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    const { message, line, column } = jsonError(text);
    throw new Error(`${what}: ${message} (line ${line}, column ${column})`);
  }
}

/** The settings that differ from the defaults, as a text for a link's fragment. */
export async function toLink(settings) {
  const told = Object.fromEntries(Object.entries(settings).filter(([name, value]) =>
    value !== DEFAULTS[name] && (OF_ONE_KIND[name] ?? settings.kind) === settings.kind));
  const packed = new Blob([JSON.stringify(told)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The settings of such a text; null for one that is none. */
export async function fromLink(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return completed(JSON.parse(await new Response(unpacked).text()));
  } catch {
    return null;
  }
}
