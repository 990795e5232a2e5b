# SPDX-License-Identifier: BSD-3-Clause
"""Checks the menu of the site, which needs no Sphinx: every page of the menu is there, and without
the Python package only the notebooks are left out."""
import itertools
import re
import tempfile
from pathlib import Path

from build_site import MENU, copy_pages, make_menu
from problems import finish, problem
from site_manual import SiteManual
from site_python import PythonPage
from tree import ROOT

NOTEBOOKS = [f"notebooks/{path.stem}" for path in sorted(ROOT.glob("docs/notebooks/*.ipynb"))]
ALL = list(itertools.chain(*MENU.values()))


def menu_of(notebooks):
    """Returns the pages of the menu of a site with these notebooks, each of which is there."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        (source / "notebooks").mkdir(parents=True)
        for name in notebooks:
            (source / f"{name}.md").write_text("# A notebook\n")
        copy_pages(source)
        SiteManual(ROOT).write(source / "manual")
        PythonPage(ROOT, None).write(source / "python.md")
        make_menu(source)
        lists = re.findall(r"^:caption: .*\n((?:.+\n)*?)```$", (source / "index.md").read_text(),
                           flags=re.M)
        pages = [page for text in lists for page in text.split()]
        for page in pages:
            if not list(source.glob(f"{page}.md")):
                problem(f"the menu has {page}, which is no page")
        return pages


if sorted(NOTEBOOKS) != sorted(page for page in ALL if page.startswith("notebooks/")):
    problem(f"the menu does not have the notebooks {NOTEBOOKS}")
if menu_of(NOTEBOOKS) != ALL:
    problem("with the Python package, the menu is not complete")
if menu_of([]) != [page for page in ALL if page not in NOTEBOOKS]:
    problem("without the Python package, the menu leaves out more than the notebooks, or less")
if menu_of(NOTEBOOKS[1:]) != [page for page in ALL if page != NOTEBOOKS[0]]:
    problem("the menu leaves out more than a missing notebook, or less")
finish(f"{len(ALL)} pages in the menu")
