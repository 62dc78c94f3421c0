// The cards of the prompt and of sampling.
import { byId, element } from "./dom.js";
import { NEUTRAL, SLIDERS, advice, promptFields } from "./settings.js";

const OFF = { temperature: [0, "0 (greedy)"], top_k: [0, "0 (off)"], top_p: [1, "1 (off)"], min_p: [0, "0 (off)"] };

/** The prompt's card; returns what shows the settings as they are. */
export function setUpPrompt(settings, onChange) {
  const changed = () => {
    Object.assign(settings, { prompt: byId("prompt").value, mode: byId("mode").value });
    showError(settings);
    onChange();
  };
  byId("prompt").oninput = changed;
  byId("mode").onchange = changed;
  return () => {
    byId("prompt").value = settings.prompt;
    byId("mode").value = settings.mode;
    showError(settings);
  };
}

function showError(settings) {
  try {
    promptFields(settings);
    byId("prompt-error").textContent = "";
  } catch (error) {
    byId("prompt-error").textContent = settings.prompt === "" ? "" : error.message;
  }
}

/** The card of sampling; returns what shows the settings as they are. */
export function setUpSampling(settings, presets, onChange) {
  const show = () => {
    for (const name of [...SLIDERS, "seed", "max_tokens"]) byId(name).value = String(settings[name]);
    for (const name of SLIDERS) {
      document.querySelector(`output[for="${name}"]`).textContent = settings[name] === OFF[name][0] ? OFF[name][1] : String(settings[name]);
    }
    byId("advice").replaceChildren(...advice(settings).map((text) => element("p", { textContent: text })));
  };
  for (const name of SLIDERS) {
    byId(name).oninput = () => { settings[name] = Number(byId(name).value); show(); onChange(); };
  }
  for (const name of ["seed", "max_tokens"]) {
    byId(name).oninput = () => {
      const value = Number(byId(name).value);
      if (byId(name).validity.valid && byId(name).value !== "") { settings[name] = value; onChange(); }
    };
  }
  byId("presets").append(...Object.entries(presets).map(([name, fields]) => {
    const button = element("button", { type: "button", textContent: name });
    button.onclick = () => { Object.assign(settings, NEUTRAL, fields); show(); onChange(); };
    return button;
  }));
  return show;
}
