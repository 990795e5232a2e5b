# SPDX-License-Identifier: BSD-3-Clause
"""Writes the headers of src/algorithms (Source, Needs, Cost) as a C++ initializer. The build runs
it, so that selection evaluates the very formulas that the tests compare with the verifier's counts.

algorithm_headers.py FOLDER OUTPUT
"""

import pathlib
import re
import sys

HEADER = re.compile(r"// ([a-z_]+ [a-z0-9_]+): (.*)")
FIELD = re.compile(r"//\s+(Source|Needs|Cost):\s*(.*)")


def headers(path):
    """Returns name -> {field: text}. The fields are in the order of the file, "About" first."""
    found, texts, field = {}, None, None
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            texts = None
        elif texts is None:
            if match := HEADER.match(line):
                texts = found[match.group(1)] = {
                    "About": match.group(2), "Source": "", "Needs": "", "Cost": ""
                }
                field = "About"
        elif match := FIELD.match(line):
            field = match.group(1)
            texts[field] = match.group(2)
        else:
            texts[field] += " " + line.lstrip("/ ")
    return found


def quoted(text):
    return '"' + text.strip().replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = [
        "{" + ", ".join(map(quoted, [name, *texts.values()])) + "},\n"
        for path in sorted(folder.glob("*.cpp"))
        for name, texts in headers(path).items()
        if texts["Cost"]
    ]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("".join(sorted(rows)))


main()
