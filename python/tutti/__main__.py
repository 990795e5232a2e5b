# SPDX-License-Identifier: BSD-3-Clause
"""`python3 -m tutti ...` is the command tutti."""

import os
import sys

from tutti import _command


def main() -> None:
    try:
        command = _command.path()
    except FileNotFoundError as missing:
        sys.exit(f"tutti: {missing}")
    os.execv(command, ["tutti", *sys.argv[1:]])


if __name__ == "__main__":
    main()
