# SPDX-License-Identifier: BSD-3-Clause
"""Clicks through pages of `tutti draw --html` in a headless Chromium: each button and key shows the
step that it should, and nothing else."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import browser

TUTTI = os.environ["TUTTI_COMMAND"]
# The labels in the middle of a cell that are wider than it. Cells are the boxes of paths, which
# have no more pieces than "M x y h w v h h -w z".
CROSSING = r"""
const wrong = [], BOX = /M([-.0-9]+) ([-.0-9]+)h([.0-9]+)v([.0-9]+)h/g;
for (const svg of document.querySelectorAll(".step .picture svg")) {
  svg.closest(".step").hidden = false;
  const boxes = [];
  for (const path of svg.querySelectorAll("path"))
    for (const box of path.getAttribute("d").matchAll(BOX)) boxes.push(box.slice(1).map(Number));
  for (const text of svg.querySelectorAll("text.on, text.onw")) {
    const at = text.getBBox(), x = at.x + at.width / 2, y = at.y + at.height / 2;
    const around = boxes.filter(b => b[0] <= x && x <= b[0] + b[2] && b[1] <= y &&
                                     y <= b[1] + b[3]);
    const cell = around.sort((a, b) => a[2] - b[2])[0];
    if (cell === undefined || at.x < cell[0] - 0.5 || at.x + at.width > cell[0] + cell[2] + 0.5)
      wrong.push(text.textContent);
  }
}
return wrong;"""
# Widths of the page, of the picture and of its frame, and the least size of its letters.
ON_PHONE = """
const step = document.querySelector(".step:not([hidden])"), svg = step.querySelector("svg");
const sizes = Array.from(svg.querySelectorAll("text")).map(
    text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
return [document.documentElement.scrollWidth, svg.getBoundingClientRect().width,
        step.querySelector(".picture").clientWidth, Math.min(...sizes)];"""
SHOWN = """return Array.from(document.querySelectorAll(".step"))
    .filter(step => step.offsetParent !== null).map(step => step.dataset.name);"""


class Clicks(unittest.TestCase):

    def page(self, folder, *words):
        path = Path(folder, "steps.html")
        subprocess.run([TUTTI, "draw", *words, "--html", str(path)], check=True,
                       stdout=subprocess.DEVNULL)
        return path

    def test_buttons_and_keys(self):
        with tempfile.TemporaryDirectory() as folder, browser.Browser() as shown:
            shown.open(self.page(folder, "allreduce", "--algorithm", "ring", "-n", "4"))
            names = ["start"] + [f"round {t}" for t in range(1, 7)]
            at = 0
            self.check(shown, names, at)
            moves = [("#forth", 1), ("#forth", 2), ("#back", 1), ("#last", 6), ("#back", 5),
                     ("#first", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
                     ("End", 6), ("ArrowRight", 6), ("ArrowLeft", 5), ("Home", 0), ("ArrowLeft", 0)]
            for how, at in moves:
                with self.subTest(how=how, to=at):
                    shown.click(how) if how.startswith("#") else shown.press(how)
                    self.check(shown, names, at)
            shown.run("const s = document.getElementById('slider'); s.value = 3;"
                      "s.dispatchEvent(new Event('input'));")
            self.check(shown, names, 3)

    def check(self, shown, names, at):
        self.assertEqual(shown.run(SHOWN), [names[at]])
        self.assertEqual(shown.run("return document.getElementById('place').textContent;"),
                         names[at])
        disabled = shown.run("return ['first', 'back', 'forth', 'last'].map("
                             "name => document.getElementById(name).disabled);")
        last = len(names) - 1
        self.assertEqual(disabled, [at == 0, at == 0, at == last, at == last])
        sentence = shown.run("return document.querySelector('.step:not([hidden]) .sentence')"
                             ".textContent;")
        phase = "Before" if at == 0 else "Rounds 1–3" if at < 4 else "Rounds 4–6"
        self.assertTrue(sentence.startswith(phase), sentence)

    def test_play_goes_to_the_end_and_stops(self):
        with tempfile.TemporaryDirectory() as folder, browser.Browser() as shown:
            shown.open(self.page(folder, "bcast", "--algorithm", "mst", "-n", "4"))
            shown.run("document.body.dataset.milliseconds = 20;")
            for start in ("#play", " "):
                shown.click(start) if start.startswith("#") else shown.press(start)
                self.wait_for(shown, ["round 2"])
                self.assertEqual(shown.run("return document.getElementById('play')"
                                           ".getAttribute('aria-label');"), "play")
                shown.run("document.activeElement.blur();")

    def wait_for(self, shown, names):
        end = time.monotonic() + 30
        while shown.run(SHOWN) != names and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(shown.run(SHOWN), names)

    def test_labels_stay_in_their_cells(self):
        """Compares each letter with the least box around its middle, as Chromium draws both."""
        films = [("alltoall", "pairwise", "16"), ("alltoall", "bruck", "9"),
                 ("allreduce", "ring", "8"), ("allreduce", "ring", "16"), ("reduce", "mst", "16")]
        with tempfile.TemporaryDirectory() as folder, browser.Browser() as shown:
            for operation, algorithm, ranks in films:
                shown.open(self.page(folder, operation, "--algorithm", algorithm, "-n", ranks))
                shown.press("End")
                crossing = shown.run(CROSSING)
                self.assertEqual(crossing, [], (operation, algorithm, ranks))

    def test_a_phone_shows_four_ranks_whole(self):
        with tempfile.TemporaryDirectory() as folder, browser.Browser() as shown:
            shown.phone(360, 740)
            for words in (["allreduce", "--algorithm", "ring", "-n", "4"],
                          ["alltoall", "--algorithm", "pairwise", "-n", "8"]):
                shown.open(self.page(folder, *words))
                shown.press("ArrowRight")
                page, picture, frame, least = shown.run(ON_PHONE)
                self.assertLessEqual(page, 360, words)
                self.assertGreaterEqual(least, 11, words)
                if words[-1] == "4":
                    self.assertLessEqual(picture, frame)

    def test_pictures_do_not_jump(self):
        with tempfile.TemporaryDirectory() as folder, browser.Browser() as shown:
            bruck = ["alltoall", "--algorithm", "bruck:factors=2x2x2", "-n", "8"]
            shown.open(self.page(folder, *bruck))
            places = set()
            for _ in range(4):
                places.add(tuple(shown.run(
                    "const picture = document.querySelector('.step:not([hidden]) svg');"
                    "const box = picture.getBoundingClientRect();"
                    "return [box.x, box.y, box.height];")))
                shown.press("ArrowRight")
            self.assertEqual(len(places), 1, places)


if __name__ == "__main__":
    if not browser.installed():
        print("skipped: chromium and chromedriver (packages chromium, chromium-driver) are missing")
        sys.exit(77)
    unittest.main()
