# SPDX-License-Identifier: BSD-3-Clause
"""Makes the list of decisions in docs/internals/decisions/README.md from the records in that
folder. `make manual` runs it as a program, decisions.py ROOT, which writes the README.md again."""

import pathlib
import re
import sys
import textwrap

WIDTH = 100
FOLDER = "docs/internals/decisions"


def records(root):
    """Returns number -> file of each record. The template, 0000, is left out."""
    found = sorted(pathlib.Path(root, FOLDER).glob("[0-9]*.md"))
    return {path.name[:4]: path for path in found if path.name[:4] != "0000"}


def index(root):
    """Returns the text of README.md: its present text up to the list, and then the new list with
    number, status and title of each record."""
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
