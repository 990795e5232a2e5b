// SPDX-License-Identifier: BSD-3-Clause
// A broadcast written by hand: a line for each round, such as "0>1 2>3". It becomes a schedule file
// that is verified and drawn.
import { make } from "./dom.js";
import { showFilm } from "./film.js";
import { ask, askJson, shelf } from "./shelf.js";

const file = "hand.json";

// Returns the schedule of the lines, or throws with what is wrong in them.
export function scheduleOf(text, p) {
  const rounds = text.trim().split("\n").map((line, t) => {
    const round = Object.fromEntries(Array.from({ length: p }, (_, rank) => [rank, []]));
    for (const word of line.trim().split(/[\s,]+/).filter(Boolean)) {
      const [, from, to] = /^(\d+)>(\d+)$/.exec(word) ?? [];
      if (from === undefined || Number(from) >= p || Number(to) >= p || from === to)
        throw Error(`Round ${t + 1}: "${word}" is no message such as 0>1 between ranks 0 to ` +
                    `${p - 1}.`);
      round[from].push({ send: ["output[0]"], to: Number(to) });
      round[to].push({ receive: ["output[0]"], from: Number(from) });
    }
    return round;
  });
  return JSON.stringify({ tutti_program: 1, name: "by_hand", operation: "broadcast", p, root: 0,
    any_root: false, commutative_only: false, in_place: true,
    buffers: { parts: 1, input: 0, output: 1, scratch: 0, input_own_part: false,
               output_own_part: false }, rounds });
}

// Shows the field and the film in `host`. The result of verify goes to `told`.
export function hand(host, told) {
  const p = Number(host.dataset.ranks), picture = make("div");
  const message = make("p", { role: "status" });
  const text = make("textarea", { id: "rounds", rows: 6, spellcheck: "false" });
  text.value = host.dataset.start.replaceAll("|", "\n");
  async function refresh() {
    told(null);
    document.body.dataset.busy = "yes";
    await show();
    document.body.dataset.busy = "no";
  }
  async function show() {
    try {
      shelf.files[file] = scheduleOf(text.value, p);
    } catch (error) {
      message.className = "refused";
      message.textContent = error.message;
      return;
    }
    const { json, errors } = await askJson(["verify", file]), result = json?.results?.[0];
    const problem = result?.problem || json?.message || errors;
    message.className = result?.correct ? "proved" : "refused";
    message.textContent = result?.correct
      ? `All ${p} ranks have the data after ${result.counts.rounds} rounds.` : String(problem);
    const drawn = await ask(["draw", file, "--html", "-"]);
    showFilm(picture, drawn.output);
    told(result ?? null);
  }
  const run = make("button", { type: "button", onclick: refresh }, "Verify and draw");
  const label = make("label", {}, "Messages, a line for each round", text);
  host.replaceChildren(make("div", { class: "row" }, label, run), message, picture);
  return refresh();
}
