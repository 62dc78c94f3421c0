"use strict";
/* Nothing that a text or a model says is ever HTML: all of it gets onto the page as text nodes. */
const byId = (id) => document.getElementById(id);
const FIELDS = JSON.parse(byId("fields").textContent);
const ENTRIES = byId("entries").textContent.split("\n").filter((line) => line).map((line) => JSON.parse(line));
const BLOCK_CHARS = 4000;
const MAX_MARKS = 20000; // of one text: more would make the page slow
const ROWS_AT_ONCE = 300; // of the overview
const OVERVIEW = -1; // in place of a text's place
/* Percent below which a value is unsure, at first. Calibrated: below 50, a value is more probably wrong than right; nulls
   and values of two fields never reach 80 with the weights of smollm2-extract. */
const UNSURE_BELOW = ENTRIES.some((entry) => Object.values(entry.values).some((value) => value.calibrated)) ? 50 : 80;
const FOLDER = commonFolder(ENTRIES.map((entry) => entry.name));
const state = { shown: [], at: OVERVIEW, pointer: null, field: "", threshold: UNSURE_BELOW / 100 };

/* What all names begin with, up to a folder's end; nothing for a single one. */
function commonFolder(names) {
  if (names.length < 2) return "";
  let folder = names[0].slice(0, names[0].lastIndexOf("/") + 1);
  for (const name of names) while (!name.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder;
}

function make(tag, options = {}, ...children) {
  const { className, hue, ...rest } = options;
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (hue !== undefined) node.style.setProperty("--hue", hue);
  for (const [name, value] of Object.entries(rest)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const percent = (share) => (share > 0.995 && share < 1 ? ">99 %" : `${Math.round(share * 100)} %`);
const isUnsure = (value) => value.c !== null && value.c < state.threshold && value.leaf;
const pairs = (entry) => Object.entries(entry.values);
const field = (value) => FIELDS[value.f];
const label = (pointer) => (pointer === "" ? "the document" : pointer.slice(1).replaceAll("/*", "").replaceAll("/", " › ").replaceAll("~1", "/").replaceAll("~0", "~"));
const shownValue = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const inField = (value) => state.field === "" || field(value).name === state.field;
const ownName = (entry) => entry.name.slice(FOLDER.length);
const shortName = (name) => (name.length > 30 ? `…${name.slice(-29)}` : name); // the end of a path tells more
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/* ---- which texts ---- */

function isWrong(entry) {
  return entry.error !== null && !entry.cut;
}

const WANTED = {
  all: () => true,
  unsure: (entry) => pairs(entry).some(([, value]) => inField(value) && isUnsure(value)),
  conflict: (entry) => pairs(entry).some(([, value]) => inField(value) && value.k),
  error: isWrong,
  cut: (entry) => entry.cut,
  unplaced: (entry) => pairs(entry).some(([, value]) => inField(value) && value.leaf && !value.s && value.named),
};

function matches(entry, words) {
  if (!words) return true;
  entry.searched ??= `${entry.name}\n${entry.text}\n${JSON.stringify(entry.data)}`.toLowerCase();
  return entry.searched.includes(words);
}

function refresh() {
  const words = byId("search").value.trim().toLowerCase();
  const kept = ENTRIES[state.shown[state.at]];
  const wanted = WANTED[byId("show").value];
  state.shown = ENTRIES.map((_, index) => index).filter((index) => wanted(ENTRIES[index]) && matches(ENTRIES[index], words));
  byId("none").hidden = state.shown.length > 0;
  byId("list").replaceChildren(...state.shown.map(listItem));
  if (state.at === OVERVIEW && ENTRIES.length > 1) showOverview();
  else open(Math.max(0, state.shown.findIndex((index) => ENTRIES[index] === kept)));
}

function listItem(index, place) {
  const entry = ENTRIES[index];
  const numUnsure = pairs(entry).filter(([, value]) => isUnsure(value)).length;
  const notes = [];
  if (isWrong(entry)) notes.push(make("span", { className: "bad" }, "error"));
  if (entry.cut) notes.push(make("span", { className: "bad" }, "cut"));
  if (numUnsure) notes.push(make("span", { className: "unsure" }, `${numUnsure} unsure`));
  const numConflicts = pairs(entry).filter(([, value]) => value.k).length;
  if (numConflicts) notes.push(make("span", {}, plural(numConflicts, "conflict")));
  const button = make("button", { type: "button", title: entry.name }, make("b", {}, shortName(ownName(entry))));
  notes.forEach((note, number) => button.append(...(number ? [make("span", {}, " · ")] : []), note));
  button.addEventListener("click", () => open(place));
  return make("li", {}, button);
}

/* ---- all texts: what was found of each field ---- */

function showOverview() {
  leave(OVERVIEW);
  byId("overview-button").setAttribute("aria-current", "true");
  const entries = state.shown.map((index) => ENTRIES[index]);
  const columns = FIELDS.flatMap((one, number) => (one.leaf && (state.field === "" || one.name === state.field) ? [number] : []));
  const found = entries.map((entry) => cellsOf(entry));
  byId("columns").replaceChildren(make("th"), ...columns.map((number) => make("th", { scope: "col" }, label(FIELDS[number].name))));
  byId("totals").replaceChildren(make("th", { scope: "row" }, "found in"), ...columns.map((number) => make("th", {}, total(found, number))));
  byId("rows").replaceChildren();
  const add = () => {
    const from = byId("rows").children.length;
    byId("rows").append(...entries.slice(from, from + ROWS_AT_ONCE).map((entry, place) => overviewRow(entry, from + place, columns, found[from + place])));
    const left = entries.length - byId("rows").children.length;
    byId("more").hidden = left === 0;
    byId("more").textContent = `${plural(Math.min(left, ROWS_AT_ONCE), "more text")} of ${left.toLocaleString("en")}`;
  };
  byId("more").onclick = add;
  add();
}

/* Number of a field -> what is to be said of an entry's values of it. */
function cellsOf(entry) {
  const cells = new Map();
  for (const [pointer, value] of pairs(entry)) {
    if (!value.leaf) continue;
    const cell = cells.get(value.f) ?? { pointer, numFound: 0, kind: "blank", sign: "–" };
    const data = valueAt(entry.data, pointer);
    cell.numFound += data !== null;
    const told = value.k ? ["wrong", "≠"] : value.named && !value.s ? ["wrong", "!"] : isUnsure(value) ? ["doubt", "?"] : data !== null ? ["dot", "●"] : ["blank", "–"];
    if (KINDS.indexOf(told[0]) > KINDS.indexOf(cell.kind)) Object.assign(cell, { pointer, kind: told[0], sign: told[1] });
    cells.set(value.f, cell);
  }
  return cells;
}

const KINDS = ["blank", "dot", "doubt", "wrong"]; // the one that is told stands behind the others

function valueAt(data, pointer) {
  return pointer.split("/").slice(1).reduce((part, key) => part[key.replaceAll("~1", "/").replaceAll("~0", "~")], data);
}

function total(found, number) {
  const having = found.filter((cells) => cells.has(number));
  return `${having.filter((cells) => cells.get(number).numFound > 0).length}/${having.length}`;
}

function overviewRow(entry, place, columns, cells) {
  const name = make("th", { scope: "row", title: entry.name, tabindex: "0" }, shortName(ownName(entry)));
  name.addEventListener("click", () => open(place));
  name.addEventListener("keydown", (event) => { if (event.key === "Enter") open(place); });
  if (isWrong(entry)) return make("tr", {}, name, make("td", { className: "wrong", colspan: String(columns.length) }, "error"));
  return make("tr", {}, name, ...columns.map((number) => overviewCell(entry, place, number, cells.get(number))));
}

function overviewCell(entry, place, number, cell) {
  if (!cell) return make("td");
  const many = cell.numFound > 1 ? ` ${cell.numFound}` : "";
  const told = make("span", { className: cell.kind, hue: FIELDS[number].hue }, cell.sign);
  const title = `${label(FIELDS[number].name)}: ${shownValue(valueAt(entry.data, cell.pointer))}`;
  const node = make("td", { "data-cell": cell.pointer, title }, told, many);
  node.addEventListener("click", () => { open(place); select(cell.pointer, "#text", "#object"); });
  return node;
}

/* ---- one text ---- */

/* What is shown makes place for a text, or for the overview. */
function leave(place) {
  hideTip();
  state.at = place;
  state.pointer = null;
  for (const one of document.querySelectorAll('nav [aria-current="true"]')) one.removeAttribute("aria-current");
  byId("overview").hidden = place !== OVERVIEW;
  byId("reading").hidden = place === OVERVIEW;
}

function open(place) {
  leave(place);
  const entry = ENTRIES[state.shown[place]];
  byId("reading").style.visibility = entry ? "" : "hidden";
  if (!entry) return;
  const button = byId("list").children[place].firstChild;
  button.setAttribute("aria-current", "true");
  button.scrollIntoView({ block: "nearest" });
  byId("name").textContent = ownName(entry);
  byId("name").title = entry.name;
  byId("place").textContent = `${place + 1} of ${state.shown.length}`;
  byId("error").hidden = entry.error === null;
  byId("error").textContent = entry.error ?? "";
  byId("text").replaceChildren(...blocks(entry));
  byId("object").replaceChildren(entry.data === null && entry.error !== null ? make("p", { className: "empty" }, "no object") : shownObject(entry, entry.data, ""));
  byId("text").scrollTop = byId("object").scrollTop = 0;
}

/* The text in blocks, which the browser lays out when they come into view. */
function blocks(entry) {
  const spans = [];
  for (const [pointer, value] of pairs(entry)) {
    if (!value.s) continue;
    spans.push({ start: value.s[0], end: value.s[1], pointer, value, isOther: false });
    for (const [start, end] of value.o ?? []) spans.push({ start, end, pointer, value, isOther: true });
  }
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const marks = flat(spans.slice(0, MAX_MARKS));
  const ends = blockEnds(entry.text);
  const found = [make("div")];
  const add = (start, end, top) => {
    while (start < end) {
      const stop = Math.min(end, ends[found.length - 1]);
      found.at(-1).append(top ? marked(entry, { start, end: stop, top }) : entry.text.slice(start, stop));
      if (stop === ends[found.length - 1] && stop < entry.text.length) found.push(make("div"));
      start = stop;
    }
  };
  let at = 0;
  for (const { start, end, top } of marks) {
    add(at, start, null);
    add(start, end, top);
    at = end;
  }
  add(at, entry.text.length, null);
  return found;
}

/* Where blocks end: at the first end of a line after BLOCK_CHARS. */
function blockEnds(text) {
  const ends = [];
  for (let at = 0; at < text.length; ) {
    const line = text.indexOf("\n", at + BLOCK_CHARS);
    at = line < 0 ? text.length : line + 1;
    ends.push(at);
  }
  return ends;
}

/* Quotes that overlap, as stretches that do not: each has the shortest quote on top. */
function flat(spans) {
  const places = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
  const found = [];
  let next = 0;
  let open = [];
  for (let number = 0; number + 1 < places.length; number++) {
    const [start, end] = [places[number], places[number + 1]];
    open = open.filter((span) => span.end > start);
    while (next < spans.length && spans[next].start <= start) open.push(spans[next++]);
    if (!open.length) continue;
    const rank = (span) => [span.isOther, !inField(span.value), span.end - span.start];
    const [top] = [...open].sort((one, other) => {
      const [first, second] = [rank(one), rank(other)];
      return first[0] - second[0] || first[1] - second[1] || first[2] - second[2];
    });
    const last = found.at(-1);
    if (last && last.end === start && last.top === top) last.end = end;
    else found.push({ start, end, top });
  }
  return found;
}

function marked(entry, { start, end, top }) {
  const kind = [top.isOther ? "other" : top.value.q ? "" : "found", inField(top.value) ? "" : "faded"].join(" ").trim();
  const node = make("mark", { className: kind, hue: field(top.value).hue, "data-pointer": top.pointer }, entry.text.slice(start, end));
  follow(node, entry, top.pointer);
  return node;
}

function shownObject(entry, data, pointer) {
  if (Array.isArray(data)) {
    if (!data.length) return make("span", { className: "empty" }, "none");
    return data.every((one) => one !== null && typeof one === "object" && !Array.isArray(one)) ? asGrid(entry, data, pointer) : asList(entry, data, pointer);
  }
  if (data !== null && typeof data === "object") {
    const rows = Object.entries(data).map(([key, value]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, shownObject(entry, value, `${pointer}/${escaped(key)}`))));
    return make("table", { className: "record" }, make("tbody", {}, ...rows));
  }
  return asValue(entry, data, pointer);
}

const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

function asList(entry, data, pointer) {
  const rows = data.map((one, number) => make("tr", {}, make("td", {}, shownObject(entry, one, `${pointer}/${number}`))));
  return make("table", { className: "record" }, make("tbody", {}, ...rows));
}

function asGrid(entry, data, pointer) {
  const keys = [...new Set(data.flatMap((one) => Object.keys(one)))];
  const head = make("tr", {}, ...keys.map((key) => make("th", { scope: "col" }, key)));
  const rows = data.map((one, number) =>
    make("tr", {}, ...keys.map((key) => make("td", {}, ...(key in one ? [shownObject(entry, one[key], `${pointer}/${number}/${escaped(key)}`)] : [])))),
  );
  return make("table", { className: "grid" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

function asValue(entry, data, pointer) {
  const value = entry.values[pointer];
  const node = make("button", { type: "button", className: "value", hue: field(value).hue, "data-pointer": pointer }, make("span", {}, data === "" ? "(empty)" : shownValue(data)));
  node.classList.toggle("null", data === null);
  node.classList.toggle("unsure", isUnsure(value));
  node.classList.toggle("faded", !inField(value));
  if (value.c !== null) node.append(make("span", { className: "sure" }, `${isUnsure(value) ? "? " : ""}${percent(value.c)}`));
  if (value.k) node.append(make("span", { className: "tag" }, plural(value.k.length, "conflict")));
  if (value.named && !value.s) node.append(make("span", { className: "tag" }, "not in the text"));
  follow(node, entry, pointer);
  return node;
}

/* ---- pointing at a value ---- */

function follow(node, entry, pointer) {
  node.addEventListener("mouseenter", () => { light(pointer); showTip(node, entry, pointer); });
  node.addEventListener("mouseleave", () => { light(state.pointer); hideTip(); });
  node.addEventListener("focus", () => { light(pointer); showTip(node, entry, pointer); });
  node.addEventListener("blur", hideTip);
  node.addEventListener("click", () => select(pointer, node.tagName === "MARK" ? "#object" : "#text"));
}

function nodesOf(pointer, where = "main") {
  return [...document.querySelectorAll(`${where} [data-pointer]`)].filter((node) => node.dataset.pointer === pointer);
}

function light(pointer) {
  for (const node of document.querySelectorAll(".here")) node.classList.remove("here");
  for (const node of pointer === null ? [] : nodesOf(pointer)) node.classList.add("here");
}

function select(pointer, ...scrolled) {
  state.pointer = pointer;
  light(pointer);
  for (const where of scrolled) {
    const nodes = nodesOf(pointer, where);
    (nodes.find((node) => !node.classList.contains("other")) ?? nodes[0])?.scrollIntoView({ block: "nearest" });
  }
}

function step(by, isWanted = () => true) {
  if (state.at === OVERVIEW) open(0);
  const entry = ENTRIES[state.shown[state.at]];
  if (!entry) return;
  const all = [...byId("object").querySelectorAll(".value")].map((node) => node.dataset.pointer);
  const wanted = all.filter((pointer) => inField(entry.values[pointer]) && isWanted(entry.values[pointer]));
  const from = all.indexOf(state.pointer);
  const next = by > 0 ? wanted.find((pointer) => all.indexOf(pointer) > from) : wanted.findLast((pointer) => all.indexOf(pointer) < (from < 0 ? all.length : from));
  if (next !== undefined) {
    select(next, "#text", "#object");
    const [node] = nodesOf(next, "#object");
    showTip(node, entry, next);
  } else if (state.at + by >= 0 && state.at + by < state.shown.length && (isWanted === isUnsure || wanted.length === 0 || from >= 0)) {
    open(state.at + by);
    if (isWanted === isUnsure || by > 0) step(by, isWanted);
  }
}

function showTip(node, entry, pointer) {
  const value = entry.values[pointer];
  const rows = [];
  const row = (name, ...shown) => rows.push(make("dt", {}, name), make("dd", {}, ...shown));
  const meter = (share) => {
    const inner = make("i");
    inner.style.width = `${share * 100}%`;
    return make("span", { className: "meter" }, inner);
  };
  if (value.c !== null) row("confidence", meter(value.c), percent(value.c));
  if (value.w !== null && value.w !== undefined) row("as written", percent(value.w));
  if (value.m) row("ruled out", `${percent(value.m)} by the schema`);
  for (const [text, share] of value.a ?? []) row("or else", `${text}… ${percent(share)}`);
  for (const [other, share] of value.k ?? []) row("another piece", `${shownValue(other)}${share === null ? "" : ` ${percent(share)}`}`);
  const places = value.s ? 1 + (value.o?.length ?? 0) : 0;
  if (places) row(value.q ? "quote" : "found", places === 1 ? "in one place" : `in ${places} places, most likely read here`);
  else if (value.named) row("place", "does not stand in the text");
  byId("tip").replaceChildren(make("b", {}, label(pointer)), make("dl", {}, ...rows));
  byId("tip").hidden = false;
  const box = node.getBoundingClientRect();
  const size = byId("tip").getBoundingClientRect();
  const top = box.bottom + size.height + 10 < innerHeight ? box.bottom + 6 : Math.max(6, box.top - size.height - 6);
  byId("tip").style.left = `${Math.max(8, Math.min(box.left, innerWidth - size.width - 8))}px`;
  byId("tip").style.top = `${top}px`;
}

function hideTip() {
  byId("tip").hidden = true;
}

/* ---- the page ---- */

function setField(name) {
  state.field = name;
  byId("field").value = name;
  for (const chip of document.querySelectorAll(".chip")) chip.setAttribute("aria-pressed", String(chip.dataset.name === name));
  refresh();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function nextTheme() {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

function toggleHelp(isShown = byId("help").hidden) {
  byId("help").hidden = !isShown;
  byId("keys").setAttribute("aria-expanded", String(isShown));
}

const KEYS = {
  o: () => { if (ENTRIES.length > 1) showOverview(); },
  j: () => open(Math.min(state.at + 1, state.shown.length - 1)),
  k: () => open(Math.max(state.at - 1, 0)),
  n: () => step(1),
  p: () => step(-1),
  u: () => step(1, isUnsure),
  t: nextTheme,
  "/": () => byId("search").focus(),
  "?": () => toggleHelp(),
};

function start() {
  for (const one of FIELDS) {
    if (!one.leaf) continue;
    byId("field").append(make("option", { value: one.name }, label(one.name)));
    const chip = make("button", { type: "button", className: "chip", hue: one.hue, "data-name": one.name, "aria-pressed": "false" }, label(one.name));
    chip.addEventListener("click", () => setField(state.field === one.name ? "" : one.name));
    byId("legend").append(make("li", {}, chip));
  }
  const numErrors = ENTRIES.filter(isWrong).length;
  const numCut = ENTRIES.filter((entry) => entry.cut).length;
  const counts = [plural(ENTRIES.length, "text"), ...(numErrors ? [plural(numErrors, "error")] : []), ...(numCut ? [`${numCut} cut`] : [])];
  byId("summary").textContent = counts.join(", ") + (FOLDER ? ` in ${FOLDER}` : "");
  byId("overview-button").hidden = ENTRIES.length < 2;
  byId("overview-button").addEventListener("click", KEYS.o);
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  let waiting = 0;
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(refresh, 120); };
  byId("search").addEventListener("input", soon);
  byId("show").addEventListener("change", refresh);
  byId("field").addEventListener("change", (event) => setField(event.target.value));
  byId("threshold").addEventListener("input", (event) => { setThreshold(event.target.value); soon(); });
  byId("theme").addEventListener("click", nextTheme);
  byId("keys").addEventListener("click", () => toggleHelp());
  byId("previous").addEventListener("click", KEYS.k);
  byId("next").addEventListener("click", KEYS.j);
  document.addEventListener("keydown", onKey);
  byId("threshold").value = UNSURE_BELOW;
  setThreshold(UNSURE_BELOW);
  refresh();
}

function setThreshold(value) {
  state.threshold = value / 100;
  byId("threshold-value").textContent = `${value} %`;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    hideTip();
    toggleHelp(false);
    document.activeElement.blur();
  } else if (event.target instanceof Element && event.target.matches("input[type=search], select")) {
    return;
  } else if (event.key in KEYS) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

start();
