// SPDX-License-Identifier: BSD-3-Clause
// The playground: fields, tabs and the view that is shown. Its state is the command lines of the
// view, which stand in the fragment of the address.
import { command } from "./command.js";
import { fragmentOf, linesOf } from "./commands.js";
import { make } from "./dom.js";
import { algorithmsOf, fillForm, plain } from "./fields.js";
import { fromLink, view as own } from "./own.js";
import { failureBox } from "./parts.js";
import { catalogue } from "./shelf.js";
import { curves, film, proof, time, viewOf } from "./views.js";

const views = [film, curves, time, proof, own, command];
const state = { ...plain, tab: "film", ranks: "4",
                commands: [["info", "--algorithm", "ring"]] };
let data = { known: [], machines: [] };
const $ = id => document.getElementById(id);
const viewNow = () => views.find(view => view.id === state.tab);
let shown = 0, written = "";

function mend() {
  const names = algorithmsOf(state.operation, data.known);
  if (!names.includes(state.algorithm)) {
    state.algorithm = names.includes("ring") ? "ring" : names[0];
    state.settings = "";
  }
  if (!names.includes(state.other.split(":")[0])) state.other = "";
  const ranks = Number(state.ranks);
  if (!(ranks >= 1)) state.ranks = "4";
  if (!(Number(state.root) >= 0 && Number(state.root) < ranks)) state.root = "0";
}

function write(way) {
  written = fragmentOf(viewNow().lines(state));
  if (written !== location.hash) history[way](null, "", written);
}

function form() {
  fillForm($("question"), viewNow().fields, state, data, (name, value) => {
    state[name] = value;
    if (name === "algorithm" || name === "operation") state.settings = "";
    if (name === "operation") state.compare = "";
    refresh("pushState");
    $(name)?.focus();
  });
}

async function refresh(way = "replaceState") {
  mend();
  form();
  write(way);
  for (const tab of $("tabs").children) {
    const is = tab.dataset.tab === state.tab;
    tab.setAttribute("aria-selected", is);
    tab.tabIndex = is ? 0 : -1;
  }
  $("panel").setAttribute("aria-labelledby", `tab-${state.tab}`);
  const mine = ++shown, begin = performance.now();
  document.body.dataset.busy = "yes";
  $("status").textContent = "Computing…";
  $("panel").classList.add("old");
  const panel = (...parts) => {
    if (mine !== shown) return;
    $("panel").classList.remove("old");
    $("panel").replaceChildren(...parts);
  };
  try {
    await viewNow().show(panel, { ...state }, { ...data, go, changed: form });
  } catch (error) {
    panel(failureBox({ errors: String(error?.message ?? error) }));
  }
  if (mine !== shown) return;
  $("status").textContent = `Done in ${Math.round(performance.now() - begin)} ms, in this browser.`;
  document.body.dataset.busy = "no";
}

function go(tab, more = {}) {
  Object.assign(state, more, { tab });
  refresh("pushState");
}

function tabs() {
  const move = { ArrowRight: 1, ArrowLeft: -1 };
  $("tabs").replaceChildren(...views.map((view, i) => make("button", {
    type: "button", role: "tab", id: `tab-${view.id}`, "data-tab": view.id,
    "aria-controls": "panel", onclick: () => go(view.id), onkeydown: event => {
      if (!(event.key in move)) return;
      event.preventDefault();
      const next = views[(i + move[event.key] + views.length) % views.length];
      go(next.id);
      $(`tab-${next.id}`).focus();
    } }, view.title)));
}

// Takes the state out of the address.
function read() {
  const lines = linesOf(location.hash), words = lines[0];
  if (!words) return;
  if (words[0] === "own") return Object.assign(state, fromLink(lines), { tab: "own" });
  const found = viewOf(words, data.known, data.machines);
  if (!found || (lines.length > 1 && found.tab !== "film"))
    return Object.assign(state, { tab: "command", commands: lines });
  const second = lines[1] && viewOf(lines[1], data.known, data.machines);
  Object.assign(state, found, { other: second ? [second.algorithm, second.settings].filter(Boolean)
                                                  .join(":") : "" });
}

document.querySelector(".late").remove();
const found = await catalogue();
if (found.known) {
  data = found;
  tabs();
  read();
  addEventListener("popstate", () => {
    if (location.hash === written) return;
    read();
    refresh();
  });
  refresh();
} else {
  $("panel").replaceChildren(make("p", {}, "The module does not run here."),
                             failureBox(found.failure));
  $("status").textContent = "";
}
