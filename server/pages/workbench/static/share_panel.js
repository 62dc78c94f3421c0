// The tab with a link to all that is set up, and the same request as programs would send it.
import { byId, copy } from "./dom.js";
import { grammarFields, promptFields, samplingFields, toLink } from "./settings.js";

/** Returns what shows the settings as they are. */
export function setUpShare(settings) {
  const show = async () => {
    byId("copied").textContent = "";
    byId("link").value = `${location.origin}${location.pathname}#w=${await toLink(settings)}`;
    byId("program-text").textContent = programOf(byId("program").value, settings);
  };
  byId("program").onchange = show;
  byId("copy-link").onclick = () => copy(byId("link").value, byId("copied"));
  byId("copy-program").onclick = () => copy(byId("program-text").textContent, byId("copied"));
  byId("link").onfocus = () => byId("link").select();
  return show;
}

function programOf(name, settings) {
  let fields;
  try {
    fields = { model: settings.model, ...promptFields(settings), ...samplingFields(settings), max_tokens: settings.max_tokens, ...grammarFields(settings) };
  } catch (error) {
    return `# ${error.message}`;
  }
  if (settings.kind === "json_schema") fields.json_schema = schemaOf(fields.json_schema);
  const write = { curl, openai, python }[name];
  return write(fields, settings);
}

function schemaOf(source) {
  try {
    return JSON.parse(source);
  } catch {
    return source; // the server says what is wrong with it
  }
}

const pathOf = (fields) => (fields.messages ? "/v1/chat/completions" : "/v1/completions");
const baseUrl = () => new URL(".", location.href).href.replace(/\/$/, "");
const keyLine = () => (byId("key").value ? " \\\n  -H 'Authorization: Bearer YOUR_KEY'" : "");

function curl(fields) {
  const body = JSON.stringify(fields, null, 2).replaceAll("'", "'\\''");
  return `curl -s ${baseUrl()}${pathOf(fields)} -H 'Content-Type: application/json'${keyLine()} -d '${body}'\n`;
}

const OPENAI_FIELDS = new Set(["model", "messages", "prompt", "temperature", "top_p", "seed", "max_tokens"]);

function openai(fields) {
  const isChat = fields.messages !== undefined;
  const entries = Object.entries(fields);
  const own = entries.filter(([name]) => OPENAI_FIELDS.has(name)).map(([name, value]) => `    ${name}=${python_(value, 4)},\n`);
  const extra = Object.fromEntries(entries.filter(([name]) => !OPENAI_FIELDS.has(name)));
  const call = isChat ? "chat.completions" : "completions";
  const text = isChat ? "answer.choices[0].message.content" : "answer.choices[0].text";
  return `from openai import OpenAI\n\nclient = OpenAI(base_url="${baseUrl()}/v1", api_key="${byId("key").value ? "YOUR_KEY" : "none"}")\n` +
    `answer = client.${call}.create(\n${own.join("")}    extra_body=${python_(extra, 4)},\n)\nprint(${text})\n`;
}

function python(fields, settings) {
  const { model, messages, prompt, max_tokens: most, ...others } = fields;
  const params = { ...others, max_new_tokens: most };
  const lines = Object.entries(params).map(([name, value]) => `    ${name}=${python_(value, 4)},\n`);
  const given = settings.mode === "text" ? python_(prompt, 0) : python_(messages, 0);
  const call = settings.mode === "text" ? "generate" : "chat";
  return `import guided\n\nllm = guided.LLM()${model === "embedded" ? "" : `  # give the model's folder or hub name: here it is served as ${model}`}\n` +
    `params = guided.SamplingParams(\n${lines.join("")})\nprint(llm.${call}(${given}, params).text)\n`;
}

/** A JSON value as Python writes it. */
function python_(value, indent) {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return pythonText(value);
  if (typeof value !== "object") return String(value);
  const pad = " ".repeat(indent + 4);
  const isList = Array.isArray(value);
  const parts = isList ? value.map((one) => python_(one, indent + 4)) : Object.entries(value).map(([key, one]) => `${pythonText(key)}: ${python_(one, indent + 4)}`);
  const [open, close] = isList ? "[]" : "{}";
  const flat = `${open}${parts.join(", ")}${close}`;
  if (flat.length + indent < 100 && !flat.includes("\n")) return flat;
  return `${open}\n${parts.map((part) => `${pad}${part},\n`).join("")}${" ".repeat(indent)}${close}`;
}

/** A text as a literal of Python; JSON's escapes are Python's, but for surrogate pairs, which stay as they are. */
const pythonText = (text) => JSON.stringify(text);
