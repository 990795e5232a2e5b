// SPDX-License-Identifier: BSD-3-Clause
// Measures the playground's module beside the command, in turn, and how large it is:
//   node playground/measure.mjs COMMAND FOLDER [TURNS]
// The time of the module has a new instance in it, and that of the command a new process.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [command, folder] = process.argv.slice(2, 4).map((given) => path.resolve(given));
const turns = Number(process.argv[4] ?? 15);
const lines = ["verify allreduce --algorithm ring -n 1..64",
               "simulate alltoall --machine ipsc860 -n 128 --bytes 1M",
               "draw allreduce --algorithm ring -n 4"];

const { load } = await import(pathToFileURL(path.join(folder, "module.js")));
const begin = performance.now();
const playground = await load(pathToFileURL(path.join(folder, "playground.wasm")));
console.log(`compiled in ${(performance.now() - begin).toFixed(0)} ms`);

const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
for (const line of lines) {
  const words = line.split(" ");
  const ours = [], theirs = [];
  for (let turn = 0; turn < turns; ++turn) {
    const start = performance.now();
    await playground.run(words);
    const between = performance.now();
    spawnSync(command, words);
    ours.push(between - start);
    theirs.push(performance.now() - between);
  }
  const [module, native] = [median(ours), median(theirs)];
  console.log(`${line}: module ${module.toFixed(0)} ms, command ${native.toFixed(0)} ms, ` +
              `ratio ${(module / native).toFixed(2)}`);
}

let sum = 0;
for (const name of ["playground.wasm", "playground.js", "module.js", "typed.js", "plug_in.js"]) {
  const bytes = fs.readFileSync(path.join(folder, name));
  const packed = zlib.brotliCompressSync(bytes).length;
  sum += packed;
  console.log(`${name}: ${bytes.length} bytes, by brotli ${packed}`);
}
console.log(`together by brotli: ${(sum / 1024).toFixed(0)} KiB`);
