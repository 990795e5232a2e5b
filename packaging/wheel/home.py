# SPDX-License-Identifier: BSD-3-Clause
"""Gives the wheel what packaging/home says: licence, author and addresses. scikit-build-core calls
dynamic_metadata(), because pyproject.toml names this file. Run by itself, it fails if a value is
not set, which a release refuses."""

import pathlib
import sys

HOME = pathlib.Path(__file__).parents[1] / "home"
# pip shows these two; the page of a package index shows both as links.
LINKS = {"Homepage": "url", "Issues": "tracker"}


def read(path=HOME):
    """Returns name -> value. A value that is not set is empty."""
    lines = [line for line in path.read_text().splitlines() if "=" in line and line[0] != "#"]
    return {name.strip(): value.strip() for name, value in (line.split("=", 1) for line in lines)}


def dynamic_metadata(_settings, _project):
    home = read()
    author = {"name": home["author"]} | ({"email": home["contact"]} if home["contact"] else {})
    return {"license": home["licence"], "authors": [author],
            "urls": {link: home[name] for link, name in LINKS.items() if home[name]}}


if __name__ == "__main__":
    if unset := [name for name, value in read().items() if not value]:
        sys.exit(f"packaging/home has no value for {', '.join(unset)}")
