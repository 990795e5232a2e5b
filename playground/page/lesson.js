// SPDX-License-Identifier: BSD-3-Clause
// Runs a lesson: its live playground and the checks of its questions. A check that needs more than
// a number asks the module.
import { make } from "./dom.js";
import { hand } from "./hand.js";
import { live } from "./live.js";
import { algorithms } from "./examples.js";
import { own } from "./own.js";
import { failureBox } from "./parts.js";
import { ask, askJson, catalogue, shelf } from "./shelf.js";

let byHand = null;  // what verify has said of the schedule by hand
const units = { k: 1024, m: 1 << 20 };

// Reads "2.4K", "2,4 KiB" or "35840" as bytes.
function sizeOf(text) {
  const [, number, unit] = /^\s*([\d.,]+)\s*([km])?i?b?\s*$/i.exec(text) ?? [];
  return Number(number?.replace(",", ".")) * (units[unit?.toLowerCase()] ?? 1);
}

// Reads "1.75", "1,75", "7/4" or "1 3/4". Other texts are no number.
function numberOf(text) {
  const [, whole, over, under] = /^(?:(\d+)\s+)?(\d+)\s*\/\s*(\d+)$/.exec(text.trim()) ?? [];
  if (under) return Number(whole ?? 0) + Number(over) / Number(under);
  return /^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.replace(",", ".")) : NaN;
}

// Each returns an empty text if the answer is right, and else a hint.
const checks = {
  number(given, form) {
    const found = numberOf(given);
    if (Number.isNaN(found)) return "Write a number, such as 12 or 3/8.";
    return found === Number(form.dataset.answer) ? "" : form.dataset.hint;
  },
  choice: (given, form) => given === form.dataset.answer ? "" : form.dataset.hint,
  // The size from which an algorithm is the fastest, as the picture of a command says it.
  async crossover(given, form) {
    if (!(sizeOf(given) > 0)) return "Write a size, such as 5K.";
    if (/^[\d.,\s]+$/.test(given) && sizeOf(given) < units.k)
      return `Write the unit, such as ${given.trim()}K.`;
    const { output } = await ask(form.dataset.command.split(" "));
    const found = new RegExp(`Lowest: [^<]*${form.dataset.algorithm} from ([\\d.]+ \\w+)`)
      .exec(output)?.[1];
    const ratio = sizeOf(given) / sizeOf(found ?? "");
    return ratio > 0.8 && ratio < 1.25 ? "" : form.dataset.hint;
  },
  hand(_, form) {
    if (!byHand?.correct) return byHand?.problem || "Press “Verify and draw” first.";
    if (byHand.one_port !== "always")
      return "A rank sends two messages in one round. Let another rank that has the data help.";
    const { rounds } = byHand.counts;
    return rounds <= Number(form.dataset.answer) ? ""
      : `It is right, and it takes ${rounds} rounds. ${form.dataset.hint}`;
  },
  async own(_, form) {
    const mine = shelf.algorithm;
    if (mine?.source !== own.text) return "Press “Verify” first, so that this text is taken.";
    if (mine.operation !== form.dataset.operation)
      return `The operation is ${mine.operation}; write a ${form.dataset.operation}.`;
    const { json, errors } = await askJson(["verify", mine.operation, "--algorithm", mine.name,
                                            "-n", "1..16", "--root", "all"]);
    const result = json?.results?.[0];
    return result?.correct ? "" : result?.problem || json?.message || errors;
  },
};

document.querySelector(".late").remove();
const host = document.querySelector(".live");
// Takes away what a check has said, because the text or the field has changed since.
function forget(verdict) {
  verdict.className = "";
  verdict.textContent = "";
}
for (const form of document.querySelectorAll("form.check")) {
  const verdict = make("p", { role: "status" });
  form.addEventListener("input", () => forget(verdict));
  if (["hand", "own"].includes(form.dataset.check))
    for (const kind of ["input", "change"])
      host.addEventListener(kind, event => {
        if (event.target.type !== "range") forget(verdict);
      });
  form.append(make("button", { type: "submit" }, "Check"), verdict);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    forget(verdict);
    verdict.textContent = "…";
    const given = new FormData(form).get("answer") ?? "";
    let hint;
    try {
      hint = await checks[form.dataset.check](given, form);
    } catch (error) {
      hint = String(error?.message ?? error);
    }
    if (verdict.textContent !== "…") return;  // what was asked has changed
    verdict.className = hint ? "refused" : "proved";
    verdict.textContent = hint ? `Not yet. ${hint}` : `Right. ${form.dataset.why ?? ""}`;
  });
}

if (host.dataset.example) own.text = algorithms[host.dataset.example].text;
if (host.dataset.view === "hand") {
  await hand(host, result => { byHand = result; });
} else {
  const found = await catalogue();
  if (found.known) await live(host, found);
  else host.replaceChildren(make("p", {}, "The module does not run here."),
                            failureBox(found.failure));
}
document.body.dataset.busy = "no";
