# SPDX-License-Identifier: BSD-3-Clause
"""Draws the pictures of the pages. docs/pictures/README.md lists them with their commands.

draw_pictures.py TUTTI ROOT draws all of them anew into docs/pictures with the program TUTTI.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FOLDER = "docs/pictures"
LICENCE = "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
ENTRY = re.compile(r"^!\[[^\]]+\]\(([\w.]+)\)\n\n```sh\n(tutti .* \1)\n```$", re.M)


def listed(root):
    """Returns file -> command of each picture."""
    text = pathlib.Path(root, FOLDER, "README.md").read_text(encoding="utf-8")
    return {match[1]: match[2] for match in ENTRY.finditer(text)}


def drawn(tutti, root):
    """Returns file -> text of each picture, drawn in an empty folder."""
    tutti = os.path.abspath(tutti)
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, command in listed(root).items():
            subprocess.run([tutti] + shlex.split(command)[1:], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            texts[name] = LICENCE + pathlib.Path(folder, name).read_text(encoding="utf-8")
    return texts


def main():
    tutti, root = sys.argv[1:]
    for name, text in drawn(tutti, root).items():
        pathlib.Path(root, FOLDER, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
