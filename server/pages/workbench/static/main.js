// Puts the page's parts together.
import { get } from "./api.js";
import { byId, debounced, element } from "./dom.js";
import { GrammarPanel } from "./grammar_panel.js";
import { setUpQuiz } from "./quiz.js";
import { completed, fromLink } from "./settings.js";
import { setUpPrompt, setUpSampling } from "./setup_panels.js";
import { setUpShare } from "./share_panel.js";
import { setUpTabs } from "./tabs.js";
import { TestPanel } from "./test_panel.js";
import { WatchPanel } from "./watch_panel.js";

const LOADED_AGAIN_MS = 1000; // between two questions whether the model is loaded

const { answer: data, failure } = await get("workbench/data.json");
if (failure) throw new Error(failure.message);

const settings = completed({});
const watch = new WatchPanel(settings, {
  onPlace: (place) => grammar.light(placeInGrammar(place)),
  onSeed: (seed) => { settings.seed = seed; showSampling(); share(); },
});
const setUpChanged = () => { watch.setUpChanged(); share(); };
const grammarChanged = () => { watch.grammarChecked(false); test.clear(); setUpChanged(); };
const grammar = new GrammarPanel(settings, data, { onChange: grammarChanged, onChecked });
const showPrompt = setUpPrompt(settings, setUpChanged);
const showSampling = setUpSampling(settings, data.presets, () => { watch.samplingChanged(); share(); });
const showShare = setUpShare(settings);
const test = new TestPanel(settings);
const share = debounced(150, () => { if (!byId("panel-share").hidden) showShare(); });
const showTab = setUpTabs((name) => { if (name === "share") showShare(); });
setUpQuiz();

/** The server has said what it thinks of the grammar. */
function onChecked({ failure: refusal }) {
  watch.grammarChecked(!refusal);
}

/** The chosen model, the first one where it is not served here. */
function showModel() {
  const names = [...byId("model").options].map((one) => one.value);
  if (!names.includes(settings.model)) settings.model = names[0] ?? "";
  byId("model").value = settings.model;
}

/** Show other settings in all of the page. */
function show(given) {
  Object.assign(settings, completed(given));
  showModel();
  grammarChanged();
  showPrompt();
  showSampling();
  grammar.show();
  share();
}

function placeInGrammar(place) {
  return place?.schema ? { pointer: place.schema } : null; // the whole schema is no place
}

function setUpExamples() {
  const groups = Map.groupBy(data.examples, (one) => one.group);
  for (const [label, examples] of groups) {
    byId("example").append(element("optgroup", { label }, ...examples.map((one) =>
      element("option", { value: one.name, textContent: one.name, title: one.about }))));
  }
  byId("example").onchange = () => {
    const chosen = data.examples.find((one) => one.name === byId("example").value);
    if (chosen) show({ ...chosen.settings, model: settings.model });
  };
}

async function setUpModels() {
  const { answer, failure: refusal } = await get("v1/models");
  if (refusal?.code === "model_not_loaded") {
    setTimeout(async () => {
      await setUpModels();
      if (settings.model) grammar.show();
    }, LOADED_AGAIN_MS);
  }
  const names = answer?.data.map((one) => one.id) ?? [];
  byId("model").replaceChildren(...names.map((name) => element("option", { value: name, textContent: name })));
  byId("model-field").hidden = names.length === 0;
  byId("model").hidden = names.length < 2; // one needs no choice
  byId("model-name").textContent = names.length < 2 ? names.join() : "";
  byId("model-about").hidden = !names.includes("embedded");
  showModel();
  byId("model").onchange = () => { settings.model = byId("model").value; setUpChanged(); };
}

async function showFragment() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const linked = fragment.has("w") ? await fromLink(fragment.get("w")) : null;
  const first = data.examples[0];
  show(linked ?? { ...first.settings, model: settings.model });
  if (!linked) byId("example").value = first.name;
  if (fragment.has("tab")) showTab(fragment.get("tab"));
}

byId("key").onchange = () => { setUpModels(); grammar.show(); };
setUpExamples();
await setUpModels();
await showFragment();
addEventListener("hashchange", showFragment);
document.body.dataset.isReady = "yes"; // for tests
