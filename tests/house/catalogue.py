# SPDX-License-Identifier: BSD-3-Clause
"""Checks that docs/algorithms is what `tutti info --catalogue` writes now, that its pictures fit a
screen, and that all its links lead somewhere. Argument: the command.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from problems import finish, problem
from tree import ROOT

FOLDER = ROOT / "docs/algorithms"
MOST = (1600, 1200)
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")


def files(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


def main():
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([sys.argv[1], "info", "--catalogue", name], check=True)
        wanted = files(pathlib.Path(name))
    found = files(FOLDER)
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            problem(f"docs/algorithms/{name} is not what the command writes: make manual")
    for name, text in found.items():
        if name.endswith(".svg"):
            size = re.search(r'<svg [^>]*width="(\d+)" height="(\d+)"', text)
            if int(size[1]) > MOST[0] or int(size[2]) > MOST[1]:
                problem(f"{name} is {size[1]} x {size[2]}, larger than {MOST[0]} x {MOST[1]}")
            continue
        for target in LINK.findall(text):
            if not (FOLDER / target).exists():
                problem(f"docs/algorithms/{name} refers to {target}, which is not there")
    finish(f"{len(found)} files of the catalogue")


main()
