// SPDX-License-Identifier: BSD-3-Clause
// Runs command lines of tutti's verbs of study in a page, in a worker or in node:
//   const playground = await load(new URL("playground.wasm", import.meta.url));
//   const answer = await playground.run(["draw", "allreduce", "--algorithm", "ring", "-n", "4"]);
// Each command line gets a new instance of the module, so that nothing is left from one to the next.
import createInstance from "./playground.js";
import { plugInSource } from "./plug_in.js";
import { Typed, TypedError } from "./typed.js";

const folder = "/work"; // where the files of a command line lie
const usageError = 2;
const decoder = new TextDecoder();

async function bytesOf(source) {
  const url = new URL(source, import.meta.url);
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  return (await import("node:fs/promises")).readFile(url);
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  const given = typeof source === "string" || source instanceof URL ? await bytesOf(source) : source;
  return WebAssembly.compile(given);
}

// Collects what a program writes byte by byte.
class Sink {
  #bytes = new Uint8Array(1 << 12);
  #count = 0;
  take(byte) {
    if (byte === null) return;
    if (this.#count === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#count);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#count++] = byte;
  }
  text() {
    return decoder.decode(this.#bytes.subarray(0, this.#count));
  }
}

function sameBytes(a, b) {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

// Puts files below the folder, and finds those that a program has written there.
class Files {
  constructor(fs, given) {
    this.fs = fs;
    this.given = new Map();
    fs.mkdirTree(folder);
    for (const [name, contents] of Object.entries(given)) {
      const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
      const path = `${folder}/${name}`;
      fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      fs.writeFile(path, bytes);
      this.given.set(name, bytes);
    }
    fs.chdir(folder);
  }

  written(prefix = "") {
    const found = {};
    for (const entry of this.fs.readdir(`${folder}/${prefix}`)) {
      if (entry === "." || entry === "..") continue;
      const name = prefix + entry;
      const path = `${folder}/${name}`;
      if (this.fs.isDir(this.fs.stat(path).mode)) {
        Object.assign(found, this.written(`${name}/`));
        continue;
      }
      const bytes = this.fs.readFile(path);
      const before = this.given.get(name);
      if (before === undefined || !sameBytes(before, bytes)) found[name] = bytes;
    }
    return found;
  }
}

// Returns an error as the command prints one.
function refusal(words, message) {
  const command = words.length > 0 && !words[0].startsWith("-") ? `tutti ${words[0]}` : "tutti";
  const record = { tutti_error: 1, command, status: "invalid_argument", message,
                   exit_code: usageError };
  return {
    code: usageError,
    output: words.includes("--json") ? `${JSON.stringify(record, null, 2)}\n` : "",
    errors: `${command}: ${message}\n`,
    files: {},
  };
}

// Makes a typed algorithm known to an instance. Returns the number of its operation.
function register(instance, typed) {
  instance.typed = typed;
  const operation = instance.ccall("tutti_typed_register", "number", ["string", "string", "number"],
                                   [typed.name, typed.operation, typed.flags]);
  if (operation < 0) throw new TypedError(instance.ccall("tutti_typed_problem", "string", [], []));
  return operation;
}

class Playground {
  #module;
  constructor(module) {
    this.#module = module;
  }

  // Runs a command line, which is a list of words behind `tutti`. `files` has the contents of files
  // by name. `algorithm` is the text of an algorithm that is typed in JavaScript.
  async run(words, { files = {}, algorithm = null } = {}) {
    try {
      const typed = algorithm === null ? null : new Typed(algorithm);
      return await this.#run(words.map(String), files, typed);
    } catch (error) {
      if (error instanceof TypedError) return refusal(words, error.message);
      throw error;
    }
  }

  // Returns the C source of a plug-in with this algorithm for `from` to `to` ranks.
  async plugIn(algorithm, { from = 1, to = 16 } = {}) {
    const typed = new Typed(algorithm);
    const instance = await this.#instance(new Sink(), new Sink());
    return plugInSource(typed, register(instance, typed), from, to);
  }

  async #run(words, files, typed) {
    const output = new Sink();
    const errors = new Sink();
    const instance = await this.#instance(output, errors);
    const inside = new Files(instance.FS, files);
    if (typed !== null) register(instance, typed);
    const code = instance.callMain(words);
    return { code, output: output.text(), errors: errors.text(), files: inside.written() };
  }

  #instance(output, errors) {
    return new Promise((resolve, reject) => createInstance({
      noInitialRun: true,
      thisProgram: "tutti",
      stdin: () => null,
      stdout: (byte) => output.take(byte),
      stderr: (byte) => errors.take(byte),
      instantiateWasm: (imports, receive) => {
        WebAssembly.instantiate(this.#module, imports).then(receive, reject);
        return {};
      },
    }).then(resolve, reject));
  }
}

// Returns the playground of a module: its address, its bytes, or itself compiled.
export async function load(source) {
  return new Playground(await compiled(source));
}
