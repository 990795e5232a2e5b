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
  element.append(...children.flat(Infinity).filter(child => child !== undefined && child !== ""));
  return element;
}

// Makes a table in a frame that scrolls. A row is a list of cells; a cell is text or an element.
// Columns of numbers stand right. The note says what the heads mean.
export function table(caption, heads, rows, { kind, note } = {}) {
  const number = heads.map((_, i) => rows.length > 0 &&
    rows.every(row => /^(–|[-\d.,]+( ([µm]?s|[KM]?i?B))?)$/.test(row[i])) ? "number" : undefined);
  return make("div", { class: "frame", tabindex: 0, role: "region", "aria-label": caption },
    make("table", { class: kind }, make("caption", {}, caption),
      make("thead", {}, make("tr", {}, heads.map(
        (head, i) => make("th", { scope: "col", class: number[i] }, head)))),
      make("tbody", {}, rows.map(row => make("tr", {}, row.map(
        (cell, i) => make("td", { class: number[i] }, cell)))))),
    note ? make("p", { class: "hint" }, note) : "");
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
