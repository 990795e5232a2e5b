# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site without a warning, and looks at it. Every page of the guide, of the catalogue and
of the manual is there. Each family has a page that steps through an algorithm. Calls have their
place in the manual, and the search knows them. Arguments: the command, a folder, and the folder of
the built Python package if there is one."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import manual_source
from problems import finish, problem
from tree import ROOT

command, folder, *package = sys.argv[1:]
package = [name for name in package if name]
if shutil.which("sphinx-build") is None:
    print("skipped: Sphinx (packages python3-sphinx, python3-myst-parser, furo) was not found")
    sys.exit(77)
done = subprocess.run([
    sys.executable, ROOT / "scripts/build_site.py", command, folder,
    *(["--package", package[0]] if package else [])
], capture_output=True, text=True, check=False)
if done.returncode != 0 or done.stderr:
    problem(f"the site is not built: {done.stdout}{done.stderr}")
html = Path(folder, "html")
pages = [ROOT / "docs" / name for name in ("guide", "algorithms")]
wanted = [f"{path.parent.name}/{path.stem}.html" for pages in pages for path in pages.glob("*.md")]
wanted += [f"manual/{page.name}.{page.section}.html" for page in manual_source.pages(ROOT)]
notebooks = {"ring_allreduce": ["is right for 2 to 16 ranks", "_images/ring_allreduce_"],
             "which_algorithm": ["simulated_us", "<table>", "_images/which_algorithm_"],
             "own_algorithm": ["is wrong: round", "both_ways [0. 1. 2. 3.]",
                               "_images/own_algorithm_"]}
if package:
    wanted += [f"notebooks/{name}.html" for name in notebooks]
for name in [*wanted, "python.html", "search.html"]:
    if not (html / name).is_file():
        problem(f"the site lacks {name}")
for name, texts in notebooks.items() if package else ():
    page = re.sub(r"</?span[^>]*>", "", (html / f"notebooks/{name}.html").read_text())
    for lacking in [text for text in texts if text not in page]:
        problem(f"no cell of {name} shows '{lacking}'")
families = [path.stem for path in (ROOT / "docs/algorithms").glob("*.md") if path.stem != "README"]
for name in families:
    steps = html / "steps" / f"{name}.html"
    if not steps.is_file() or steps.read_text().count('<section class="step"') < 2:
        problem(f"{name} has no page that steps through it")
    elif f'src="../steps/{name}.html"' not in (html / f"algorithms/{name}.html").read_text():
        problem(f"the page of {name} does not show its steps")
text = "".join(path.read_text() for path in (html / "manual").glob("*.html"))
for call in ("tutti_bcast", "pvm_spawn", "bsp_sync", "dgsum2d"):
    if not re.search(rf'id="call-\w*{call[1:]}"', text):
        problem(f"{call} has no place in the manual of the site")
index = (html / "searchindex.js").read_text()
for word in ("tutti_bcast", "allgather_object", "superstep"):
    if word not in index:
        problem(f"the search does not know {word}")
finish(f"{len(wanted)} pages and {len(families)} pages of steps")
