// SPDX-License-Identifier: BSD-3-Clause
// Pieces that several views show: a command line that can be copied, an error, and results of
// verify and simulate as tables.
import { lineOf } from "./commands.js";
import { bytes, make, table, time } from "./dom.js";

// The command line that prints what stands below it.
export function commandBox(words, file) {
  const line = "tutti " + lineOf(file ? words.map(w => w === "-" ? file : w) : words);
  const code = make("code", { tabindex: 0 }, line);
  const copy = make("button", { type: "button", "aria-label": `copy ${line}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(line);
      copy.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      copy.textContent = "selected";
    }
    setTimeout(() => { copy.textContent = "copy"; }, 1500);
  } }, "copy");
  return make("div", { class: "command" }, code, copy);
}

// Shows as text what the command has said.
export const textBox = (answer, title = "output of the command") =>
  make("pre", { class: answer.code ? "wrong" : "", tabindex: 0, role: "region",
                "aria-label": title },
       [answer.output, answer.errors].filter(Boolean).join("\n").trimEnd() || "(no output)");

export function failureBox(answer, json) {
  const message = json?.message ?? (answer.errors || answer.output);
  return make("p", { class: "refused", role: "alert" }, message.trim());
}

const verdict = value => value === true ? "yes" : value === false ? "no" : String(value);

// A rank of a broadcast has no input beside its result.
const inPlace = result => result.operation === "broadcast" ? "-" : verdict(result.in_place);

// Results of verify, one row for each property with what it means.
export function proofTable(result) {
  const rows = [
    ["right result", verdict(result.correct),
     "every rank gets each contribution exactly once, and no wait goes in a circle"],
    ["same bits on all ranks", result.same_tree,
     "all ranks add by the same expression, so rounding is the same (R0)"],
    ["same bits as other algorithms", result.canonical,
     "the expression is the canonical one (R1)"],
    ["order of the ranks kept", result.rank_order, "an operator need not be commutative"],
    ["in place", inPlace(result), "the result may lie where the input was"],
    ["one port", result.one_port, "a rank sends and receives at most one message in a round"],
  ].filter(row => row[1] !== "-" && row[1] !== undefined);
  return table(`Proved: ${result.operation} ${result.algorithm}`, ["property", "holds", "meaning"],
               rows);
}

export function countTable(result) {
  const c = result.counts;
  return table(`Counted for ${result.last_shape}`, ["rounds", "messages", "blocks sent in all",
    "start-ups in turn (alpha)", "blocks in turn (beta)", "blocks added in turn (gamma)"],
    [[c.rounds, c.messages, c.volume, c.alpha, c.beta, c.gamma].map(String)],
    { note: "In turn counts the longest chain of steps that wait for each other. On a machine, " +
            "alpha is the time of a start-up, beta of a byte sent, gamma of one added." });
}

// The name of an algorithm, as a link where something can be done with it.
const linked = (name, choose) => choose
  ? make("button", { type: "button", class: "link", onclick: () => choose(name) }, name) : name;

export function simulatedTable(setting, choose) {
  const results = setting.results.toSorted((a, b) => a.time_us - b.time_us), [best] = results;
  return table(`Simulated: ${setting.operation} of ${bytes(best.bytes)} on ${setting.machine}, ` +
               `${setting.topology}, ${setting.ranks} ranks`,
               ["algorithm", "time", "× best", "formula", "contentions", "waited"],
               results.map(r => [
                 linked(r.algorithm, choose), time(r.time_us),
                 (r.time_us / best.time_us).toFixed(2),
                 r.formula_us === null ? "–" : time(r.formula_us), String(r.contentions),
                 time(r.waited_us)]),
               { note: "The formula is the time without conflicts. Contentions are messages that " +
                       "met others on a link, and waited is how long they lost by it." });
}

export const linkTable = links =>
  table("Busiest links", ["link", "busy", "messages", "bytes", "contentions"],
        links.map(l => [l.link, time(l.busy_us), String(l.messages), bytes(l.bytes),
                        String(l.contentions)]));

export function candidateTable(json, choose) {
  const best = Math.min(...json.candidates.map(c => c.time_us));
  return table(`Prices: ${json.operation} of ${bytes(json.bytes)}, ${json.ranks} ranks, ` +
               `${json.network}, ${json.machine.name}`,
               ["algorithm", "price", "× best", "start-ups", "vectors sent", "vectors added",
                "against the first"],
               json.candidates.map(c => [
                 linked(c.name, choose), time(c.time_us), (c.time_us / best).toFixed(2),
                 String(c.terms.alpha),
                 String(Number(c.terms.beta.toPrecision(4))),
                 String(Number(c.terms.gamma.toPrecision(4))), c.why]), { kind: "long" });
}
