#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what packaging/home says into the files of packages that cannot read it: CITATION.cff, the
fields of the Debian packages, and the recipes of Spack, conda and EasyBuild. A value that is unset
leaves its line out; the Debian packages keep the maintainer that they have."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "wheel"))
import home  # noqa: E402

# file, pattern of its line, line with {value}, name of the value, text above which a new line goes.
LINES = [
    ("CITATION.cff", r'url: ".*"\n', 'url: "{value}"\n', "url", "keywords:"),
    ("packaging/debian/control", r"Homepage: .*\n", "Homepage: {value}\n", "url",
     "Rules-Requires-Root:"),
    ("packaging/conda/recipe.yaml", r"  homepage: .*\n", "  homepage: {value}\n", "url",
     "  license: "),
    ("packaging/spack/tutti/package.py", r'    homepage = ".*"\n', '    homepage = "{value}"\n',
     "url", '    url = ("'),
    ("packaging/easybuild/tutti.eb", r"homepage = '.*'\n", "homepage = '{value}'\n", "url",
     "description = "),
]
MAINTAINER = re.compile(r"^Maintainer: .*$", re.M)


def filled(text, pattern, line, value, above):
    text = re.sub(f"^{pattern}", "", text, flags=re.M)
    return text.replace(above, line.format(value=value) + above, 1) if value else text


def texts():
    """Returns file -> its text with the values of packaging/home."""
    tree, values, made = home.HOME.parents[1], home.read(), {}
    for name, pattern, line, value, above in LINES:
        text = made.get(name) or (tree / name).read_text()
        made[name] = filled(text, pattern, line, values[value], above)
    if values["contact"]:
        maintainer = f"Maintainer: {values['author']} <{values['contact']}>"
        name = "packaging/debian/control"
        made[name] = MAINTAINER.sub(maintainer, made[name])
    return made


if __name__ == "__main__":
    for changed, new in texts().items():
        (home.HOME.parents[1] / changed).write_text(new)
