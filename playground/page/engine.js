// SPDX-License-Identifier: BSD-3-Clause
// Asks the module, which runs in the worker of a frame without an origin (sandbox.html). Questions
// are answered one after another; one that takes ten seconds is ended.
const seconds = 10;
const here = name => new URL(name, import.meta.url);

async function get(name, how) {
  const response = await fetch(here(name));
  if (!response.ok) throw Error(`${name}: ${response.status} ${response.statusText}`);
  return response[how]();
}

// Adds the text of a script and of those that it imports to `scripts`.
async function addScript(name, scripts) {
  if (scripts.has(name)) return;
  scripts.set(name, "");
  const text = await get(name, "text");
  scripts.set(name, text);
  const imports = Array.from(text.matchAll(/\bfrom "\.\/([\w.]+)"/g), found => found[1]);
  await Promise.all(imports.map(other => addScript(other, scripts)));
}

async function parts() {
  const scripts = new Map();
  const [worker, wasm] = await Promise.all([get("worker.js", "text"),
    get("playground.wasm", "arrayBuffer"), addScript("module.js", scripts)]);
  return { worker, wasm, scripts };
}

function openFrame() {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.hidden = true;
  frame.title = "where commands run";
  frame.src = here("sandbox.html");
  document.body.append(frame);
  return frame;
}

export class Engine {
  #frame;
  #queue = [];
  #now = null;
  #count = 0;
  #failed = null;
  #open = false;

  constructor() {
    const loaded = parts();
    loaded.catch(() => {});  // is reported when the frame has opened
    addEventListener("message", ({ data, source }) => {
      if (source !== this.#frame.contentWindow) return;
      if (data.kind === "ready" && !this.#open) this.#begin(loaded);
      else if (data.failure) this.#fail(data.failure);
      else this.#answered(data);
    });
    this.#frame = openFrame();
  }

  async #begin(loaded) {
    try {
      this.#frame.contentWindow.postMessage({ kind: "start", ...await loaded }, "*");
      this.#open = true;
      this.#next();
    } catch (error) {
      this.#fail(String(error.message ?? error));
    }
  }

  #fail(failure) {
    this.#failed = { code: 1, output: "", errors: failure, files: {}, failed: true };
    if (this.#now) this.#queue.unshift(this.#now);
    for (const { answer } of this.#queue.splice(0)) answer(this.#failed);
    this.#now = null;
  }

  #answered(found) {
    if (this.#now?.question.id !== found.id) return;
    const { answer, begin } = this.#now;
    this.#now = null;
    answer({ ...found, ms: performance.now() - begin });
    this.#next();
  }

  #next() {
    if (!this.#open || this.#now || this.#queue.length === 0) return;
    this.#now = this.#queue.shift();
    this.#now.begin = performance.now();
    this.#frame.contentWindow.postMessage(this.#now.question, "*");
  }

  // Returns {code, output, errors, files, ms} of a command line. `more` may have files and the
  // source of an algorithm. With `plugIn`, a range of ranks, the output is the algorithm in C.
  ask(words, more = {}) {
    if (this.#failed) return Promise.resolve(this.#failed);
    return new Promise(answer => {
      const question = { id: ++this.#count, seconds, words, files: more.files ?? {},
                         algorithm: more.algorithm, plugIn: more.plugIn };
      this.#queue.push({ question, answer });
      this.#next();
    });
  }

  async json(words, more) {
    const found = await this.ask([...words, "--json"], more);
    try {
      return { ...found, json: JSON.parse(found.output) };
    } catch {
      return { ...found, json: null };
    }
  }
}
