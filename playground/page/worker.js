// SPDX-License-Identifier: BSD-3-Clause
// Answers questions with the module, in a worker of sandbox.html. Both scripts come as texts,
// because this worker can load nothing.
let loaded;

async function start({ scripts, wasm }) {
  const blob = text => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const glue = blob(scripts["playground.js"]);
  const text = scripts["module.js"].replaceAll("./playground.js", glue);
  const { load } = await import(blob(text));
  return load(wasm);
}

onmessage = async ({ data }) => {
  if (data.kind === "start") {
    loaded = start(data);
    loaded.catch(() => {});  // is reported by the first answer
    return;
  }
  const { id, words, files, algorithm } = data;
  try {
    postMessage({ id, ...await (await loaded).run(words, { files, algorithm }) });
  } catch (error) {
    postMessage({ id, code: 1, output: "", errors: String(error?.stack ?? error), files: {} });
  }
};
