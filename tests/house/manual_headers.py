# SPDX-License-Identifier: BSD-3-Clause
"""Checks the manual pages. Every function of an installed header has a page with its prototype, a
line for each argument and a return value. Two formatters find no fault with the pages, and all
pages that they refer to exist. docs/reference/quickref.md agrees with man/."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import manual
import manual_pages
import manual_source
from problems import finish, problem
from tree import ROOT

# The sections that the page of a call always has, in this order.
ALWAYS = ["NAME", "SYNOPSIS", "DESCRIPTION", "RETURN VALUE", "SEE ALSO"]
NAMES_NOTHING = re.compile(r"(the same|and back|the reverse|its |likewise|removes it|reads it)\b")


def documented(pages):
    """Returns header -> name -> prototype, as the pages have them."""
    result = {header: {} for header in manual_source.HEADERS}
    for page in pages:
        for call in page.calls:
            for prototype in call.prototypes():
                name = manual_source.name_of(prototype)
                result[page.head["header"]][name] = manual_source.normalised(
                    prototype.replace("static inline ", ""))
    return result


def check_prototypes(pages):
    checked = 0
    for header, calls in documented(pages).items():
        declared = manual_source.declared(ROOT, header)
        checked += len(declared)
        for name in sorted(declared.keys() - calls.keys()):
            problem(f"{header}: {name} has no manual page")
        for name in sorted(calls.keys() - declared.keys()):
            problem(f"{header} does not declare {name}, which has a manual page")
        for name in sorted(calls.keys() & declared.keys()):
            if calls[name] != declared[name]:
                problem(f"{name}: page '{calls[name]}', header '{declared[name]}'")
    return checked


def check_calls(book):
    """Checks that each page of a call says in its own words what the call does, what its arguments
    mean and what it returns."""
    used = {source.name: set() for source in book.sources}
    for source in book.sources:
        for call in source.calls:
            if not call.brief or NAMES_NOTHING.match(call.brief):
                problem(f"{call.page()}: '{call.brief}' does not say by itself what the call does")
            for parameter in call.parameters():
                if not book.argument(parameter, call):
                    problem(f"{call.page()}: argument '{parameter}' is not described")
            if not book.returned(call):
                problem(f"{call.page()}: what it returns is not described")
            own = {
                name
                for kind, value in call.body if kind == "argument"
                for name in value.split(": ")[0].split(", ")
            }
            for name in own - set(call.parameters()):
                problem(f"{call.page()} describes '{name}', which is no argument")
            used[source.name] |= set(call.parameters())
        for entries in source.sections().values():
            for kind, value in entries:
                if kind == "argument" and not set(
                        value.split(": ")[0].split(", ")) & used[source.name]:
                    problem(f"{source.name} describes '{value}', an argument of no call")


def check_references(pages):
    known = {f"{name}({page.section})" for page in pages for name in [page.name, *page.names()]}
    for page in pages:
        for kind, value in page.body:
            if isinstance(value, str) and kind != "verbatim":
                for reference in re.findall(r"[\w-]+\(\d\w*\)", value.replace("\\-", "-")):
                    if reference not in known:
                        problem(f"{page.name}: {reference} does not exist")


def check_sections(folder, files):
    for name in files:
        text = pathlib.Path(folder, name).read_text()
        found = re.findall(r"^\.SH (.*)$", text, flags=re.M)
        if [heading for heading in found if heading in ALWAYS] != ALWAYS:
            problem(f"{name} has the sections {found}")


def check_roff(folder):
    """Checks that the formatters do not complain. mandoc must be installed in continuous
    integration; groff is used if it is installed."""
    paths = [
        str(path)
        for path in sorted(pathlib.Path(folder).rglob("*.[1357]*"))
        if not path.read_text().startswith(".so")
    ]
    if not shutil.which("mandoc") and os.environ.get("TUTTI_STRICT") == "1":
        problem("mandoc is not installed")
    if shutil.which("mandoc"):
        done = subprocess.run(["mandoc", "-T", "lint", *paths],
                              capture_output=True,
                              text=True,
                              check=False)
        for line in (done.stdout + done.stderr).splitlines():
            problem(line)
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-z", "-rLL=80n", "-Tutf8", *paths],
                              capture_output=True,
                              text=True,
                              check=False)
        for line in done.stderr.splitlines():
            problem(line)


def main():
    book = manual_pages.Manual(ROOT)
    checked = check_prototypes(book.sources)
    check_calls(book)
    check_references(book.sources)
    with tempfile.TemporaryDirectory() as folder:
        manual.write_pages(ROOT, folder, "test")
        check_sections(
            folder, {source.file(call.page()) for source in book.sources for call in source.calls})
        check_roff(folder)
        made = len(list(pathlib.Path(folder).rglob("*.[1357]*")))
    if (ROOT / "docs/reference/quickref.md").read_text() != manual.quickref(ROOT):
        problem("docs/reference/quickref.md is not what man/ says: make manual")
    finish(f"{checked} functions, {made} pages")


main()
