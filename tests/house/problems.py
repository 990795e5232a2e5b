# SPDX-License-Identifier: BSD-3-Clause
"""Helps the checks of this folder: it collects problems, prints each on a line and makes the
program fail if there is one."""

import sys

found = []


def problem(text):
    found.append(text)


def finish(checked):
    """Prints the problems and ends the program. `checked` says what was checked."""
    for text in found:
        print(text)
    print(f"{checked}: {len(found)} problem(s)")
    sys.exit(1 if found else 0)
