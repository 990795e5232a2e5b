# SPDX-License-Identifier: BSD-3-Clause
"""Checks the manual pages. Every function of an installed header has a page with its prototype, a
line for each argument and a return value. Two formatters find no fault with the pages, and all
pages that they refer to exist. docs/reference/quickref.md agrees with man/. Argument: calls.json
in the folder in which the build has made the pages."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import c_headers
import man_pages
from problems import finish, problem
from tree import ROOT

# The sections that the page of a call always has, in this order.
ALWAYS = ["NAME", "SYNOPSIS", "DESCRIPTION", "RETURN VALUE", "SEE ALSO"]
NAMES_NOTHING = re.compile(r"(the same|and back|the reverse|its |likewise|removes it|reads it)\b")


def check_prototypes(sources):
    documented, checked = {header: {} for header in c_headers.HEADERS}, 0
    for source in sources:
        for call in source["calls"]:
            for name, prototype in zip(call["names"], call["prototypes"]):
                documented[source["header"]][name] = c_headers.normalised(
                    prototype.replace("static inline ", ""))
    for header, calls in documented.items():
        declared = c_headers.declared(header)
        checked += len(declared)
        for name in sorted(declared.keys() - calls.keys()):
            problem(f"{header}: {name} has no manual page")
        for name in sorted(calls.keys() - declared.keys()):
            problem(f"{header} does not declare {name}, which has a manual page")
        for name in sorted(calls.keys() & declared.keys()):
            if calls[name] != declared[name]:
                problem(f"{name}: page '{calls[name]}', header '{declared[name]}'")
    return checked


def check_calls(source):
    """Checks that each page of a call says in its own words what the call does, what its arguments
    mean and what it returns."""
    used = set()
    for call in source["calls"]:
        if not call["brief"] or NAMES_NOTHING.match(call["brief"]):
            problem(f"{call['page']}: '{call['brief']}' does not say what the call does")
        for parameter in call["parameters"]:
            if not call["arguments"].get(parameter):
                problem(f"{call['page']}: argument '{parameter}' is not described")
        if not call["returned"]:
            problem(f"{call['page']}: what it returns is not described")
        for name in set(call["own"]) - set(call["parameters"]):
            problem(f"{call['page']} describes '{name}', which is no argument")
        used |= set(call["parameters"])
    for name in set(source["shared"]) - used:
        problem(f"{source['name']} describes '{name}', an argument of no call")


def check_texts(pages, sources):
    """Checks that references lead to pages, and that quoted declarations are those of the header.
    """
    known = {f"{name}({source['section']})" for source in sources for name in [
        source["name"], *source["names"], *(n for call in source["calls"] for n in call["names"])]}
    for page in pages:
        text = man_pages.FENCED.sub("", "".join(page.sections.values()))
        for reference in re.findall(r"[\w-]+\(\d\w*\)", text):
            if reference not in known:
                problem(f"{page.name}: {reference} does not exist")
        for block in page.quoted():
            if block not in c_headers.text_of(page.header):
                problem(f"{page.name}: {page.header} has not this text: {block}")


def check_sections(folder, sources):
    for source in sources:
        for call in source["calls"]:
            file = folder / f"man{source['section'][0]}" / f"{call['page']}.{source['section']}"
            found = re.findall(r"^\.SH (.*)$", file.read_text(), flags=re.M)
            if [heading for heading in found if heading in ALWAYS] != ALWAYS:
                problem(f"{file.name} has the sections {found}")


def check_roff(paths):
    """Checks that the formatters do not complain. mandoc must be installed in continuous
    integration; groff is used if it is installed."""
    paths = [path for path in paths if not path.read_text().startswith(".so")]
    if not shutil.which("mandoc") and os.environ.get("TUTTI_STRICT") == "1":
        problem("mandoc is not installed")
    for command in (["mandoc", "-T", "lint"],
                    ["groff", "-man", "-ww", "-z", "-rLL=80n", "-Tutf8"]):
        if shutil.which(command[0]):
            done = subprocess.run([*command, *paths], capture_output=True, text=True, check=False)
            for line in (done.stdout + done.stderr).splitlines():
                problem(line)


def main():
    folder = pathlib.Path(sys.argv[1]).parent
    if not (folder / "calls.json").exists():
        print("skipped: the build has made no pages (packages python3-sphinx, python3-myst-parser)")
        sys.exit(1 if os.environ.get("TUTTI_STRICT") == "1" else 77)
    sources, pages = json.loads((folder / "calls.json").read_text()), man_pages.pages()
    if {source["name"] for source in sources} != {page.name for page in pages}:
        problem("the build has not made a page of each source of man/")
    checked = check_prototypes(sources)
    for source in sources:
        check_calls(source)
    check_texts(pages, sources)
    check_sections(folder, sources)
    made = sorted(folder.glob("man?/*"))
    check_roff(made)
    if (ROOT / "docs/reference/quickref.md").read_text() != (folder / "quickref.md").read_text():
        problem("docs/reference/quickref.md is not what man/ says: make manual")
    finish(f"{checked} functions, {len(made)} pages")


main()
