# SPDX-License-Identifier: BSD-3-Clause
"""Checks that everything that code and documents cite exists: files in docs/, sections of pages,
and targets of links in Markdown files, with their headings."""

import re

from problems import finish, problem
from tree import ROOT, matching

SOURCES = ("*.hpp", "*.cpp", "*.h", "*.c", "*.f90", "*.inc", "*.def", "*.py", "*.sh", "*.txt",
           "*.cmake", "*.md", "*.toml", "Makefile")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
IN_DOCS = re.compile(r"\bdocs/[\w./-]*\w")
SECTION = re.compile(r'(docs/[\w/-]+\.md)(?:\)|`)?,\s*(?://\s*)?"([^"]+)"')


def sections_of(page):
    """Returns the headings of a page, or none if the page does not exist."""
    found = ROOT / page
    return re.findall(r"^##+ (.*)$", found.read_text(), flags=re.M) if found.exists() else []


def place_of(heading):
    """Returns the name by which a link reaches a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def check_link(path, target, place):
    """Checks a link of a page to a file or to a heading."""
    page = path.parent / target if target else path
    if not (ROOT / page).exists():
        problem(f"{path} links to {target}, which does not exist")
    elif place and page.suffix == ".md":
        if place not in map(place_of, sections_of(page)):
            problem(f"{path} links to #{place} of {page}, which is no heading")


def check_file(path, text):
    """Checks the citations of a file and returns their number."""
    cited = IN_DOCS.findall(text)
    for name in cited:
        if not (ROOT / name).exists() and not list(ROOT.glob(name + "-*.md")):
            problem(f"{path} cites {name}, which does not exist")
    named = SECTION.findall(text)
    for page, section in named:
        section = re.sub(r"\s+(//\s*)?", " ", section)
        if section not in sections_of(page):
            problem(f'{path} cites section "{section}" of {page}, which does not exist')
    links = LINK.findall(text) if path.suffix == ".md" else []
    for target, place in links:
        check_link(path, target, place)
    return len(cited) + len(named) + len(links)


def main():
    checked = 0
    for path in matching(*SOURCES):
        # The patterns in this file look like citations and are not.
        if path.name != "citations.py":
            checked += check_file(path, (ROOT / path).read_text(errors="replace"))
    finish(f"{checked} citations")


main()
