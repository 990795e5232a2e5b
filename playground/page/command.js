// SPDX-License-Identifier: BSD-3-Clause
// The view for any command line. Files that a command writes stay on the shelf of this page, so the
// next command can read them.
import { lineOf, wordsOf } from "./commands.js";
import { make, save } from "./dom.js";
import { showFilm } from "./film.js";
import { commandBox, textBox } from "./parts.js";
import { showSvg } from "./picture.js";
import { ask, shelf } from "./shelf.js";

const textOf = content => typeof content === "string" ? content : new TextDecoder().decode(content);

function picture(text, name) {
  const host = make("div", { class: "picture" });
  if (/<svg/.test(text.slice(0, 300)) && showSvg(host, text, name)) return host;
  if (/<!DOCTYPE html>/i.test(text.slice(0, 100)) && showFilm(host, text)) return host;
  return null;
}

function fileList() {
  const names = Object.keys(shelf.files);
  if (names.length === 0) return "";
  return make("section", {}, make("h3", {}, "Files in this page"),
    make("ul", {}, names.map(name => make("li", {}, make("button", { type: "button", class: "link",
      onclick: () => save(name, shelf.files[name]) }, `save ${name}`)))));
}

// Runs a command line, and returns what the page shows of it.
export async function outcome(words) {
  const answer = await ask(words), parts = [commandBox(words)];
  const written = Object.entries(answer.files ?? {});
  Object.assign(shelf.files, answer.files ?? {});
  const shown = answer.code <= 1 && picture(answer.output, words.join(" "));
  parts.push(shown || textBox(answer));
  for (const [name, content] of written) {
    const drawn = picture(textOf(content), name);
    if (drawn) parts.push(make("h3", {}, name), drawn);
  }
  return parts;
}

export const command = {
  id: "command", title: "Any command", fields: [], lines: s => s.commands,
  async show(panel, s, { go }) {
    const field = make("input", { id: "line", value: "tutti " + lineOf(s.commands.at(-1)),
      spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    const open = make("input", { type: "file", id: "open", onchange: async () => {
      for (const file of open.files)
        shelf.files[file.name.replace(/[^\w.-]/g, "_")] = await file.text();
      list.replaceChildren(fileList());
    } });
    const list = make("div", {}, fileList());
    const form = make("form", { class: "row", onsubmit: event => {
      event.preventDefault();
      const words = wordsOf(field.value).filter((w, i) => i > 0 || w !== "tutti");
      if (words.length > 0) go("command", { commands: [words] });
    } }, make("label", { class: "wide" }, "Command line", field),
         make("button", { type: "submit" }, "Run"), make("label", {}, "Bring a file", open));
    const parts = [form, list];
    for (const words of s.commands) {
      panel(...parts, make("p", {}, "Running…"));
      parts.push(...await outcome(words));
    }
    list.replaceChildren(fileList());
    panel(...parts);
  },
};
