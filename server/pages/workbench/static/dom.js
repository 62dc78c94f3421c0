// Small helpers for the page's elements. Texts become text nodes and nothing else.

/** The element of that id. */
export const byId = (id) => document.getElementById(id);

/** A new element. properties: of the object; those with a dash are attributes. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((one) => one !== null && one !== undefined));
  return made;
}

/** A function that runs once nobody has asked for it for a while. */
export function debounced(ms, action) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), ms);
  };
}

/** A token's text with what can't be seen made visible. */
export function visible(text) {
  if (text === "") return "(no text)";
  return text.replaceAll(" ", "\u2423").replaceAll("\n", "\u21b5").replaceAll("\t", "\u21e5").replaceAll("\r", "\u240d");
}

/** A text in quotes, cut to a readable length. */
export function quoted(text, most = 40) {
  const shown = [...visible(text)];
  return `\u201c${shown.length > most ? `${shown.slice(0, most).join("")}\u2026` : shown.join("")}\u201d`;
}

/** A probability as a percentage: 97 %, 3.1 %, 0.02 %. */
export function percent(share) {
  if (share === null || share === undefined) return "";
  const of = 100 * share;
  if (of >= 99.95 || of === 0) return `${of.toFixed(0)} %`;
  if (of >= 10) return `${of.toFixed(of > 99 ? 1 : 0)} %`;
  if (of >= 0.01) return `${of.toFixed(of >= 1 ? 1 : 2)} %`;
  return "<0.01 %";
}

/** How many of something, in words: "1 token", "1,234 tokens". */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** Copy a text; says in `said` whether that worked. */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = "Copied.";
  } catch (error) {
    said.textContent = `The browser does not let the page copy (${error.message}); select the text and copy it yourself.`;
  }
}
