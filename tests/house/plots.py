# SPDX-License-Identifier: BSD-3-Clause
"""Looks at every plot of the tree: that labels do not overlap, that no curve hides another or
passes through words, and that numbers, sizes and descriptions are those of a page.

plots.py checks the tree. The tests of the command import faults() for the plots that they draw.
"""
import itertools
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("docs/algorithms", "docs/internals", "docs/measurements", "docs/papers/figures")
SVG = "{http://www.w3.org/2000/svg}"
EXPONENT = re.compile(r"\d[eE][+-]?\d")
NARROW, WIDE = set("ijlI.,:;'|!()[]ft "), set("mwMW%@")
PAGE, LEAST_LETTERS = 720, 11
BOLD = 1.1  # titles are wider
STEP = 2
COVERED = 16  # points; curves that cross or take turns share fewer


def sizes_of(style):
    """Returns class -> size of its letters, and "" -> that of all others."""
    sizes = {"": float(re.search(r"\.plot\{font-size:(\d+)px", style)[1])}
    sizes.update({name: float(size)
                  for name, size in re.findall(r"\.plot \.(\w+)\{font-size:(\d+)px", style)})
    return sizes


def width_of(text, size):
    """Returns about how wide a text is."""
    return size * sum(0.3 if c in NARROW else 0.95 if c in WIDE else 0.6 for c in text)


def boxes_of(plot, sizes):
    """Returns (text, left, top, right, bottom) of all texts."""
    boxes = []
    for element in plot.iter(SVG + "text"):
        kinds = element.get("class", "").split()
        size = next((sizes[kind] for kind in kinds if kind in sizes), sizes[""])
        width = width_of(element.text, size) * (BOLD if "t" in kinds else 1)
        x, y = float(element.get("x")), float(element.get("y"))
        left = x - width / 2 if "m" in kinds else x - width if "e" in kinds else x
        boxes.append((element.text, left, y - 0.7 * size, left + width, y + 0.15 * size))
    return boxes


def lines_of(d):
    """Returns the lines of a path that has only corners."""
    return [[tuple(map(float, corner.split())) for corner in piece.split("L")]
            for piece in d.split("M")[1:]]


def samples_of(line):
    """Returns places of a line that are at most STEP points apart."""
    places = []
    for (x, y), (to_x, to_y) in itertools.pairwise(line):
        steps = max(1, math.ceil(math.hypot(to_x - x, to_y - y) / STEP))
        places += [(x + (to_x - x) * i / steps, y + (to_y - y) * i / steps) for i in range(steps)]
    return places + line[-1:]


def curves_of(plot):
    """Returns [(name, lines)] of the curves that have a line, and [(name, mark)] of all marks."""
    curves, marks = [], []
    for group in plot.iter(SVG + "g"):
        name = group.find(SVG + "title")
        if name is None:
            continue
        for path in group.iter(SVG + "path"):
            kind = path.get("class").split()[0]
            if kind == "line":
                curves.append((name.text, [samples_of(line) for line in lines_of(path.get("d"))]))
            elif kind in ("mark", "hollow"):
                marks += [(name.text, mark) for mark in path.get("d").split("M")[1:]]
    return curves, marks


def longest_cover(lines, cells, own):
    """Returns the index of a curve that covers the longest part of these lines, and how long."""
    longest = (None, 0)
    for line in lines:
        runs = {}
        for x, y in line:
            here = cells.get((round(x), round(y)), set()) - {own}
            runs = {other: runs.get(other, 0) + STEP for other in here}
            longest = max([longest, *runs.items()], key=lambda run: run[1])
    return longest


def hidden_curves(curves):
    cells = {}
    for index, (_, lines) in enumerate(curves):
        for x, y in itertools.chain.from_iterable(lines):
            for dx, dy in itertools.product((-1, 0, 1), repeat=2):
                cells.setdefault((round(x) + dx, round(y) + dy), set()).add(index)
    found = []
    for index, (name, lines) in enumerate(curves):
        other, length = longest_cover(lines, cells, index)
        if length > COVERED:
            found.append(f"'{name}' and '{curves[other][0]}' cover each other for {length} points")
    return found


def hidden_marks(marks):
    """Marks of one place must differ in form or size."""
    seen, found = {}, set()
    for name, mark in marks:
        x, y, form = re.match(r"(-?[\d.]+) (-?[\d.]+)(.*)", mark).groups()
        place = (round(float(x)), round(float(y)), form)
        other = seen.setdefault(place, name)
        if other != name:
            found.add(f"a mark of '{name}' hides one of '{other}'")
    return sorted(found)


def overlaps(boxes, curves, upright):
    found = []
    for a, b in itertools.combinations(boxes, 2):
        if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]:
            found.append(f"'{a[0]}' overlaps '{b[0]}'")
    for text, left, top, right, bottom in boxes:
        for name, lines in curves:
            if any(left < x < right and top < y < bottom
                   for x, y in itertools.chain.from_iterable(lines)):
                found.append(f"'{name}' passes through '{text}'")
        for x, from_y, to_y in upright:
            if left < x < right and from_y < bottom and top < to_y:
                found.append(f"the line of a crossing passes through '{text}'")
    return found


def head_faults(root, style):
    found = [f"there is no {what}" for what, there in (
        ("title", root.findtext(SVG + "title")), ("description", root.findtext(SVG + "desc")),
        ("name for screen readers", root.get("aria-label")), ("role", root.get("role") == "img"),
        ("style for dark pages", "prefers-color-scheme:dark" in style)) if not there]
    equal = re.search(r"\.equal\{stroke:(#\w+)", style)[1]
    if re.search(r"\.c\d\{color:" + equal, style):
        found.append("the diagonal has the colour of a curve")
    return found


def faults(text):
    """Returns what is wrong with a plot, a sentence each."""
    root = ElementTree.fromstring(text)
    plot = next(group for group in root.iter(SVG + "g") if group.get("class") == "plot")
    style = root.findtext(SVG + "style")
    sizes = sizes_of(style)
    width, height = map(float, root.get("viewBox").split()[2:])
    boxes = boxes_of(plot, sizes)
    curves, marks = curves_of(plot)
    upright = [tuple(map(float, re.match(r"M([\d.]+) ([\d.]+)V([\d.]+)", path.get("d")).groups()))
               for path in plot.iter(SVG + "path") if path.get("class") == "at"]
    found = head_faults(root, style)
    found += [f"'{box[0]}' has an exponent" for box in boxes if EXPONENT.search(box[0])]
    found += [f"'{box[0]}' leaves the page" for box in boxes
              if box[1] < 0 or box[2] < 0 or box[3] > width or box[4] > height]
    if min(sizes.values()) * min(1, PAGE / width) < LEAST_LETTERS:
        found.append("letters are too small on a page")
    if not curves and not marks:
        found.append("there is no curve")
    return found + overlaps(boxes, curves, upright) + hidden_curves(curves) + hidden_marks(marks)


def is_plot(text):
    return '<g class="plot">' in text


def main():
    failed = False
    for folder in FOLDERS:
        plots = {path: text for path in sorted((ROOT / folder).glob("*.svg"))
                 if is_plot(text := path.read_text(encoding="utf-8"))}
        if not plots:
            sys.exit(f"{folder} has no plots")
        for path, text in plots.items():
            for fault in faults(text):
                failed = True
                print(f"{path.relative_to(ROOT)}: {fault}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
