# SPDX-License-Identifier: BSD-3-Clause
"""What code and documents cite exists: files in docs/, sections of pages, decisions by number, and
what Markdown files link to. The list of decisions names them all."""

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
    found = ROOT / page
    return re.findall(r"^## (.*)$", found.read_text(), flags=re.M) if found.exists() else []


def check_file(path, text, known):
    """How many citations the file has."""
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
        # This file's patterns are no citations.
        if path.name != "citations.py":
            checked += check_file(path, (ROOT / path).read_text(errors="replace"), known)
    if (ROOT / "docs/internals/decisions/README.md").read_text() != decisions.index(ROOT):
        problem("docs/internals/decisions/README.md does not list the decisions: make manual")
    finish(f"{checked} citations")


main()
