# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the pictures of the pages are what their commands draw now, that they fit a screen,
and that docs/pictures/README.md lists them all. Pages must not refer to any other picture."""

import pathlib
import re
import sys

from problems import finish, problem
from tree import ROOT, matching

import draw_pictures as pictures

MOST = (1600, 1200)
REFERENCE = re.compile(r"[(\"=]((?:[\w./-]*/)?pictures/[\w.-]+\.svg)")


def check_size(name, text):
    width, height = map(int, re.search(r'<svg [^>]*width="(\d+)" height="(\d+)"', text).groups())
    if width > MOST[0] or height > MOST[1]:
        problem(f"{name} is {width} x {height}, larger than {MOST[0]} x {MOST[1]}")


def check_pages(names):
    for page in matching("*.md"):
        for target in REFERENCE.findall((ROOT / page).read_text(encoding="utf-8")):
            path = (ROOT / page).parent / target
            if pathlib.Path(target).name not in names or not path.exists():
                problem(f"{page} shows {target}, which {pictures.FOLDER}/README.md does not list")


def main():
    texts = pictures.drawn(sys.argv[1], ROOT)
    folder = ROOT / pictures.FOLDER
    for name, text in texts.items():
        check_size(name, text)
        if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text:
            problem(f"{name} is not what its command draws: make manual")
    for path in sorted(folder.glob("*.svg")):
        if path.name not in texts:
            problem(f"{path.name} has no line in {pictures.FOLDER}/README.md")
    check_pages(texts)
    finish(f"{len(texts)} pictures")


main()
