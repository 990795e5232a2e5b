# SPDX-License-Identifier: BSD-3-Clause
"""Checks that no line of a source or of a page is longer than 100 columns. In Markdown, tables and
blocks of code are left out, because their lines cannot be broken. Pages that a program writes are
left out, too."""

import re

from problems import finish, problem
from tree import ROOT, matching

WIDTH = 100
SOURCES = ("*.c", "*.h", "*.cpp", "*.hpp", "*.def", "*.f90", "*.py", "*.sh")
# Scripts without an ending in their names.
SCRIPTS = [".ci/run", "scripts/build", "scripts/deps", "scripts/uninstall",
           "frontends/bsp/bspcc", "frontends/bsp/bsprun"]
# Pages that `make manual` and `tutti reproduce` write.
MADE = re.compile(r"docs/(reference/quickref\.md|papers/)")


def of_code(lines):
    """Returns the numbers of the lines that belong to tables and blocks of code in a page."""
    found, in_block = set(), False
    for number, line in enumerate(lines, 1):
        fence = line.lstrip().startswith("```")
        if in_block or fence or re.match(r":::|    | *\|", line):
            found.add(number)
        if fence:
            in_block = not in_block
    return found


def main():
    sources = matching(*SOURCES) + [path for path in SCRIPTS if (ROOT / path).exists()]
    pages = [path for path in matching("*.md") if not MADE.match(str(path))]
    for path in sources + pages:
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        kept = of_code(lines) if path in pages else set()
        for number, line in enumerate(lines, 1):
            if len(line) > WIDTH and number not in kept:
                problem(f"{path}:{number}: {len(line)} columns")
    finish(f"{len(sources)} sources and {len(pages)} pages")


main()
