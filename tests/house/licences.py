# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every file names its licence in its first lines, that every named licence is in
LICENSES/, and that LICENSE, where people look first, is the licence of the project."""

import re

from problems import finish, problem
from tree import ROOT, files

# Files that need no licence line: formats without comments, and the licences themselves.
EXEMPT = re.compile(r"(^LICENSES?(/|$)|^packaging/debian/(changelog|copyright|source/)|\.json$"
                    r"|(^|/)\.gitignore$|^\.clang-format$|^tests/faults/corpus/)")


def main():
    checked = 0
    for path in files():
        if EXEMPT.search(str(path)):
            continue
        checked += 1
        start = (ROOT / path).read_bytes()[:600].decode("utf-8", "replace")
        match = re.search(r"SPDX-License-Identifier: ([\w.-]+)", "\n".join(start.splitlines()[:5]))
        if not match:
            problem(f"{path}: no SPDX-License-Identifier in the first five lines")
        elif not (ROOT / "LICENSES" / f"{match.group(1)}.txt").exists():
            problem(f"{path}: licence {match.group(1)} is not in LICENSES/")
    if (ROOT / "LICENSE").read_text() != (ROOT / "LICENSES/BSD-3-Clause.txt").read_text():
        problem("LICENSE is not LICENSES/BSD-3-Clause.txt")
    finish(f"{checked} files")


main()
