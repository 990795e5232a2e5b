# SPDX-License-Identifier: BSD-3-Clause
"""Reads the fenced blocks of the pages for the tests that run them.

- `sh`: commands, which a test types as they stand. Words behind `sh` say what they need (NEEDS).
- `output`: lines that the last command before prints, in any order. A line `...` stands for others.
  Behind `output numbers`, numbers may be others, lines may be broken anywhere, and `...` stands for
  any text.
- A language of LANGUAGES: a file. Its name is the last one in `code` above the block.
- A language in braces, such as `{toctree}`: a part that only the site shows.
- `text`: what no test types or compares. One word behind it says why (REASONS), or is `from=FILE`:
  a piece of that file of the tree.
"""

import re

from problems import problem
from tree import ROOT, matching

LANGUAGES = ("c", "c++", "fortran", "cmake", "make", "toml", "python")
# The words that may stand behind `sh` and `output`. Those of NO_NEEDS do not restrict. A block with
# `space` is also typed where the path of the installation has a space.
NO_NEEDS = ("space", "numbers")
# Components of the installation that are built by themselves.
OF_COMPONENTS = ("apps", "papers")
NEEDS = ("fortran", "python", "numpy", "openmpi", "scalapack", "two-processors", "modules",
         *OF_COMPONENTS, *NO_NEEDS)
# Why a text is neither typed nor compared.
REASONS = {
    "make": "targets of the Makefile, which take minutes; other tests make them",
    "installs": "it installs packages, or needs what they install",
    "hosts": "it needs several hosts",
    "words": "it is no command",
    "drawing": "it is a drawing or a map"
}
MAKE = re.compile(r"(?:sudo )?make ([a-z-]+)(?: +#.*)?")
# These pages are left out: programs write them, they are records of a day, or tests of their own
# follow them.
LEFT_OUT = re.compile(r"(CHANGELOG\.md|man/|docs/(algorithms|measurements|papers|reference)/"
                      r"|docs/guide/08-)")
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", flags=re.S | re.M)
FILE = re.compile(r"`([\w-]+\.(?:c|cpp|f|f90|txt|toml|py)|Makefile)`")


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
        if self.language == "text":
            self.check_text(page, words[1:])
        elif unknown := self.needs - set(NEEDS):
            problem(f"{page}: a block needs {sorted(unknown)}, which no test knows")
        elif self.language not in ("sh", "output", *LANGUAGES):
            problem(f"{page}: a block is of {self.language or 'no language'}, which no test knows")

    def check_text(self, page, words):
        """Compares what can be compared of a block that no test types."""
        if len(words) == 1 and words[0].startswith("from="):
            path = words[0].removeprefix("from=")
            if self.text not in (ROOT / path).read_text():
                problem(f"{page}: a block is said to be from {path}, and is not there as it stands")
        elif len(words) != 1 or words[0] not in REASONS:
            problem(f"{page}: a block of text has the words {words}, and needs one of "
                    f"{sorted(REASONS)}, or from=FILE: {self.text[:60]!r}")
        elif words == ["make"]:
            for line in self.text.splitlines():
                target = MAKE.fullmatch(line)
                if not target or f"\n{target.group(1)}:" not in (ROOT / "Makefile").read_text():
                    problem(f"{page}: '{line}' is no target of the Makefile")

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
        if match.group(1).startswith("{"):
            continue
        result.append(Block(page, match.group(1), match.group(2), text[last:match.start()]))
        last = match.end()
    return result


def table_commands(page):
    """Returns the commands in the right column of a table whose head is `do this`. Each row has
    some."""
    found, inside = [], False
    for line in (ROOT / page).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        begins = cells[-1] == "do this"
        inside = line.startswith("|") and (inside or begins)
        if not inside or begins or set(line) <= set("|-"):
            continue
        commands = re.findall(r"`([^`]+)`", cells[-1])
        found += commands
        if not commands:
            problem(f"{page}: the row '{cells[0]}' has no command")
    return found


def file_of(page, name):
    """Returns the text of the first block of a page that is the file of this name."""
    return next(block.text for block in blocks(page) if block.file == name)
