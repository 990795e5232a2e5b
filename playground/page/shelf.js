// SPDX-License-Identifier: BSD-3-Clause
// What the reader has brought: files by name, and one typed algorithm. Questions get the files, and
// the algorithm where they name it.
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
