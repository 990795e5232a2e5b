// SPDX-License-Identifier: BSD-3-Clause
// The fields above the views: lists and numbers that say what is studied.
import { make } from "./dom.js";
import { shelf } from "./shelf.js";
import { hasRoot, meshOf, usualRange } from "./views.js";

// The values of all fields before somebody chooses others.
export const plain = { operation: "allreduce", algorithm: "ring", settings: "", other: "",
                       ranks: "8", root: "0", bytes: "64K", machine: "sp2", topology: "",
                       what: "price", over: "bytes", range: "", rankRange: "",
                       compare: "" };
const sizes = ["8", "1K", "64K", "1M", "16M"];
const networks = ["line:8", "ring:8", "mesh:2x4", "torus:2x4", "mesh:4x4", "torus:4x4",
                  "hypercube:3", "crossbar:8", "bus:8", "fattree:4x2/1x2", "fattree:4x4/1x2"];
const titles = { operation: "Operation", algorithm: "Algorithm", settings: "Settings",
  other: "Beside it", ranks: "Ranks", root: "Root", bytes: "Bytes", machine: "Machine",
  topology: "Topology", what: "Curves of", over: "Over", range: "Bytes from..to",
  rankRange: "Ranks from..to", compare: "Only these" };
const hints = { settings: "such as branches=2", topology: "the machine's", compare: "ring,mst" };

function select(options, value) {
  const list = options.map(o => Array.isArray(o) ? o : [o, o]);
  if (!list.some(([id]) => id === value)) list.push([value, value]);
  return make("select", {}, list.map(([id, text]) =>
    make("option", { value: id, selected: id === value }, text)));
}

const listed = (id, values) =>
  make("datalist", { id }, values.map(value => make("option", { value })));

// The names of an operation's algorithms, the reader's own among them.
export function algorithmsOf(operation, known) {
  const names = known.filter(a => a.operation === operation).map(a => a.name);
  if (shelf.algorithm?.operation === operation) names.push(shelf.algorithm.name);
  return names;
}

const machineNames = machines => [...machines.map(m => [m.name, m.name]),
  ...Object.keys(shelf.files).filter(name => name.endsWith(".toml"))
           .map(name => [`./${name}`, name])];

function input(name, s, hint, { known, machines }) {
  switch (name) {
    case "operation": return select([...new Set(known.map(a => a.operation))].sort(), s.operation);
    case "algorithm": return select(algorithmsOf(s.operation, known), s.algorithm);
    case "other": return select([["", "nothing"], ...algorithmsOf(s.operation, known)
                                  .filter(a => a !== s.algorithm).map(a => [a, a])], s.other);
    case "machine": return select(machineNames(machines), s.machine);
    case "what": return select([["price", "price"], ["time", "simulated time"]], s.what);
    case "over": return select(["bytes", "ranks"], s.over);
    case "ranks": return make("input", { type: "number", min: 1, max: 1024, value: s.ranks });
    case "root": return make("input", { type: "number", min: 0, max: 1023, value: s.root });
    default: return make("input", { value: s[name], placeholder: hint, spellcheck: "false",
      autocomplete: "off", list: { bytes: "sizes", topology: "networks" }[name] });
  }
}

// Which fields of a view have a meaning now.
function wanted(name, s, known) {
  const found = known.find(a => a.operation === s.operation && a.name === s.algorithm);
  if (name === "root") return hasRoot(s.operation);
  if (name === "settings") return Boolean(s.settings) || (found && found.settings !== "none");
  // Over these, times are simulated, and a range says which.
  const over = s.what === "time" && s.tab === "curves" ? s.over : "";
  if (name === "range") return over === "bytes";
  if (name === "rankRange") return over === "ranks";
  if (name === "ranks") return over !== "ranks";
  if (name === "bytes") return s.operation !== "barrier" && over !== "bytes";
  return true;
}

// Fills the form. `changed` gets the name of a field and its new value.
export function fillForm(form, fields, s, data, changed) {
  const about = data.machines.find(m => m.name === s.machine)?.about;
  const settings = data.known.find(a => a.operation === s.operation &&
                                        a.name === s.algorithm)?.settings;
  form.replaceChildren(
    ...fields.filter(name => wanted(name, s, data.known)).map(name => {
      const without = name === "topology" && !fields.includes("machine");
      const usual = usualRange(s), known = { ...hints, range: usual, rankRange: usual };
      const hint = without ? meshOf(Number(s.ranks)) : known[name];
      const control = input(name, s, hint, data);
      control.id = name;
      control.addEventListener("change", () => changed(name, control.value.trim()));
      if (name === "settings") control.title = settings ?? "";
      return make("label", {}, titles[name], control);
    }),
    ...fields.includes("machine") && about ? [make("p", { class: "hint" }, about)] : [],
    listed("sizes", sizes), listed("networks", networks));
  form.hidden = fields.length === 0;
}
