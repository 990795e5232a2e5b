# SPDX-License-Identifier: BSD-3-Clause
"""Checks the pages of the site for built_site.py. Each link within it leads to a page and a place
that exist, nothing is loaded from elsewhere, and there is an index for the search."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from problems import problem

LINK = re.compile(r'<([a-z]+)\b([^>]*?)\b(?:href|src|data)="([^"]*)"([^>]*)>')
PLACE = re.compile(r'<[a-z][^>]*?\b(?:id|name)="([^"]+)"')
LOADING = ("script", "img", "iframe", "object", "source")


def problems_of(page, text, places, root):
    for tag, before, link, after in LINK.findall(text):
        parts = urlsplit(link.replace("&amp;", "&"))
        # Relations such as "index" are links and load nothing.
        loads = tag in LOADING or (tag == "link" and re.search("stylesheet|icon", before + after))
        if parts.scheme or parts.netloc:
            if loads and parts.scheme != "data":
                yield f"loads {link}"
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if not target.is_file() or not target.is_relative_to(root):
            yield f"has a link to {link}, which is not there"
        elif target.parent.name == "playground":
            continue  # the fragment is a command line
        elif parts.fragment and parts.path and unquote(parts.fragment) not in places[target]:
            yield f"has a link to {link}, a place that is not there"


def check(folder):
    root = Path(folder).resolve()
    pages = {path: path.read_text() for path in root.rglob("*.html")}
    places = {path: {*PLACE.findall(text)} for path, text in pages.items()}
    for page, text in sorted(pages.items()):
        for wrong in problems_of(page, text, places, root):
            problem(f"{page.relative_to(root)} {wrong}")
    for style in root.rglob("*.css"):
        if re.search(r"url\(['\"]?(https?:|/)|@import\s*['\"]", style.read_text()):
            problem(f"{style.relative_to(root)} loads from elsewhere")
    if not (root / "searchindex.js").is_file():
        problem("the site has no index for the search")
