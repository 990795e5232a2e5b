// SPDX-License-Identifier: BSD-3-Clause
// A broadcast written by hand: a line for each round, such as "0>1 2>3". It becomes a schedule file
// that is verified and drawn.
import { make } from "./dom.js";
import { showFilm } from "./film.js";
import { ask, askJson, shelf } from "./shelf.js";

const file = "hand.json";
const counted = rounds => rounds === 1 ? "1 round" : `${rounds} rounds`;

// Returns the messages of each line as pairs [from, to], or throws with what is wrong in them.
function messagesOf(text, p) {
  return text.trim().split("\n").map((line, t) => {
    const words = line.replace(/\s*(?:[-–=]*>|→)\s*/g, ">").trim().split(/[\s,;]+/).filter(Boolean);
    return words.map(word => {
      const [, from, to] = /^(\d+)>(\d+)$/.exec(word) ?? [];
      if (from === undefined || Number(from) >= p || Number(to) >= p || from === to)
        throw Error(`Round ${t + 1}: "${word}" is no message such as 0>1 between ranks 0 to ` +
                    `${p - 1}.`);
      return [Number(from), Number(to)];
    });
  });
}

const repeated = ranks => ranks.find((rank, i) => ranks.indexOf(rank) !== i);

// Says what hinders a broadcast from rank 0, in the words of the lesson. The text is empty where
// nothing does. The verdict is still that of verify.
function faultOf(rounds, p) {
  const have = new Set([0]);
  for (const [t, round] of rounds.entries()) {
    const [without] = round.find(([from]) => !have.has(from)) ?? [];
    if (without !== undefined)
      return `Rank ${without} does not have the data yet in round ${t + 1}.`;
    const receiver = repeated(round.map(([, to]) => to));
    if (receiver !== undefined) return `Rank ${receiver} receives twice in round ${t + 1}.`;
    for (const [, to] of round) have.add(to);
  }
  const empty = Array.from({ length: p }, (_, rank) => rank).filter(rank => !have.has(rank));
  if (empty.length > 1) return `Ranks ${empty.join(", ")} have nothing at the end.`;
  return empty.length === 1 ? `Rank ${empty[0]} has nothing at the end.` : "";
}

// Says which rank sends more than one message in a round.
function busyOf(rounds) {
  for (const [t, round] of rounds.entries()) {
    const sender = repeated(round.map(([from]) => from));
    if (sender !== undefined)
      return `Rank ${sender} sends two messages or more in round ${t + 1}, and one is allowed.`;
  }
  return "";
}

function scheduleOf(messages, p) {
  const rounds = messages.map(pairs => {
    const round = Object.fromEntries(Array.from({ length: p }, (_, rank) => [rank, []]));
    for (const [from, to] of pairs) {
      round[from].push({ send: ["output[0]"], to });
      round[to].push({ receive: ["output[0]"], from });
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
  const text = make("textarea", { id: "rounds", rows: 8, spellcheck: "false",
    oninput: () => told(null) });
  text.value = host.dataset.start.replaceAll("|", "\n");
  async function refresh() {
    told(null);
    document.body.dataset.busy = "yes";
    picture.classList.add("old");
    await show();
    picture.classList.remove("old");
    document.body.dataset.busy = "no";
  }
  async function show() {
    let rounds;
    try {
      rounds = messagesOf(text.value, p);
    } catch (error) {
      message.className = "refused";
      message.textContent = error.message;
      picture.replaceChildren();
      return;
    }
    shelf.files[file] = scheduleOf(rounds, p);
    const { json, errors } = await askJson(["verify", file]), result = json?.results?.[0];
    const problem = result?.correct ? "" : faultOf(rounds, p) || result?.problem ||
                                           json?.message || errors;
    const busy = result?.one_port === "always" ? "" : busyOf(rounds);
    message.className = problem || busy ? "refused" : "proved";
    message.textContent = problem ||
      `All ${p} ranks have the data after ${counted(result.counts.rounds)}. ${busy}`.trim();
    const drawn = await ask(["draw", file, "--html", "-"]);
    if (!showFilm(picture, drawn.output)) picture.replaceChildren();
    told(result ? { ...result, problem } : null);
  }
  const run = make("button", { type: "button", onclick: refresh }, "Verify and draw");
  const label = make("label", {}, "Messages, a line for each round", text);
  host.replaceChildren(make("div", { class: "row" }, label, run), message, picture);
  return refresh();
}
