# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site without a warning, and looks at it. Every page of the guide, of the catalogue and
of the manual is there. Each family has a page that steps through an algorithm. Calls have their
place in the manual, examples show their text, links lead to pages, and the search knows them.
Arguments: the build folder, and a folder for the site."""
import re
import subprocess
import sys
from pathlib import Path

import man_pages
import site_links
from problems import finish, problem
from tree import ROOT

build, folder = sys.argv[1:]
if not (ROOT / "build/peers/site/bin/python").exists():
    print("skipped: there is no Sphinx in build/peers (make peers)")
    sys.exit(77)
done = subprocess.run([ROOT / "scripts/site/build.sh", build, folder], capture_output=True,
                      text=True, check=False)
if done.returncode != 0 or done.stderr:
    problem(f"the site is not built: {done.stdout}{done.stderr}")
html = Path(folder, "html")
site_links.check(html)


def shown(page):
    return (html / f"{page}.html").read_text()


pages = [ROOT / "docs" / name for name in ("guide", "algorithms")]
wanted = [f"docs/{path.parent.name}/{path.stem}.html"
          for pages in pages for path in pages.glob("*.md")]
wanted += [f"man/{page.name}.{page.section}.html" for page in man_pages.pages()]
notebooks = {"ring_allreduce": ["is right for 2 to 16 ranks", "<svg"],
             "which_algorithm": ["simulated_us", "<table", "<svg"],
             "own_algorithm": ["is wrong: round", "both_ways [0. 1. 2. 3.]", "<svg"]}
wanted += [f"docs/notebooks/{name}.html" for name in notebooks]
PACKAGE = "/".join(("docs", "reference", "python"))
for name in [*wanted, "index.html", f"{PACKAGE}.html", "search.html"]:
    if not (html / name).is_file():
        problem(f"the site lacks {name}")
for name, texts in notebooks.items() if Path(build, "python/tutti").is_dir() else ():
    page = re.sub(r"</?span[^>]*>", "", (html / f"docs/notebooks/{name}.html").read_text())
    for lacking in [text for text in texts if text not in page]:
        problem(f"no cell of {name} shows '{lacking}'")
families = [path.stem for path in (ROOT / "docs/algorithms").glob("*.md") if path.stem != "README"]
for name in families:
    steps = html / "steps" / f"{name}.html"
    if not steps.is_file() or steps.read_text().count('<section class="step"') < 2:
        problem(f"{name} has no page that steps through it")
    elif f'src="../../steps/{name}.html"' not in shown(f"docs/algorithms/{name}"):
        problem(f"the page of {name} does not show its steps")
text = "".join(path.read_text() for path in (html / "man").glob("*.html"))
for call in ("tutti_bcast", "pvm_spawn", "bsp_sync", "dgsum2d"):
    if not re.search(rf'id="c\.\w*{call[1:]}"', text):
        problem(f"{call} has no place in the manual of the site")
for page, words in (("examples/README", "Cdgamx2d"), (PACKAGE, "recv_object")):
    if words not in shown(page):
        problem(f"{page} does not show {words}")
index = (html / "searchindex.js").read_text()
for word in ("tutti_bcast", "allgather_object", "superstep"):
    if word not in index:
        problem(f"the search does not know {word}")
finish(f"{len(wanted)} pages and {len(families)} pages of steps")
