# SPDX-License-Identifier: BSD-3-Clause
"""An extension of Sphinx that adds to the pages what only the site has: the menu, the list of the
manual and the text of the examples. Pages of algorithms get a frame that steps through the rounds
of the algorithm that is drawn there. With the module of the playground, the site has the
playground, and the guide links its commands to it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import playground

# The pages of the menu, by headings.
MENU = {
    "Use": ["docs/index.md", "docs/guide/*", "docs/features.md", "CHANGELOG.md"],
    "See": ["docs/pictures/README.md", "examples/README.md", "docs/algorithms/README.md",
            "docs/notebooks/*", "docs/papers/README.md"],
    "Look up": ["man/README.md", "docs/reference/*", "docs/glossary.md"],
    "Inside": ["docs/internals/README.md", "docs/measurements/README.md", "ARCHITECTURE.md",
               "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"]
}
# Below the README of such a folder, the menu has all pages of the folder.
FOLDERS = ("docs/algorithms", "docs/internals", "docs/measurements", "docs/papers", "man")
SECTIONS = {1: "Commands", 3: "Calls", 5: "Files", 7: "Subjects"}
LANGUAGES = {".c": "c", ".cpp": "c++", ".f90": "fortran", ".py": "python", ".toml": "toml",
             ".xml": "xml"}
STEPS = """
## Step by step

<iframe src="../../steps/{name}.html" title="round by round" loading="lazy"></iframe>

<a href="../../steps/{name}.html">This page alone</a>, written by `tutti {command} --html FILE`.

## When
"""


# Folder with the module of the playground, if it is built.
MODULE = os.environ.get("TUTTI_SITE_PLAYGROUND")
OPEN = '\n<p><a href="playground/index.html">Open the playground</a></p>\n'


def menu(heading, pages):
    caption = f":caption: {heading}\n" if heading else ""
    listed = "".join(f"/{name}\n" for name in pages)
    return f"\n```{{toctree}}\n:hidden:\n:glob:\n{caption}{listed}```\n"


def steps(text, name, folder):
    """Draws the algorithm of a page of the catalogue, and returns the page with its frame."""
    command = re.search(r"^tutti (draw .*)$", text, flags=re.M)[1]
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tutti", *command.split(), "--html", folder / f"{name}.html"], check=True,
                   stdout=subprocess.DEVNULL)
    return text.replace("\n## When\n", STEPS.format(name=name, command=command), 1)


def examples(text):
    """Returns the texts of the examples in a list."""
    return "".join(f"\n## {name}\n\n```{{literalinclude}} {name}\n"
                   f":language: {LANGUAGES[Path(name).suffix]}\n```\n"
                   for name in re.findall(r"\[[\w.]+\]\(([\w./]+)\)", text))


def manual(folder):
    """Returns the list of the manual pages, each with the line that says what it is about."""
    text = ""
    for section, title in SECTIONS.items():
        text += f"\n## {title}\n\n"
        for path in sorted(folder.glob(f"*.{section}*.md")):
            name, about = re.search(r"^# (.*)\n\n(.*)", path.read_text(), flags=re.M).groups()
            text += f"- [{name}]({path.name}): {about}\n"
    return text


def read(app, page, text):
    folder, _, name = page.rpartition("/")
    if MODULE:
        text[0] = playground.add(text[0], page, "../../")
    if page == "README":
        if MODULE:
            text[0] = re.sub(r"^(!\[[^]]*\]\([^)]*playground\.png\))$", rf"\1\n{OPEN}", text[0],
                             flags=re.M)
        text[0] += "".join(menu(*entry) for entry in MENU.items())
    elif page == "examples/README":
        text[0] += examples(text[0])
    elif page == "man/README":
        text[0] += manual(Path(app.srcdir, folder))
    elif folder == "docs/algorithms" and name != "README":
        text[0] = steps(text[0], name, Path(app.outdir, "steps"))
    if folder in FOLDERS and name == "README":
        text[0] += menu("", [f"{folder}/*"])


def finish(app, failure):
    if not failure:
        if MODULE:
            playground.put(Path(app.outdir, "playground"), MODULE)
        shutil.copy(Path(app.outdir, "README.html"), Path(app.outdir, "index.html"))


def describe(_app, _what, _name, found, skip, _options):
    if found.docstring == RuntimeError.__doc__:
        found.docstring = ""  # errors inherit a text that says nothing of them
    return skip


def setup(app):
    app.connect("autoapi-skip-member", describe)
    app.connect("source-read", read)
    app.connect("build-finished", finish)
