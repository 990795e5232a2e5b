// SPDX-License-Identifier: BSD-3-Clause
// The view for what the reader brings: an algorithm in JavaScript, a schedule file or a machine
// file. Text runs when a button is pressed, and never because a link has brought it.
import { fragmentOf, lineOf, option } from "./commands.js";
import { make, save, time } from "./dom.js";
import { algorithms, machineFile } from "./examples.js";
import { showFilm } from "./film.js";
import { candidateTable, commandBox, countTable, failureBox, proofTable, simulatedTable, textBox }
  from "./parts.js";
import { showSvg } from "./picture.js";
import { ask, askJson, askPlugIn, shelf } from "./shelf.js";

const kinds = { algorithm: "an algorithm in JavaScript", schedule: "a schedule file",
                machine: "a machine file" };
const first = (pattern, text) => pattern.exec(text)?.[1];
// The text stays when another view is shown. `draft` is null while the text is an
// example's. The first change makes a draft of it, so that no example overwrites what was typed.
// `asked` is the command line that a link asks for beside its text.
export const own = { kind: "algorithm", text: algorithms.ring.text, name: "mine.json",
                     draft: null, asked: null };
const drafts = Object.fromEntries(Object.keys(kinds).map(kind => [kind, []]));
const left = {};  // what was shown of a kind when the reader went to another

function use(text, name, draft = null) {
  Object.assign(own, { text, name, draft });
}

// The text on display is the reader's own from here on.
function write(text, name = own.name) {
  if (!own.draft) drafts[own.kind].push(own.draft = {});
  Object.assign(own.draft, { text, name });
  use(text, name, own.draft);
}

function changeKind(kind) {
  const { text, name, draft } = own;
  left[own.kind] = { text, name, draft };
  own.kind = kind;
  own.asked = null;
  use(left[kind]?.text ?? "", left[kind]?.name, left[kind]?.draft);
}

function nameOf(kind, text) {
  if (kind === "machine") return "mine.toml";
  return /^\s*</.test(text) ? "mine.xml" : /^\s*num_ranks/.test(text) ? "mine.goal" : "mine.json";
}

// Puts the text on the shelf and returns how commands name it.
function brought(state) {
  const { kind, text } = own;
  if (kind === "algorithm") {
    const name = first(/\bname:\s*["'`](\w+)["'`]/, text);
    const operation = first(/\boperation:\s*["'`]([\w-]+)["'`]/, text);
    if (!name || !operation) throw Error('The object needs a name and an operation, such as ' +
                                         'name: "my_ring", operation: "allgather".');
    shelf.algorithm = { name, operation, source: text };
    return { operation, algorithm: name, ranks: state.ranks, range: `1..${state.ranks}` };
  }
  shelf.files[own.name] = text;
  if (kind === "machine") return { machine: `./${own.name}` };
  const operation = first(/"operation":\s*"(\w+)"/, text) ?? first(/\bcoll="(\w+)"/, text);
  const ranks = first(/"p":\s*(\d+)/, text) ?? first(/ngpus="(\d+)"/, text) ??
                first(/num_ranks\s+(\d+)/, text);
  return { operation, algorithm: `file:${own.name}`, file: own.name, ranks };
}

const target = b => b.file ? [b.file] : [b.operation, "--algorithm", b.algorithm];

async function film(b, ranks, root) {
  const words = ["draw", ...target(b), ...(b.file ? [] : ["-n", String(ranks)]),
                 ...(Number(root) > 0 ? ["--root", root] : [])];
  const answer = await ask([...words, "--html", "-"]), host = make("div");
  if (showFilm(host, answer.output)) return [commandBox([...words, "--html", "film.html"]), host];
  return [commandBox(words), textBox(await ask(words))];
}

async function verify(b, panel) {
  const words = ["verify", ...target(b), ...(b.file ? [] : ["-n", b.range])];
  const { json, ...answer } = await askJson(words), result = json?.results?.[0];
  const parts = [commandBox(words)];
  if (!result) return panel(...parts, failureBox(answer, json));
  const problem = result.problem || result.counterexample?.problem;
  if (result.correct) {
    parts.push(make("p", { class: "proved" }, `Right${b.file ? "" : ` for ${b.range} ranks`}.`),
               ...(result.counts ? [proofTable(result), countTable(result)] : []));
    return panel(...parts);
  }
  parts.push(make("p", { class: "refused", role: "alert" }, problem));
  panel(...parts);
  // The sentence names the shape that is wrong, which may have fewer ranks than the fields say.
  const [, ranks, root] = /for p = (\d+)(?:, root (\d+))?/.exec(problem) ?? [];
  panel(...parts, ...await film(b, ranks ?? b.ranks, root));
}

async function simulate(b, panel, s) {
  const words = ["simulate", ...target(b), ...(b.file ? [] : ["-n", b.ranks]),
                 ...(b.file?.endsWith(".goal") ? [] : ["--bytes", s.bytes]), "--machine", s.machine];
  const { json, ...answer } = await askJson(words), parts = [commandBox(words)];
  if (!json?.settings) return panel(...parts, failureBox(answer, json));
  parts.push(simulatedTable({ ...json.settings[0], operation: b.operation ?? b.file }));
  panel(...parts);
  const line = await ask([...words, "--svg", "-"]), host = make("div", { class: "picture" });
  if (showSvg(host, line.output, "time line of all ranks"))
    panel(...parts, commandBox([...words, "--svg", "time.svg"]), host);
}

async function price(b, panel, s) {
  const words = ["explain", b.operation, "--algorithm", b.algorithm, "--machine", s.machine, "-n",
                 b.ranks, "--bytes", s.bytes];
  const { json, ...answer } = await askJson(words), parts = [commandBox(words)];
  if (!json?.candidates) return panel(...parts, failureBox(answer, json));
  const asked = json.asked;
  if (asked?.time_us !== undefined)
    parts.push(make("p", {}, `${b.algorithm}: ${time(asked.time_us)}. The table has the others.`));
  panel(...parts, candidateTable(json));
}

async function machine(b, panel, s) {
  const words = ["info", "--machine", b.machine], answer = await ask(words);
  const parts = [commandBox(words), textBox(answer, "numbers of the machine")];
  if (answer.code !== 0) return panel(...parts);
  const timed = ["simulate", s.operation, "--machine", b.machine, "--bytes", s.bytes];
  const { json, ...more } = await askJson(timed);
  parts.push(make("p", {}, `The list of machines has ${b.machine} now.`),
             commandBox(timed),
             json?.settings ? simulatedTable(json.settings[0]) : failureBox(more, json));
  panel(...parts);
}

async function exported(b, panel) {
  const words = ["export", ...target(b), "-n", b.ranks];
  const answer = await ask([...words, "--out", "-"]);
  const name = `${b.algorithm}${b.ranks}.json`;
  if (answer.code === 0) save(name, answer.output);
  panel(commandBox([...words, "--out", name]), answer.code === 0
    ? make("p", { class: "proved" }, `Saved as ${name}. "tutti verify ${name}" proves it, and ` +
           `"--algorithm file:${name}" runs it.`) : failureBox(answer));
}

async function plugIn(b, panel) {
  const answer = await askPlugIn(Number(b.ranks)), name = `${b.algorithm}.c`;
  if (answer.code !== 0) return panel(failureBox(answer));
  save(name, answer.output);
  panel(make("p", { class: "proved" }, `Saved as ${name}, for 1 to ${b.ranks} ranks. Its first ` +
             "lines say how to compile it, and how tutti takes it."));
}

const buttons = [
  ["Verify", verify, ["algorithm", "schedule"]], ["Draw", async (b, panel) =>
    panel(...await film(b, b.ranks)), ["algorithm", "schedule"]],
  ["Price", price, ["algorithm"]], ["Simulate", simulate, ["algorithm", "schedule"]],
  ["Use", machine, ["machine"]], ["Save as schedule file", exported, ["algorithm"]],
  ["Save as plug-in in C", plugIn, ["algorithm"]],
];

async function exampleOf(kind, name, s) {
  if (kind === "algorithm") return algorithms[name].text;
  if (kind === "machine" && name === "pair") return machineFile;
  if (kind === "machine") return (await ask(["info", "--machine", name, "--toml"])).output;
  const words = ["export", s.operation, "--algorithm", s.algorithm, "-n", s.ranks, "--bytes", "1K"];
  return (await ask([...words, ...(name === "json" ? [] : ["--format", name])])).output;
}

const examplesOf = (kind, machines) => kind === "algorithm"
  ? Object.entries(algorithms).map(([id, a]) => [id, a.title])
  : kind === "schedule" ? [["json", "JSON"], ["msccl", "MSCCL XML"], ["goal", "GOAL"]]
  : [["pair", "two computers and a cable"], ...machines.map(m => [m.name, m.name])];

// A link that opens the text in the playground. The text is one word behind the view's own.
function linkWith(text) {
  const bytes = new TextEncoder().encode(text);
  const code = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
  return new URL("index.html" + fragmentOf([["own", own.kind, code]]), import.meta.url);
}

// The buttons that give the answers of these verbs.
const buttonOf = { verify: "Verify", draw: "Draw", explain: "Price", simulate: "Simulate" };

// Returns the values of the fields with which the button of a command line asks for it.
function valuesOf(words) {
  const values = { ranks: option(words, "-n", "--ranks")?.replace(/^1\.\./, ""),
                   bytes: option(words, "--bytes"), machine: option(words, "--machine") };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

// Takes what a link has brought into the fields, and runs nothing. Its second line may be a command
// line about the text; the view says which button gives it. Returns the values of fields for it.
export function fromLink([[, kind, code], asked]) {
  if (!Object.hasOwn(kinds, kind ?? "") || (!code && kind === own.kind)) return {};
  if (kind !== own.kind) changeKind(kind);
  if (!code) return {};  // the view takes an example if it has no text
  let text;
  try {
    text = new TextDecoder().decode(Uint8Array.from(atob(code), c => c.charCodeAt(0)));
  } catch {
    text = "// The link is damaged.";
  }
  own.draft = null;  // a draft stays beside what the link has brought
  write(text, nameOf(kind, text));
  own.asked = Object.hasOwn(buttonOf, asked?.[0] ?? "") ? asked : null;
  return own.asked ? valuesOf(asked) : {};
}

// The page asks for these fields for each kind. Operation and algorithm are those of an example.
const fieldsOf = { algorithm: ["ranks", "bytes", "machine"],
                   schedule: ["operation", "algorithm", "ranks", "bytes", "machine"],
                   machine: ["operation", "bytes"] };

export const view = {
  id: "own", title: "Your own",
  get fields() { return fieldsOf[own.kind]; },
  lines: () => [["own", own.kind]],
  link: () => linkWith(own.text),
  async show(panel, s, { machines, changed }) {
    if (!own.text) {
      const text = await exampleOf(own.kind, examplesOf(own.kind, machines)[0][0], s);
      use(text, nameOf(own.kind, text));
    }
    const result = make("div", { class: "result", "aria-live": "polite" });
    const inner = (...parts) => result.replaceChildren(...parts);
    const text = make("textarea", { id: "source", rows: 18, spellcheck: "false", "aria-label":
      `text of ${kinds[own.kind]}`, oninput: () => {
        write(text.value);
        listExamples();
      } });
    text.value = own.text;
    const run = async act => {
      inner(make("p", {}, "Running…"));
      try {
        const b = brought(s);
        changed();
        await act(b, inner, s);
      } catch (error) {
        inner(make("p", { class: "refused", role: "alert" }, String(error.message ?? error)));
      }
    };
    const asked = own.asked ? make("p", {}, `Press “${buttonOf[own.asked[0]]}” for `,
                                   make("code", {}, `tutti ${lineOf(own.asked)}`), ".") : "";
    const taken = () => {
      if (own.asked) asked.remove();
      own.asked = null;
      text.value = own.text;
      inner();
      listExamples();
    };
    const kind = make("fieldset", {}, make("legend", {}, "Bring"),
      Object.entries(kinds).map(([id, title]) => make("label", {}, make("input", {
        type: "radio", name: "kind", value: id, checked: own.kind === id, onchange: async () => {
          changeKind(id);
          await view.show(panel, s, { machines, changed });
          changed();
          document.querySelector(`[name=kind][value=${id}]`)?.focus();
        } }), title)));
    const mine = drafts[own.kind];
    const example = make("select", { id: "example", onchange: async () => {
      const draft = mine[/^draft (\d+)$/.exec(example.value)?.[1]];
      if (draft) {
        use(draft.text, draft.name, draft);
      } else if (example.value) {
        const content = await exampleOf(own.kind, example.value, s);
        use(content, nameOf(own.kind, content));
      }
      taken();
    } });
    function listExamples() {
      const listed = [["", "choose…"], ...examplesOf(own.kind, machines),
        ...mine.map((_, i) => [`draft ${i}`, i === 0 ? "my text" : `my text ${i + 1}`])];
      example.replaceChildren(...listed.map(([value, title]) => make("option", { value }, title)));
      example.value = own.draft ? `draft ${mine.indexOf(own.draft)}` : "";
    }
    listExamples();
    const open = make("input", { type: "file", id: "open", onchange: async () => {
      const file = open.files[0];
      if (!file) return;
      const content = await file.text();
      own.draft = null;
      write(content, own.kind === "algorithm" ? nameOf(own.kind, content)
                                              : file.name.replace(/[^\w.-]/g, "_"));
      taken();
    } });
    panel(kind,
          make("div", { class: "row" }, make("label", {}, "Example", example),
               make("label", {}, "Open a file", open)), text,
          make("p", { class: "hint" }, own.kind === "algorithm"
            ? "Nothing of this runs before you press a button. It runs in a sandbox without an " +
              "origin, for at most ten seconds." : "The text stays in this page."),
          asked,
          make("div", { class: "row actions" },
               buttons.filter(([, , where]) => where.includes(own.kind)).map(([title, act]) =>
                 make("button", { type: "button", onclick: () => run(act) }, title)),
               make("button", { type: "button", onclick: () => save(
                 own.kind === "algorithm" ? "algorithm.js" : own.name, text.value) },
                    "Save the text"),
               make("button", { type: "button", onclick: async event => {
                 const link = linkWith(own.text);
                 try {
                   await navigator.clipboard.writeText(link);
                   event.target.textContent = "Link copied";
                 } catch {
                   inner(make("p", {}, make("a", { href: link }, "This link has the text."),
                              " The browser did not let it be copied."));
                 }
               } }, "Link with this text")), result);
  },
};
