# SPDX-License-Identifier: BSD-3-Clause
"""Checks that everything that code and documents cite exists: files in docs/, sections of pages,
decisions by number, and targets of links in Markdown files. It also checks that the list of
decisions is complete."""

import re

import decisions
from problems import finish, problem
from tree import ROOT, matching

SOURCES = ("*.hpp", "*.cpp", "*.h", "*.c", "*.f90", "*.inc", "*.def", "*.py", "*.sh", "*.txt",
           "*.cmake", "*.md", "*.toml", "Makefile")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
IN_DOCS = re.compile(r"\bdocs/[\w./-]*\w")
DECISION = re.compile(r"\b[Dd]ecisions? (?:\[)?(\d+)")
SECTION = re.compile(r'(docs/[\w/-]+\.md)(?:\)|`)?,\s*(?://\s*)?"([^"]+)"')


def sections_of(page):
    """Returns the headings of a page, or none if the page does not exist."""
    found = ROOT / page
    return re.findall(r"^## (.*)$", found.read_text(), flags=re.M) if found.exists() else []


def check_file(path, text, known):
    """Checks the citations of a file and returns their number."""
    cited = IN_DOCS.findall(text)
    for name in cited:
        if not (ROOT / name).exists() and not list(ROOT.glob(name + "-*.md")):
            problem(f"{path} cites {name}, which does not exist")
    numbers = DECISION.findall(text)
    for number in numbers:
        if number not in known:
            problem(f"{path} cites decision {number}, which does not exist")
    named = SECTION.findall(text)
    for page, section in named:
        section = re.sub(r"\s+(//\s*)?", " ", section)
        if section not in sections_of(page):
            problem(f'{path} cites section "{section}" of {page}, which does not exist')
    links = LINK.findall(text) if path.suffix == ".md" else []
    for link in links:
        if not (ROOT / path.parent / link).exists():
            problem(f"{path} links to {link}, which does not exist")
    return len(cited) + len(numbers) + len(named) + len(links)


def main():
    known, checked = decisions.records(ROOT), 0
    for path in matching(*SOURCES):
        # The patterns in this file look like citations and are not.
        if path.name != "citations.py":
            checked += check_file(path, (ROOT / path).read_text(errors="replace"), known)
    if (ROOT / "docs/internals/decisions/README.md").read_text() != decisions.index(ROOT):
        problem("docs/internals/decisions/README.md does not list the decisions: make manual")
    finish(f"{checked} citations")


main()
