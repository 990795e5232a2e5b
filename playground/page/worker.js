// SPDX-License-Identifier: BSD-3-Clause
// Answers questions with the module, in a worker of sandbox.html. Its scripts come as
// texts, because this worker can load nothing.
let loaded;

async function start({ scripts, wasm }) {
  const addresses = new Map();
  function addressOf(name) {
    if (!addresses.has(name)) {
      const text = scripts.get(name).replace(/\bfrom "\.\/([\w.]+)"/g,
                                             (_, other) => `from "${addressOf(other)}"`);
      addresses.set(name, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    }
    return addresses.get(name);
  }
  const { load } = await import(addressOf("module.js"));
  return load(wasm);
}

onmessage = async ({ data }) => {
  if (data.kind === "start") {
    loaded = start(data);
    loaded.catch(() => {});  // is reported by the first answer
    return;
  }
  const { id, words, files, algorithm, plugIn } = data;
  try {
    const playground = await loaded;
    const answer = plugIn
      ? { code: 0, output: await playground.plugIn(algorithm, plugIn), errors: "", files: {} }
      : await playground.run(words, { files, algorithm });
    postMessage({ id, ...answer });
  } catch (error) {
    postMessage({ id, code: 1, output: "", errors: String(error?.message ?? error), files: {} });
  }
};
