# SPDX-License-Identifier: BSD-3-Clause
"""Reads the fenced blocks of the pages for the tests that run them.

- `sh`: commands, which a test types as they stand. Words behind `sh` say what they need (NEEDS).
- `output`: lines that the last command before prints, in any order. A line `...` stands for others.
- A language of LANGUAGES: a file. Its name is the last one in `code` above the block.
- `text`, or no language: nothing that a test could run.
"""

import re

from problems import problem
from tree import ROOT, matching

LANGUAGES = ("c", "c++", "fortran", "cmake", "toml", "python")
# The words that may stand behind `sh`. The last one does not restrict: such a block is also typed
# where the path of the installation has a space.
NEEDS = ("fortran", "python", "openmpi", "scalapack", "space")
# These pages are left out: programs write them, they are records of a day, or a test of its own
# follows them.
LEFT_OUT = re.compile(r"(CHANGELOG\.md|docs/(algorithms|measurements|papers|reference)/"
                      r"|docs/internals/decisions/|docs/guide/08-)")
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", flags=re.S | re.M)
FILE = re.compile(r"`([\w-]+\.(?:c|cpp|f|f90|txt|toml|py))`")


class Block:
    """Describes a fenced block: its language, the words behind that, its text and its file."""

    def __init__(self, page, info, text, above):
        words = info.split()
        self.language, self.needs = (words[0] if words else ""), set(words[1:])
        self.text = text
        names = FILE.findall(above)
        self.file = names[-1] if names else None
        if self.language in LANGUAGES and self.file is None:
            problem(f"{page}: no name of a file stands above a block of {self.language}")
        if unknown := self.needs - set(NEEDS):
            problem(f"{page}: a block needs {sorted(unknown)}, which no test knows")

    def lines(self):
        """Returns the commands of a block, or the lines of an output, without comments."""
        stripped = (re.sub(r"\s+# .*", "", line).strip() for line in self.text.splitlines())
        return [line for line in stripped if line]


def pages():
    """Returns the pages whose commands are typed, the README first."""
    found = [str(path) for path in matching("*.md") if not LEFT_OUT.match(str(path))]
    return sorted(found, key=lambda path: (path != "README.md", path))


def blocks(page):
    """Returns the fenced blocks of a page, in order."""
    text, result, last = (ROOT / page).read_text(), [], 0
    for match in FENCE.finditer(text):
        result.append(Block(page, match.group(1), match.group(2), text[last:match.start()]))
        last = match.end()
    return result


def table_commands(page):
    """Returns the commands in the right column of a table whose head is `do this`."""
    found, inside = [], False
    for line in (ROOT / page).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        inside = line.startswith("|") and (inside or cells[-1] == "do this")
        if inside:
            found += re.findall(r"`([^`]+)`", cells[-1])
    return found
