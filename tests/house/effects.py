# SPDX-License-Identifier: BSD-3-Clause
"""Checks that each row of the tuning table has a test that sets another value and sees its effect:
TUNING_EFFECT(row) in a test of C++, or a function effect_of_row elsewhere in tests/. Rows of the
layout have none, because nobody can set them."""

import re

from problems import finish, problem
from tree import ROOT

TABLE = ROOT / "src/base/tuning.def"
ENDINGS = (".cpp", ".c", ".py")
TEST = re.compile(r"^TUNING_EFFECT\((\w+)\) \{|^ *(?:def|void|int) effect_of_(\w+)\(", re.M)


def main():
    rows = re.findall(r"^TUTTI_TUNING\(\s*(\w+),", TABLE.read_text(encoding="utf-8"), re.M)
    tested = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix not in ENDINGS:
            continue
        for in_cpp, elsewhere in TEST.findall(path.read_text(encoding="utf-8", errors="replace")):
            tested.setdefault(in_cpp or elsewhere, path.relative_to(ROOT))
    for row in rows:
        if row not in tested:
            problem(f"no test sees the effect of the row {row} (TUNING_EFFECT, effect_of_{row})")
    for row, path in tested.items():
        if row not in rows:
            problem(f"{path} tests {row}, but the table has no such row")
    finish(f"{len(rows)} rows of the tuning table have a test of their effect")


if __name__ == "__main__":
    main()
