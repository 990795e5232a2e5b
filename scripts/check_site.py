# SPDX-License-Identifier: BSD-3-Clause
"""Checks the pages of the site: each link within it leads to a page and a place that exist, nothing
is loaded from elsewhere, and there is an index for the search."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"),
          ("object", "data"), ("source", "src")}


class Links(HTMLParser):

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.places.update(found[name] for name in ("id", "name") if found.get(name))
        for name in ("href", "src", "data"):
            if found.get(name) is None:
                continue
            # Relations such as "index" are links and load nothing.
            loads = (tag, name) in LOADED and found.get("rel") in (None, "stylesheet", "icon")
            (self.loaded if loads else self.links).append(found[name])


def problems_of(page, pages, root):
    for link in pages[page].loaded:
        if urlsplit(link).scheme not in ("", "data") or link.startswith("//"):
            yield f"loads {link}"
    for link in [*pages[page].links, *pages[page].loaded]:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if target.is_dir():
            target /= "index.html"
        if not target.is_file() or not target.is_relative_to(root):
            yield f"has a link to {link}, which is not there"
        elif parts.fragment and target in pages and not link.startswith("#"):
            if unquote(parts.fragment) not in pages[target].places:
                yield f"has a link to {link}, a place that is not there"


def check(folder):
    root = Path(folder).resolve()
    pages = {path: Links(path.read_text()) for path in root.rglob("*.html")}
    count = 0
    for page in sorted(pages):
        for problem in problems_of(page, pages, root):
            print(f"site: {page.relative_to(root)} {problem}", file=sys.stderr)
            count += 1
    for style in root.rglob("*.css"):
        if re.search(r"url\(['\"]?(https?:|/)|@import\s*['\"]", style.read_text()):
            print(f"site: {style.relative_to(root)} loads from elsewhere", file=sys.stderr)
            count += 1
    if not (root / "searchindex.js").is_file():
        print("site: there is no index for the search", file=sys.stderr)
        count += 1
    if not count:
        print(f"site: {len(pages)} pages in {root}")
    return 1 if count else 0
