# SPDX-License-Identifier: BSD-3-Clause
"""What the checks of this folder share: they collect problems, print each on a line and fail if
there was one."""

import sys

found = []


def problem(text):
    found.append(text)


def finish(checked):
    """Ends the program: `checked` says what was looked at."""
    for text in found:
        print(text)
    print(f"{checked}: {len(found)} problem(s)")
    sys.exit(1 if found else 0)
