# SPDX-License-Identifier: BSD-3-Clause
"""The list of decisions in docs/internals/decisions/README.md. As a program, decisions.py ROOT
writes it anew from the records."""

import pathlib
import re
import sys
import textwrap

WIDTH = 100
FOLDER = "docs/internals/decisions"


def records(root):
    """number -> file of each record, the template left out."""
    found = sorted(pathlib.Path(root, FOLDER).glob("[0-9]*.md"))
    return {path.name[:4]: path for path in found if path.name[:4] != "0000"}


def index(root):
    """The text of README.md: what it says before the list, and a line with number, status and title
    for each record."""
    text = pathlib.Path(root, FOLDER, "README.md").read_text()
    lines = []
    for number, path in records(root).items():
        record = path.read_text()
        title = re.search(r"^# \d{4}[.:] *(.*(?:\n\S.*)*)$", record, flags=re.M).group(1)
        title = re.sub(r"\s+", " ", title)
        status = re.search(r"^Date: \S+ Status: (.*)\.$", record, flags=re.M).group(1)
        entry = f"- [{number}]({path.name}), {status}: {title[:1].upper()}{title[1:]}"
        lines += textwrap.wrap(entry, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return text[:text.index("\n\n- [")] + "\n\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[1], FOLDER, "README.md").write_text(index(sys.argv[1]))
