// SPDX-License-Identifier: BSD-3-Clause
// Keeps what the reader has brought: files by name, and one typed algorithm. Questions get the
// files, and the algorithm where they name it.
import { Engine } from "./engine.js";

const engine = new Engine();
export const shelf = { files: {}, algorithm: null };  // algorithm: {name, operation, source}

const more = words => {
  const named = shelf.algorithm !== null &&
    words.some(w => w.split(/[,=]/).some(part => part === shelf.algorithm.name));
  return { files: shelf.files, algorithm: named ? shelf.algorithm.source : undefined };
};
// Asks for the typed algorithm as the C source of a plug-in, for 1 to so many ranks.
export const askPlugIn = to =>
  engine.ask([], { algorithm: shelf.algorithm.source, plugIn: { from: 1, to } });
export const ask = words => engine.ask(words, more(words));
export const askJson = words => engine.json(words, more(words));

// Asks which algorithms and machines there are. If the module does not run, the answer has only its
// `failure`.
export async function catalogue() {
  const [algorithms, machines] = await Promise.all([askJson(["info", "--algorithms"]),
                                                    askJson(["info", "--machines"])]);
  if (!algorithms.json || !machines.json) return { failure: algorithms };
  return { known: algorithms.json.algorithms, machines: machines.json.machines };
}
