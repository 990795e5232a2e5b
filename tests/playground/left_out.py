# SPDX-License-Identifier: BSD-3-Clause
"""Checks that scripts/playground.sh says where emscripten is missing that the playground is left
out, and by which package it is brought, and that it ends as a skipped test does."""

import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "playground.sh"


def main():
    with tempfile.TemporaryDirectory() as folder:
        for program in ("bash", "dirname"):
            place = next(one for one in os.environ["PATH"].split(":")
                         if os.access(f"{one}/{program}", os.X_OK))
            os.symlink(f"{place}/{program}", f"{folder}/{program}")
        ended = subprocess.run([f"{folder}/bash", SCRIPT], env={"PATH": folder}, text=True,
                               stderr=subprocess.PIPE, check=False)
    if ended.returncode != SKIPPED or "package emscripten" not in ended.stderr:
        sys.exit(f"exit code {ended.returncode}: {ended.stderr}")


main()
