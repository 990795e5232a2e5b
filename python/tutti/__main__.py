# SPDX-License-Identifier: BSD-3-Clause
"""`python3 -m tutti ...` is the command tutti."""

import os
import shutil
import sys

from tutti import _place


def main():
    command = _place.COMMAND
    if not os.access(command, os.X_OK):
        command = shutil.which("tutti")
    if command is None:
        sys.exit("tutti: the command tutti was not found: it belongs into a folder of PATH")
    os.execv(command, ["tutti", *sys.argv[1:]])


if __name__ == "__main__":
    main()
