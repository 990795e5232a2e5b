# SPDX-License-Identifier: BSD-3-Clause
"""Reads the sources of the manual, man/*.md, as text, for the checks that need no Sphinx."""

import re

from tree import ROOT

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.S | re.M)
CALLS = re.compile(r"^:::\{calls\} (\S+)\n:library: (\S+)$", flags=re.M)


class Page:
    """Holds a page: name, section, heading -> text below it, and the header and library of its
    calls."""

    def __init__(self, path):
        self.text = path.read_text()
        title, *parts = re.split(r"^## ", self.text, flags=re.M)
        self.name, self.section = re.search(r"^# ([\w-]+)\((\w+)\)$", title, flags=re.M).groups()
        self.sections = {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}
        calls = CALLS.search(title)
        self.header, self.library = calls.groups() if calls else (None, None)

    def example(self):
        """Returns the program below the heading Example."""
        return FENCED.search(self.sections["Example"])[2]

    def quoted(self):
        """Returns the blocks of C that are no programs: declarations of the header."""
        return [block for heading, text in self.sections.items() if heading != "Example"
                for language, block in FENCED.findall(text) if language == "c"]


def pages():
    return [Page(path) for path in sorted((ROOT / "man").glob("*.[1357]*.md"))]
