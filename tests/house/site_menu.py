# SPDX-License-Identifier: BSD-3-Clause
"""Checks what the site consists of, which needs no Sphinx: every page of the tree is in the menu of
the site, and every entry of the menu is a page. The list of the examples has all of them."""

import re
import sys
from fnmatch import fnmatch

from problems import finish, problem
from tree import ROOT, matching

sys.path.insert(0, str(ROOT / "scripts/site"))
from site_pages import FOLDERS, LANGUAGES, MENU  # noqa: E402

# The packages' own pages are no part of the site, and its first page is in no menu.
OTHERS = re.compile(r"(\.github|packaging|study|command|papers|tests|src|apps)/|README\.md$")
ENTRIES = [entry.removesuffix(".md") for pages in MENU.values() for entry in pages]
ENTRIES += [f"{folder}/*" for folder in FOLDERS]


def main():
    pages = [str(path.with_suffix("")) for path in matching("*.md", "*.ipynb")
             if not OTHERS.match(str(path))]
    for page in pages:
        if not any(fnmatch(page, entry) for entry in ENTRIES):
            problem(f"the menu of the site lacks {page}")
    for entry in ENTRIES:
        if not any(fnmatch(page, entry) for page in pages):
            problem(f"the menu of the site has {entry}, which is no page")
    listed = set(re.findall(r"\]\(([\w./]+)\)", (ROOT / "examples/README.md").read_text()))
    there = {str(path.relative_to("examples")) for path in matching("*")
             if path.parts[0] == "examples" and path.suffix in LANGUAGES}
    for name in listed ^ there:
        problem(f"{name} is no example, or examples/README.md lacks it")
    finish(f"{len(pages)} pages and {len(there)} examples")


main()
