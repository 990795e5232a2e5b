// SPDX-License-Identifier: BSD-3-Clause
// Shows pictures that the command has drawn. What is not on the lists here is left out of them, so
// nothing in a picture can run or load, and their styles stay in a shadow root of their own.
const elements = new Set(["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline",
  "polygon", "text", "tspan", "title", "desc", "defs", "pattern", "marker", "clipPath", "use",
  "symbol", "ul", "li", "span", "div", "p"]);
// Addresses in values of styles, also those that are written with escapes.
const loads = /url\((?!#)|image-set|\\/i;
const space = "http://www.w3.org/2000/svg";

// Returns a copy of the element for this page, and adds the texts of its styles to `styles`.
export function cleaned(element, styles = []) {
  if (element.localName === "stylesheet") {
    if (!loads.test(element.textContent) && !/@import/i.test(element.textContent))
      styles.push(element.textContent);
    return null;
  }
  if (!elements.has(element.localName)) return null;
  const copy = element.namespaceURI === space ? document.createElementNS(space, element.localName)
                                              : document.createElement(element.localName);
  for (const { name, value } of element.attributes) {
    const known = name.toLowerCase();
    if (known.startsWith("on") || known === "style" || known.startsWith("xmlns")) continue;
    if (known.endsWith("href") && !value.startsWith("#")) continue;
    if (loads.test(value)) continue;
    copy.setAttribute(name, value);
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE) copy.append(cleaned(child, styles) ?? "");
  }
  return copy;
}

export function sheet(text) {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
}

// Parses a picture or a page. Its styles get another name, for the policy of this page would report
// each of them as it is parsed.
export const parsed = (text, type) =>
  new DOMParser().parseFromString(text.replace(/<(\/?)style\b/g, "<$1stylesheet"), type);

// Shows at its edges that a frame scrolls: a shade lies there, and the ends of the content cover it.
export const more = `background:
linear-gradient(to right,var(--paper) 1rem,transparent) 0 0/2rem 100% local no-repeat,
linear-gradient(to left,var(--paper) 1rem,transparent) 100% 0/2rem 100% local no-repeat,
linear-gradient(to right,var(--shade),transparent) 0 0/.8rem 100% scroll no-repeat,
linear-gradient(to left,var(--shade),transparent) 100% 0/.8rem 100% scroll no-repeat,
var(--paper)`;
const plain = sheet(
  `:host{display:block;overflow-x:auto;${more}}svg{display:block}rect.page{fill:none}`);

// Shows an SVG in an element that scrolls where it is too wide, at its own size.
export function showSvg(host, text, name) {
  const found = parsed(text, "image/svg+xml").documentElement;
  const styles = [], svg = found.localName === "svg" ? cleaned(found, styles) : null;
  if (!svg) return false;
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [plain, sheet(styles.join("\n"))];
  root.replaceChildren(svg);
  host.tabIndex = 0;
  host.setAttribute("role", "region");
  host.setAttribute("aria-label", name);
  return true;
}
