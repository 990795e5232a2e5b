# SPDX-License-Identifier: BSD-3-Clause
"""check.py FOLDER: checks the pages of the site. Each link within it leads to a page and a place
that exist, nothing is loaded from elsewhere, and there is an index for the search."""

import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

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
        elif parts.fragment and parts.path and unquote(parts.fragment) not in places[target]:
            yield f"has a link to {link}, a place that is not there"


root = Path(sys.argv[1]).resolve()
pages = {path: path.read_text() for path in root.rglob("*.html")}
places = {path: {*PLACE.findall(text)} for path, text in pages.items()}
found = [f"{page.relative_to(root)} {problem}" for page, text in sorted(pages.items())
         for problem in problems_of(page, text, places, root)]
found += [f"{style.relative_to(root)} loads from elsewhere" for style in root.rglob("*.css")
          if re.search(r"url\(['\"]?(https?:|/)|@import\s*['\"]", style.read_text())]
found += ["there is no index for the search"] * (not (root / "searchindex.js").is_file())
print(*[f"site: {text}" for text in found], sep="\n", end="\n" * bool(found), file=sys.stderr)
print(f"site: {len(pages)} pages in {root}")
sys.exit(bool(found))
