// SPDX-License-Identifier: BSD-3-Clause
// Short ways to make elements of a page.

// Makes an element with attributes, handlers ("onclick") and children.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter(child => child !== undefined && child !== ""));
  return element;
}

// Makes a table in a frame that scrolls. A row is a list of cells; a cell is text or an element.
export function table(caption, heads, rows) {
  const cell = (name, value, i) => make(name, { class: i > 0 && /^[-\d.,]+( [µm]?s)?$/.test(value)
                                                       ? "number" : undefined }, value);
  return make("div", { class: "frame", tabindex: 0, role: "region", "aria-label": caption },
              make("table", {}, make("caption", {}, caption),
                   make("thead", {}, make("tr", {}, heads.map(h => make("th", { scope: "col" }, h)))),
                   make("tbody", {}, rows.map(row => make("tr", {}, row.map(
                     (value, i) => cell("td", value, i)))))));
}

// Microseconds as people write them.
export function time(us) {
  for (const [unit, size] of [["s", 1e6], ["ms", 1e3]])
    if (us >= size) return `${Number((us / size).toPrecision(3))} ${unit}`;
  return `${Number(us.toPrecision(3))} µs`;
}

export function bytes(n) {
  for (const [unit, size] of [["MiB", 1 << 20], ["KiB", 1 << 10]])
    if (n >= size) return `${Number((n / size).toPrecision(3))} ${unit}`;
  return `${Math.round(n)} B`;
}

// Hands the reader a file. This is the only way in which the page stores anything.
export function save(name, content) {
  const url = URL.createObjectURL(new Blob([content]));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
