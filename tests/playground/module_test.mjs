// SPDX-License-Identifier: BSD-3-Clause
// Compares the playground's module with the command, and tries algorithms that are typed:
//   node module_test.mjs COMMAND FOLDER
// COMMAND is the command tutti, and FOLDER has what `make playground` builds.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { commands, exceptions, files } from "./cases.mjs";
import { guideTest } from "./guide_test.mjs";
import { typedTests } from "./typed_tests.mjs";

const [command, built] = process.argv.slice(2).map((given) => path.resolve(given));
const { load } = await import(pathToFileURL(path.join(built, "module.js")));
const playground = await load(pathToFileURL(path.join(built, "playground.wasm")));
const place = fs.mkdtempSync(path.join(os.tmpdir(), "tutti_playground_"));
const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname));

// The command gets no settings of this user, as in a browser.
function native(words, given, settings = {}) {
  const folder = fs.mkdtempSync(path.join(place, "run_"));
  for (const [name, contents] of Object.entries(given))
    fs.writeFileSync(path.join(folder, name), contents);
  const ended = spawnSync(command, words, {
    cwd: folder, env: { LC_ALL: "C.UTF-8", PATH: process.env.PATH, ...settings },
    maxBuffer: 1 << 28,
  });
  const written = {};
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name));
    const bytes = fs.readFileSync(path.join(folder, name));
    if (!(name in given) || !Buffer.from(given[name]).equals(bytes)) written[name] = bytes;
  }
  fs.rmSync(folder, { recursive: true });
  return { code: ended.status, output: String(ended.stdout), errors: String(ended.stderr),
           files: written };
}

// Returns what is different, or an empty text.
function difference(ours, theirs) {
  for (const part of ["code", "errors", "output"])
    if (ours[part] !== theirs[part])
      return `${part}\n  the command: ${JSON.stringify(theirs[part]).slice(0, 300)}\n` +
             `  the module:  ${JSON.stringify(ours[part]).slice(0, 300)}`;
  const names = Object.keys(theirs.files).sort().join();
  if (names !== Object.keys(ours.files).sort().join()) return `files: ${names}`;
  for (const [name, bytes] of Object.entries(theirs.files))
    if (!Buffer.from(ours.files[name]).equals(bytes)) return `the file ${name}`;
  return "";
}

function inputs() {
  const exported = (format) =>
    native(["export", "allreduce", "--algorithm", "ring", "-n", "4", "--format", format], {}).output;
  const source = path.join(root, "../../examples/machines/office.toml");
  return { ...files, "ring.json": exported("json"), "ring.xml": exported("msccl"),
           "ring.goal": exported("goal"), "office.toml": fs.readFileSync(source, "utf8") };
}

async function compare() {
  const given = inputs();
  const differ = async (line) => {
    const words = line.split(" ");
    return difference(await playground.run(words, { files: given }), native(words, given));
  };
  let wrong = 0;
  for (const line of commands) {
    const why = await differ(line);
    if (why === "") continue;
    ++wrong;
    console.log(`tutti ${line}: ${why}`);
  }
  for (const line of Object.keys(exceptions))
    assert.notEqual(await differ(line), "", `tutti ${line} is no exception any more`);
  console.log(`${commands.length} command lines, ${wrong} with another answer than the command; ` +
              `${Object.keys(exceptions).length} exceptions`);
  return wrong;
}

try {
  assert.ok(commands.length >= 300);
  await typedTests({ playground, native, command, place, root });
  await guideTest({ playground, native, difference, place, root });
  process.exitCode = (await compare()) === 0 ? 0 : 1;
} finally {
  fs.rmSync(place, { recursive: true });
}
