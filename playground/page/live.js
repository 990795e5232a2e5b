// SPDX-License-Identifier: BSD-3-Clause
// A live playground of a lesson: one view with the fields that the lesson needs.
import { make } from "./dom.js";
import { fillForm, plain } from "./fields.js";
import { fragmentOf, wordsOf } from "./commands.js";
import { view as own } from "./own.js";
import { curves, film, proof, time, viewOf } from "./views.js";

const views = Object.fromEntries([film, curves, time, proof, own].map(view => [view.id, view]));

// Fills `host`, whose attributes data-view, data-command, data-fields, data-other and data-settings
// say what is shown. Returns when it is.
export async function live(host, data) {
  const view = views[host.dataset.view];
  const words = wordsOf(host.dataset.command ?? "");
  const state = { ...plain, ...(words.length > 0 ? viewOf(words, data.known, data.machines) : {}),
                  tab: view.id, other: host.dataset.other ?? "" };
  const fields = (host.dataset.fields ?? "").split(" ").filter(Boolean);
  const form = make("form", { "aria-label": "What is studied",
                              onsubmit: event => event.preventDefault() });
  const panel = make("div"), open = make("a", {}, "Open this in the playground");
  const status = make("p", { class: "hint", role: "status" });
  host.replaceChildren(form, status, panel, make("p", { class: "hint" }, open));
  const point = () => {
    open.href = view.link?.() ?? new URL("index.html" + fragmentOf(view.lines(state)),
                                         import.meta.url);
  };
  // A text that is typed has changed since the view was shown.
  for (const kind of ["pointerdown", "focus", "click"]) open.addEventListener(kind, point);
  // One setting for all that is shown of an algorithm: a proof without one would try several.
  const settingsOf = algorithm => {
    const [name, ...settings] = (host.dataset.settings ?? "").split(":");
    return name === algorithm ? settings.join(":") : "";
  };
  let shown = 0;
  async function refresh() {
    fillForm(form, fields, state, data, (name, value) => {
      state[name] = value;
      if (name === "algorithm") state.settings = settingsOf(value);
      refresh().then(() => form.querySelector(`#${name}`)?.focus());
    });
    point();
    const mine = ++shown;
    const put = (...parts) => {
      if (mine !== shown) return;
      panel.classList.remove("old");
      panel.replaceChildren(...parts);
    };
    panel.classList.add("old");
    status.textContent = "Running…";
    const go = (_, more) => { Object.assign(state, more); refresh(); };
    await view.show(put, { ...state }, { ...data, fields, go, folded: true, changed() {} });
    if (mine === shown) status.textContent = "";
  }
  await refresh();
}
