// SPDX-License-Identifier: BSD-3-Clause
// Page 8 of the guide has its algorithm in C++, and playground/guide has it in JavaScript for the
// links of the page. Both give the same schedules and the same verdicts: as a plug-in of the command,
// and typed into the module, they answer alike, to the byte.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const schedule = (p, root) => `export broadcast --algorithm relay -n ${p} --root ${root}`;

function questions() {
  const all = [
    "verify broadcast --algorithm relay -n 1..64",
    "verify broadcast --algorithm relay -n 1..16 --root all --json",
    "draw broadcast --algorithm relay -n 6",
    "draw broadcast --algorithm relay -n 5 --root 3 --html film.html",
    "simulate broadcast --algorithm relay,mst --machine sp2 -n 2..16 --bytes 8",
    "explain broadcast --algorithm relay --machine sp2 -n 6 --bytes 8",
  ];
  for (let p = 1; p <= 9; ++p)
    for (let root = 0; root < p; ++root) all.push(schedule(p, root));
  return all;
}

// Compiles the code of the page as a plug-in, and returns its file.
function plugInOf(place, root) {
  const tree = path.join(root, "../..");
  const page = fs.readFileSync(path.join(tree, "docs/guide/08-write-a-collective.md"), "utf8");
  const source = path.join(place, "relay.cpp"), library = path.join(place, "relay.so");
  fs.writeFileSync(source, /^```cpp\n(.*?)^```$/ms.exec(page)[1]);
  execFileSync(process.env.CXX ?? "c++", [
    "-std=c++20", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", path.join(tree, "src"),
    "-I", path.join(tree, "include"), "-include", source, path.join(root, "guide_plug_in.cpp"),
    "-o", library]);
  return library;
}

export async function guideTest({ playground, native, difference, place, root }) {
  const library = plugInOf(place, root);
  const typed = fs.readFileSync(path.join(root, "../../playground/guide/relay.js"), "utf8");
  const differ = async (line, algorithm) => {
    const words = line.split(" ");
    return difference(await playground.run(words, { algorithm }),
                      native(words, {}, { TUTTI_GENERATORS: library }));
  };
  const lines = questions();
  for (const line of lines) assert.equal(await differ(line, typed), "", `tutti ${line}`);
  // Another right broadcast, whose root serves the rank before it first, is told apart.
  const other = typed.replace("(root + 1) % p", "(root + p - 1) % p");
  assert.equal(await differ(lines[0], other), "");
  assert.notEqual(await differ(schedule(3, 0), other), "");
  console.log(`the algorithm of the guide: ${lines.length} command lines, the same in C++ and ` +
              "JavaScript");
}
