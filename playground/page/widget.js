// SPDX-License-Identifier: BSD-3-Clause
// A widget for notebooks, as anywidget wants it: shows what a command line prints, and again when
// the value of `command` changes. Its style is that of the page, in a shadow root.
import { outcome } from "./command.js";
import { wordsOf } from "./commands.js";
import { make } from "./dom.js";

async function render({ model, el }) {
  const root = el.attachShadow({ mode: "open" }), panel = make("div", { role: "region" });
  const style = new URL("page.css", import.meta.url);
  root.append(make("link", { rel: "stylesheet", href: style }), panel);
  let shown = 0;
  async function refresh() {
    const mine = ++shown, words = wordsOf(model.get("command"));
    if (words[0] === "tutti") words.shift();
    const film = words[0] === "draw" && !words.some(w => /^--(html|svg|json|topology)/.test(w));
    const parts = await outcome(film ? [...words, "--html", "-"] : words);
    if (mine === shown) panel.replaceChildren(...parts);
  }
  model.on("change:command", refresh);
  await refresh();
}

export default { render };
