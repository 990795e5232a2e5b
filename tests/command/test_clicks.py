# SPDX-License-Identifier: BSD-3-Clause
"""Clicks through pages of `tutti draw --html` in a headless Chromium: each button and key shows the
step that it should, and nothing else."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import browser

TUTTI = os.environ["TUTTI_COMMAND"]
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
