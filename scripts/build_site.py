#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""build_site.py COMMAND TARGET [--package FOLDER]: builds the site into TARGET/html, out of docs/,
the manual, the Python package, the notebooks, which are executed, and pages that step through an
algorithm of each family. COMMAND is `tutti`, by which the pages are drawn; FOLDER has the built
Python package, without which there are no notebooks. A warning is an error, and so are a link that
leads nowhere and a page that loads anything from elsewhere."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import check_site
from site_manual import SiteManual
from site_python import PythonPage

ROOT = Path(__file__).resolve().parent.parent
ROOT_PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
DRAWING = re.compile(r"^tutti (draw .*)$", flags=re.M)
# The menu: headings, and the pages below each.
MENU = {
    "Use": ["guide/*", "features", "CHANGELOG"],
    "Study": ["notebooks/ring_allreduce", "notebooks/which_algorithm", "notebooks/own_algorithm",
              "algorithms/README", "papers/README", "pictures/README"],
    "Reference": ["manual/index", "python", "reference/quickref", "glossary"],
    "Inside": ["internals/README", "measurements/README", "ARCHITECTURE", "CONTRIBUTING"]
}
STEPS = """
## Step by step

<iframe src="../steps/{name}.html" title="{title}, round by round" loading="lazy"
 style="width:100%;height:40rem;border:1px solid #bbb"></iframe>

<a href="../steps/{name}.html">The same page alone</a>, written by `tutti {command} --html FILE`.
"""


def copy_pages(source):
    shutil.copytree(ROOT / "docs", source, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("*.ipynb"))
    shutil.copy(ROOT / "scripts/site_conf.py", source / "conf.py")
    (source / "static").mkdir()
    shutil.copy(ROOT / "scripts/site.css", source / "static")
    for name in ROOT_PAGES:
        shutil.copy(ROOT / name, source)
    for page in source.rglob("*.md"):
        page.write_text(moved(page, source))


def write_notebooks(command, source, package):
    """Executes the notebooks with Debian's Python, which has the packages for them."""
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    variables = os.environ | {"PATH": path, "PYTHONPATH": str(package), "OPENBLAS_NUM_THREADS": "1",
                              "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    subprocess.run(["/usr/bin/python3", "-B", ROOT / "scripts/site_notebooks.py",
                    ROOT / "docs/notebooks", source / "notebooks"], check=True, env=variables)


def make_menu(source):
    """Adds the menu to the first page, and the list of a folder's pages to its README."""
    with (source / "index.md").open("a") as first:
        for heading, pages in MENU.items():
            # Without the Python package there are no notebooks. Sphinx reports any other page that
            # is not there.
            there = [page for page in pages
                     if not page.startswith("notebooks/") or (source / f"{page}.md").exists()]
            listed = "\n".join(there)
            first.write(f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {heading}\n{listed}\n```\n")
    for readme in source.rglob("README.md"):
        names = sorted(path.stem for path in readme.parent.glob("*.md") if path != readme)
        below = sorted(f"{path.parent.name}/README" for path in readme.parent.glob("*/README.md"))
        listed = "\n".join(names + below)
        readme.write_text(f"{readme.read_text()}\n```{{toctree}}\n:hidden:\n{listed}\n```\n")


def moved(page, source):
    """Returns a page whose links to the root of the tree lead to the copies of those pages, and in
    which links to other files outside of docs are only words."""

    def link(match):
        words, target = match[1], match[2]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, place = target.partition("#")
        original = (ROOT / "docs" / page.relative_to(source).parent / path).resolve()
        if page.name in ROOT_PAGES and page.parent == source:
            original = (ROOT / path).resolve()
        if original.is_relative_to(ROOT / "docs"):
            found = source / original.relative_to(ROOT / "docs")
        elif original.parent == ROOT and original.name in ROOT_PAGES:
            found = source / original.name
        else:
            return words
        if found.suffix == ".ipynb":
            found = found.with_suffix(".md")  # what it shows
        if not found.is_file():
            return words
        return f"[{words}]({os.path.relpath(found, page.parent)}{'#' + place if place else ''})"

    return re.sub(r"(?<!!)\[([^\]\[]+)\]\(([^)\s]+)\)", link, page.read_text())


def write_steps(command, source, target):
    """Writes a page that steps through the algorithm that each family's page draws."""
    target.mkdir()
    for page in sorted((source / "algorithms").glob("*.md")):
        text = page.read_text()
        drawing = DRAWING.search(text)
        if drawing is None:
            if page.name != "README.md":
                sys.exit(f"site: {page.name} has no line 'tutti draw'")
            continue
        file = target / f"{page.stem}.html"
        subprocess.run([command, *drawing[1].split(), "--html", file], check=True,
                       stdout=subprocess.DEVNULL)
        title = re.search(r"^# (.*)$", text, flags=re.M)[1]
        part = STEPS.format(name=page.stem, title=title, command=drawing[1])
        page.write_text(text.replace("\n## When\n", part + "\n## When\n", 1))


def take_styles(html):
    """Debian's furo gets one style from the server's own folder, which a site elsewhere lacks."""
    style, place = html / "_static/styles/furo.css", "/javascript/normalize.css/normalize.css"
    text = style.read_text()
    if place in text:
        shutil.copy(f"/usr/share{place}", style.parent)
        style.write_text(text.replace(place, "normalize.css"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--package", type=Path)
    options = parser.parse_args()
    shutil.rmtree(options.target, ignore_errors=True)
    options.target.mkdir(parents=True)
    source, html, extra = (options.target / name for name in ("source", "html", "extra"))
    (source / "notebooks").mkdir(parents=True)
    if options.package is not None:
        write_notebooks(options.command.resolve(), source, options.package.resolve())
    copy_pages(source)
    SiteManual(ROOT).write(source / "manual")
    PythonPage(ROOT, options.package).write(source / "python.md")
    extra.mkdir()
    if options.package is not None:
        shutil.copytree(ROOT / "docs/notebooks", extra / "notebooks")
    make_menu(source)
    write_steps(options.command.resolve(), source, extra / "steps")
    subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "-d",
                    options.target / "trees", source, html], check=True)
    take_styles(html)
    sys.exit(check_site.check(html))


if __name__ == "__main__":
    main()
