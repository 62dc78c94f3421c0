// The tabs: with the mouse, or with the arrow keys as ARIA's practices have it.
import { byId } from "./dom.js";

/** Set the tabs up. onShow: called with the name of the one that is shown. Returns what shows one by its name. */
export function setUpTabs(onShow) {
  const tabs = [...byId("tabs").querySelectorAll("[role=tab]")];
  const show = (chosen) => {
    for (const tab of tabs) {
      const isIt = tab === chosen;
      tab.setAttribute("aria-selected", String(isIt));
      tab.tabIndex = isIt ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !isIt;
    }
    onShow(chosen.id.replace("tab-", ""));
  };
  for (const tab of tabs) tab.onclick = () => show(tab);
  byId("tabs").onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const shown = tabs.filter((tab) => !tab.hidden);
    const place = shown.indexOf(document.activeElement);
    if (!step || place < 0) return;
    const next = shown[(place + step + shown.length) % shown.length];
    next.focus();
    show(next);
    event.preventDefault();
  };
  return (name) => {
    const tab = byId(`tab-${name}`);
    if (tab) show(tab);
  };
}
