# SPDX-License-Identifier: BSD-3-Clause
"""Every function of an installed header has a manual page, every documented prototype is the header's, the pages can be
made, what they refer to exists, and docs/quickref.md is what man/ says."""

import pathlib
import re
import shutil
import subprocess
import tempfile

import manual
import manual_source
from problems import finish, problem
from tree import ROOT


def documented(pages):
    """header -> name -> prototype, from the pages."""
    result = {header: {} for header in manual_source.HEADERS}
    for page in pages:
        for call in page.calls:
            if not call.brief:
                problem(f"{page.name}: {call.template} has no line for the quick reference")
            for prototype in call.prototypes():
                name = manual_source.name_of(prototype)
                result[page.head["header"]][name] = manual_source.normalised(prototype.replace("static inline ", ""))
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


def check_references(pages):
    known = {f"{name}({page.section})" for page in pages for name in [page.name, *page.names()]}
    for page in pages:
        for kind, value in page.body:
            if kind in ("text", "item"):
                for reference in re.findall(r"[\w-]+\(\d\)", value.replace("\\-", "-")):
                    if reference not in known:
                        problem(f"{page.name}: {reference} does not exist")


def check_roff(folder):
    """The formatter has nothing to complain about."""
    if shutil.which("groff"):
        for path in sorted(pathlib.Path(folder).rglob("*.[1357]")):
            if not path.read_text().startswith(".so"):
                done = subprocess.run(["groff", "-man", "-ww", "-z", "-rLL=120n", "-Tutf8", str(path)],
                                      capture_output=True, text=True, check=False)
                if done.stderr:
                    problem(done.stderr)


def main():
    pages = manual_source.pages(ROOT)
    checked = check_prototypes(pages)
    check_references(pages)
    with tempfile.TemporaryDirectory() as folder:
        manual.write_pages(ROOT, folder, "test")
        check_roff(folder)
        made = len(list(pathlib.Path(folder).rglob("*.[1357]")))
    if (ROOT / "docs/quickref.md").read_text() != manual.quickref(ROOT):
        problem("docs/quickref.md is not what man/ says: make manual")
    finish(f"{checked} functions, {made} pages")


main()
