#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Replaces the table of counts in pages by the one on standard input, which `tutti reproduce
--counts` prints. The heads of the table tell where it is. Arguments: the pages."""

import pathlib
import re
import sys

TABLE = re.compile(r"^\| paper \| exhibits \|.*\n(?:\|.*\n)+", re.MULTILINE)


def main():
    counts = sys.stdin.read()
    if not TABLE.fullmatch(counts):
        sys.exit("insert_counts.py: standard input is no table of counts")
    for page in map(pathlib.Path, sys.argv[1:]):
        text, found = TABLE.subn(lambda _: counts, page.read_text(encoding="utf-8"))
        if found != 1:
            sys.exit(f"insert_counts.py: {page} has {found} tables of counts, and needs one")
        page.write_text(text, encoding="utf-8")


main()
