// SPDX-License-Identifier: BSD-3-Clause
// The views of the playground that only ask: film, curves, time and proof. Each says which fields
// it needs, which command lines it shows, and how.
import { option } from "./commands.js";
import { bytes, make } from "./dom.js";
import { showFilm } from "./film.js";
import { candidateTable, commandBox, countTable, failureBox, linkTable, proofTable, simulatedTable,
  textBox } from "./parts.js";
import { showSvg } from "./picture.js";
import { ask, askJson } from "./shelf.js";

const rooted = new Set(["broadcast", "reduce", "scatter", "gather"]);
export const hasRoot = operation => rooted.has(operation);
export const algorithmOf = s => s.settings ? `${s.algorithm}:${s.settings}` : s.algorithm;
const root = s => hasRoot(s.operation) && Number(s.root) > 0 ? ["--root", s.root] : [];
const size = s => s.operation === "barrier" ? [] : ["--bytes", s.bytes];
const machine = s => ["--machine", s.machine, ...(s.topology ? ["--topology", s.topology] : [])];

// The network for conflicts where none is given: the mesh that is nearest to a square. Fractions and
// numbers beyond those of the field have none, and the command refuses them.
export function meshOf(p) {
  if (!(Number.isInteger(p) && p > 0 && p <= 1024)) return `line:${p}`;
  let rows = Math.floor(Math.sqrt(p));
  while (p % rows !== 0) --rows;
  return rows === 1 ? `line:${p}` : `mesh:${rows}x${p / rows}`;
}

const mostRanks = 128;  // of a film

// Puts a picture below its command line.
async function drawn(words, file, name) {
  const answer = await ask(words), host = make("div", { class: "picture" });
  return make("section", {}, commandBox(words, file),
              answer.code === 0 && showSvg(host, answer.output, name) ? host : textBox(answer));
}

async function filmOf(words, ranks) {
  const column = make("div", { class: "column" }, commandBox([...words, "--html", "film.html"]));
  if (ranks > mostRanks) {
    column.append(make("p", {}, `Films go to ${mostRanks} ranks; calculate this one.`));
    return column;
  }
  const answer = await ask([...words, "--html", "-"]), host = make("div");
  const width = showFilm(host, answer.output);
  // A film that leaves no room for a text beside it gets the line for itself.
  if (width) column.style.flexBasis = `max(26rem, ${width}px)`;
  column.append(width ? host : textBox(answer));
  return column;
}

// A lesson folds the details of an algorithm, so that its questions are not far away.
function about(s, known, folded) {
  const found = known.find(a => a.operation === s.operation && a.name === s.algorithm);
  if (!found) return "";
  const rows = [["When", found.when], ["Needs", found.needs], ["Cost", found.cost],
                ["Source", found.source]];
  const details = [
    make("h4", {}, "Steps"), make("ol", {}, found.steps.map(t => make("li", {}, t))),
    make("dl", {}, rows.filter(row => row[1]).map(([name, text]) =>
      [make("dt", {}, name), make("dd", {}, text)])),
    commandBox(["info", "--algorithm", s.algorithm])];
  return make("aside", { class: "about", "aria-label": `about ${found.name}` },
              make("h3", {}, `${found.operation} ${found.name}`), make("p", {}, found.about),
              folded ? make("details", {}, make("summary", {}, "Its steps and its cost"), details)
                     : details);
}

const drawWords = (s, algorithm) =>
  ["draw", s.operation, "--algorithm", algorithm, "-n", s.ranks, ...root(s)];

export const film = {
  id: "film", title: "Film",
  fields: ["operation", "algorithm", "settings", "ranks", "root", "other"],
  lines: s => [drawWords(s, algorithmOf(s)), ...(s.other ? [drawWords(s, s.other)] : [])],
  async show(panel, s, { known, folded }) {
    const films = [s, ...(s.other ? [{ ...s, algorithm: s.other.split(":")[0] }] : [])];
    const columns = [];
    for (const [i, words] of this.lines(s).entries())
      columns.push(await filmOf(words, Number(s.ranks)), about(films[i], known, folded));
    const pairs = films.map((_, i) =>
      make("div", { class: "column" }, columns.slice(2 * i, 2 * i + 2)));
    panel(make("div", { class: `columns${s.other ? " even" : ""}` }, s.other ? pairs : columns));
  },
};

const compared = s => s.compare ? ["--algorithm", s.compare] : [];
// The range of sizes or of ranks over which time is drawn, if the field for it is empty.
export const usualRange = s => s.over === "ranks" ? `${Math.min(2, s.ranks)}..${s.ranks}` : "8..1M";
const timed = s => s.over === "ranks"
  ? ["-n", s.rankRange || usualRange(s), ...size(s)]
  : ["-n", s.ranks, "--bytes", s.range || usualRange(s)];
const curveWords = s => s.what === "time"
  ? ["simulate", s.operation, ...machine(s), ...compared(s), ...timed(s), "--curve", "-"]
  : ["explain", s.operation, ...machine(s), ...compared(s), "-n", s.ranks, ...size(s), "--curve",
     "-", ...(s.over === "ranks" ? ["--over", "ranks"] : [])];

export const curves = {
  id: "curves", title: "Price and time",
  fields: ["operation", "ranks", "machine", "topology", "what", "over", "bytes", "range",
           "rankRange", "compare"],
  lines: s => [curveWords(s)],
  async show(panel, s, { go }) {
    const words = curveWords(s), parts = [await drawn(words, "curve.svg", "curves")];
    panel(...parts);
    if (s.what === "time") return;
    const table = words.slice(0, words.indexOf("--curve"));
    const { json, ...answer } = await askJson(table);
    if (!json?.candidates) return panel(...parts, failureBox(answer, json));
    const choose = name => {
      const [algorithm, ...settings] = name.split(":");
      go("film", { algorithm, settings: settings.join(":"), other: "" });
    };
    parts.push(make("p", { class: "crossovers" }, "Lowest price: " + json.crossovers.map(
      c => `${c.name} from ${bytes(c.from_bytes)}`).join(", ") + "."),
      commandBox(table), candidateTable(json, choose));
    panel(...parts);
  },
};

const simulateWords = (s, algorithm) =>
  ["simulate", s.operation, ...(algorithm ? ["--algorithm", algorithm] : []), ...machine(s), "-n",
   s.ranks, ...size(s), ...root(s)];

// How busy links were: as a picture, or as a table for networks whose links cannot be drawn.
async function links(words) {
  const heat = [...words, "--heat", "-"], answer = await ask(heat);
  const host = make("div", { class: "picture" });
  if (answer.code === 0 && showSvg(host, answer.output, "how long each link was busy"))
    return make("section", {}, commandBox(heat, "links.svg"), host);
  const { json } = await askJson(words), found = json?.settings?.[0]?.results[0]?.detail?.per_link;
  if (!found) return textBox(answer);
  return make("section", {}, commandBox(words),
              make("p", { class: "hint" }, answer.errors.replace(/^tutti simulate: /, "")),
              linkTable(found.toSorted((a, b) => b.busy_us - a.busy_us).slice(0, 16)));
}

export const time = {
  id: "time", title: "Time line and links",
  fields: ["operation", "algorithm", "settings", "ranks", "root", "bytes", "machine", "topology"],
  lines: s => [simulateWords(s, algorithmOf(s))],
  async show(panel, s, { go }) {
    const words = simulateWords(s, algorithmOf(s)), parts = [];
    const add = part => { parts.push(part); panel(...parts); };
    add(await drawn([...words, "--svg", "-"], "time.svg", "time line of all ranks"));
    add(await links(words));
    const all = simulateWords(s), { json, ...answer } = await askJson(all);
    add(commandBox(all));
    const choose = name => {
      const [algorithm, ...settings] = name.split(":");
      go("time", { algorithm, settings: settings.join(":") });
    };
    add(json?.settings ? simulatedTable(json.settings[0], choose) : failureBox(answer, json));
  },
};

const proofWords = s =>
  ["verify", s.operation, "--algorithm", algorithmOf(s), "-n", `1..${s.ranks}`];
const linkWords = s =>
  ["verify", s.operation, "--algorithm", algorithmOf(s), "-n", s.ranks, ...root(s), "--topology",
   s.topology || meshOf(Number(s.ranks))];

async function proved(s) {
  const words = proofWords(s), parts = [commandBox(words)];
  const { json, ...answer } = await askJson(words), result = json?.results?.[0];
  if (!result) return [...parts, failureBox(answer, json)];
  if (!result.correct) return [...parts, make("p", { class: "refused" }, result.problem)];
  const many = result.shape_count === 1 ? "combination" : "combinations";
  return [...parts, make("p", { class: "proved" },
                         `Right for ${result.shape_count} ${many} of ranks, roots and settings.`),
          proofTable(result), countTable(result)];
}

async function conflicts(s) {
  const words = linkWords(s), network = words.slice(-2);
  const parts = [make("h3", {}, `Conflicts on ${network[1]}`), commandBox(words)];
  const { json, ...answer } = await askJson(words), found = json?.results?.[0];
  if (!found?.conflicts) return [...parts, failureBox(answer, json)];
  if (found.load <= 1) {
    parts.push(make("p", { class: "proved" }, "No two messages of a round share a link."));
  } else {
    parts.push(make("p", {}, `At most ${found.load} messages of a round share a link.`),
               make("details", {}, make("summary", {}, "Where messages meet"),
                    make("ul", {}, found.conflicts.map(text => make("li", {}, text)))));
  }
  const picture = [...drawWords(s, algorithmOf(s)), ...network, "--as", "rounds", "--svg", "-"];
  return [...parts, await drawn(picture, "rounds.svg", "rounds on the links of the network")];
}

// A topology in the fields is a question for conflicts, so they come first then. Where there is no
// field for it, a lesson, nobody asks for conflicts.
export const proof = {
  id: "proof", title: "Proof and conflicts",
  fields: ["operation", "algorithm", "settings", "ranks", "root", "topology"],
  lines: s => [s.topology ? linkWords(s) : proofWords(s)],
  async show(panel, s, { fields = this.fields }) {
    const later = fields.includes("topology") ? [conflicts] : [];
    const halves = s.topology ? [conflicts, proved] : [proved, ...later], parts = [];
    for (const half of halves) {
      parts.push(...await half(s));
      panel(...parts);
    }
  },
};

const taken = new Set(["--algorithm", "-n", "--ranks", "--root", "--bytes", "--machine",
                       "--topology", "--over", "--curve", "--svg", "--html", "--heat"]);

// Finds the view that shows a command line, and what its fields have to be. Returns null where only
// the view of any command can.
export function viewOf(words, known, machines) {
  const [verb, name] = words;
  const alias = a => a.operation === name || a.operation_aliases.split(" ").includes(name);
  const operation = known.find(alias)?.operation;
  for (let i = 2; i < words.length; i += 2)
    if (!taken.has(words[i].split("=")[0]) || words[i].includes("=")) return null;
  const get = (...names) => option(words, ...names) ?? "";
  const given = get("--algorithm"), nodes = machines.find(m => m.name === get("--machine"))?.nodes;
  const ranks = get("-n", "--ranks") || (verb === "simulate" && nodes <= 128 ? String(nodes) : "");
  const [algorithm, ...settings] = given.split(":");
  const state = { operation, topology: get("--topology"), root: get("--root") || "0" };
  const isKnown = known.some(a => a.operation === operation && a.name === algorithm);
  if (get("--bytes")) state.bytes = get("--bytes");
  if (get("--machine")) state.machine = get("--machine");
  if (isKnown) Object.assign(state, { algorithm, settings: settings.join(":") });
  if (!operation || /^(file|trace)$/.test(algorithm)) return null;
  if (state.machine && !machines.some(m => m.name === state.machine)) return null;
  if (verb === "verify" && isKnown && !state.machine && !get("--root") &&
      (state.topology ? /^\d+$/ : /^1\.\.\d+$/).test(ranks))
    return { ...state, tab: "proof", ranks: ranks.replace("1..", "") };
  const times = { ...state, tab: "curves", what: "time", compare: given };
  const isRange = text => /\.\./.test(text);
  if (verb === "simulate" && state.machine && isRange(ranks) && !isRange(get("--bytes")))
    return { ...times, over: "ranks", rankRange: ranks, ranks: /\d*$/.exec(ranks)[0] };
  if (!/^\d+$/.test(ranks)) return null;
  state.ranks = times.ranks = ranks;
  if (verb === "draw" && isKnown && !state.bytes && !state.machine)
    return { ...state, tab: state.topology ? "proof" : "film" };
  if (verb === "explain" && state.machine)
    return { ...state, tab: "curves", what: "price", over: get("--over") || "bytes",
             compare: given };
  if (verb === "simulate" && state.machine && isRange(get("--bytes")))
    return { ...times, over: "bytes", bytes: "64K", range: get("--bytes") };
  if (verb === "simulate" && state.machine && (isKnown || !given))
    return { ...state, tab: "time" };
  return null;
}
