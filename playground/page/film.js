// SPDX-License-Identifier: BSD-3-Clause
// A film: the rounds of a schedule, one picture at a time, out of the page that `tutti draw --html`
// writes. Buttons, slider and keys are this page's, because no script of that page runs here.
import { make } from "./dom.js";
import { cleaned, more, parsed, sheet } from "./picture.js";

const layout = sheet(`:host{display:block}
.picture{overflow-x:auto;${more}}
.picture svg{display:block;width:100%;height:auto;overflow:visible}
.picture rect.page{fill:none}
.key{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;margin:.6rem 0;padding:0}
.key li{display:flex;align-items:center;gap:.4rem}
.key svg{flex:none}`);
const pause = 1500;

function stepOf(section, styles) {
  const picture = make("div", { class: "picture", tabindex: 0 });
  const svg = section.querySelector("svg");
  const copy = cleaned(svg, styles);
  // Letters are never smaller than drawn, and small pictures do not fill the screen.
  copy.style.minWidth = `${svg.getAttribute("width")}px`;
  copy.style.maxWidth = `${1.7 * svg.getAttribute("width")}px`;
  copy.style.maxHeight = `max(66vh, ${svg.getAttribute("height")}px)`;
  picture.append(copy);
  const sentence = section.querySelector(".sentence"), key = section.querySelector(".key");
  return { name: section.dataset.name, picture, width: Number(svg.getAttribute("width")),
           key: key ? cleaned(key, styles) : "",
           wrong: sentence?.classList.contains("wrong"), sentence: sentence?.textContent ?? "" };
}

// Shows the film in `host`, and returns the width of its widest picture, or 0 if the text is no
// film. A film with a fault opens at the round of the fault, others at the first round.
export function showFilm(host, text) {
  const page = parsed(text, "text/html");
  const styles = Array.from(page.querySelectorAll("svg.style stylesheet"), s => s.textContent);
  const defs = page.querySelector("svg.style defs");
  const steps = Array.from(page.querySelectorAll(".step"), s => stepOf(s, styles));
  if (steps.length === 0) return 0;
  const stage = make("div", { class: "stage" });
  const root = stage.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [layout, sheet(styles.join("\n"))];
  const shared = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  shared.setAttribute("width", 0);
  shared.setAttribute("height", 0);
  shared.style.position = "absolute";
  if (defs) shared.append(cleaned(defs));
  const place = make("output", { "aria-live": "polite" });
  const sentence = make("p", { class: "sentence" });
  const slider = make("input", { type: "range", "aria-label": "round", min: 0,
    max: steps.length - 1, oninput: () => go(Number(slider.value)) });
  const button = (mark, label, act) =>
    make("button", { type: "button", title: label, "aria-label": label, onclick: act }, mark);
  let at = 0, timer = 0;
  const last = steps.length - 1;
  function show(wanted) {
    at = Math.max(0, Math.min(last, wanted));
    const step = steps[at];
    root.replaceChildren(shared, step.picture, step.key);
    place.textContent = step.name;
    slider.value = at;
    slider.setAttribute("aria-valuetext", step.name);
    sentence.textContent = step.sentence;
    sentence.className = step.wrong ? "sentence wrong" : "sentence";
    first.disabled = back.disabled = at === 0;
    end.disabled = forth.disabled = at === last;
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "▶";
    play.setAttribute("aria-label", "play");
  }
  function go(wanted) {
    stop();
    show(wanted);
  }
  const first = button("|<", "to the start (Home)", () => go(0));
  const back = button("<", "one round back (left arrow)", () => go(at - 1));
  const play = button("▶", "play", () => {
    if (timer) return stop();
    if (at === last) show(0);
    play.textContent = "■";
    play.setAttribute("aria-label", "stop");
    timer = setInterval(() => {
      if (!host.isConnected || at + 1 >= last) stop();
      show(at + 1);
    }, pause);
  });
  const forth = button(">", "one round forth (right arrow)", () => go(at + 1));
  const end = button(">|", "to the end (End)", () => go(last));
  const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0),
                 End: () => go(last) };
  const notes = Array.from(page.querySelectorAll("body > p"), p => make("p", {}, p.textContent));
  const film = make("section", { class: "film", onkeydown: event => {
    if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  } }, make("h3", {}, page.querySelector("h1")?.textContent ?? ""), notes,
    make("div", { class: "controls", role: "group", "aria-label": "rounds" }, first, back, play,
         forth, end, slider, place), sentence, stage);
  host.replaceChildren(film);
  const fault = steps.findIndex(step => step.wrong);
  show(fault >= 0 ? fault : Math.min(1, last));
  return Math.max(...steps.map(step => step.width));
}
