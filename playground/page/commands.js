// SPDX-License-Identifier: BSD-3-Clause
// Command lines as text, as words and as the fragment of a link. A link holds what the page shows
// as the command lines that print it, so a page of the guide can link any command.

// Splits a line as a shell does, without variables and patterns.
export function wordsOf(line) {
  const words = [];
  for (const [piece] of line.matchAll(/(?:\\.|[^\s"'\\]|"(?:[^"\\]|\\.)*"|'[^']*')+/g))
    words.push(piece.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
                             (_, soft, hard, one) => hard ?? one ?? soft.replace(/\\(.)/g, "$1")));
  return words;
}

export const lineOf = words =>
  words.map(w => /^[\w@%+=:,.\/-]+$/.test(w) ? w : `'${w.replaceAll("'", "'\\''")}'`).join(" ");

// Returns the value behind an option, in one of its two spellings.
export function option(words, ...names) {
  for (const name of names) {
    const at = words.indexOf(name);
    if (at >= 0) return words[at + 1];
    const joined = words.find(w => w.startsWith(name + "="));
    if (joined !== undefined) return joined.slice(name.length + 1);
  }
  return undefined;
}

// Command lines of a fragment stand one after another, with ";" between them.
export const fragmentOf = lines =>
  "#" + lines.map(words => encodeURIComponent(lineOf(words)).replaceAll("%20", "+")
                             .replaceAll("%3A", ":").replaceAll("%2C", ",")
                             .replaceAll("%3D", "=").replaceAll("%2F", "/")).join(";");

export function linesOf(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text) return [];
  try {
    return text.split(";").map(line => wordsOf(decodeURIComponent(line.replaceAll("+", " "))))
               .map(words => words[0] === "tutti" ? words.slice(1) : words)
               .filter(words => words.length > 0);
  } catch {
    return [];  // a damaged link
  }
}
