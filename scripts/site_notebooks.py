#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""site_notebooks.py FOLDER TARGET: executes the notebooks of a folder and writes each as a page of
Markdown for the site, with what its cells show. Pictures become files, because their styles would
hold for the whole page otherwise. It needs nbclient and ipykernel, which Debian has for its own
Python; that Python must find the package tutti, and PATH its command."""

import itertools
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # colours of a terminal


def fenced(text, language):
    """Returns a block of code, whose fence is longer than any in the text."""
    fence = "`" * max(3, *(len(found) + 1 for found in re.findall(r"`+", text) or [""]))
    return [f"{fence}{language}", text.rstrip("\n"), fence, ""]


def text_shown(text):
    """Returns a block of text that looks other than the code of cells."""
    return fenced(":class: shown\n\n" + ESCAPES.sub("", text), "{code-block} text")


def picture(svg, file):
    file.write_text(svg)
    title = re.search(r"<title>(.*?)</title>", svg)
    return [f"![{title[1] if title else 'a picture'}]({file.name})", ""]


def tables(html, files):
    """Returns the lines of HTML, in which a picture may follow a table."""
    lines = []
    for part in filter(str.strip, re.split(r"(<svg\b.*?</svg>)", html, flags=re.S)):
        if part.startswith("<svg"):
            lines += picture(part, next(files))
        else:
            lines += ["````{raw} html", '<div class="shown-table">', part, "</div>", "````", ""]
    return lines


def shown(output, files):
    """Returns the lines of what a cell shows: a picture or a table, or else its text. `files` are
    the names for pictures."""
    if output.output_type == "stream":
        return text_shown(output.text)
    if output.output_type == "error":
        return text_shown("\n".join(output.traceback))
    data = output.get("data", {})
    if "image/svg+xml" in data:
        return picture(data["image/svg+xml"], next(files))
    if "text/html" in data:
        return tables(data["text/html"], files)
    return text_shown(data.get("text/plain", ""))


def joined(outputs):
    """Returns the outputs of a cell. Pieces of text that follow each other become one."""
    found = []
    for output in outputs:
        if output.output_type == "stream" and found and found[-1].output_type == "stream":
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def language_of(source):
    """Returns the language by which a cell is coloured. A magic in the first line may hide it."""
    return "python" if not source.startswith("%%bash") else "sh"


def page_of(notebook, target, name):
    """Returns the page. Its first cell is the title, behind which a link leads to the notebook."""
    lines = []
    files = (target / f"{name}_{number}.svg" for number in itertools.count(1))
    title, _, rest = notebook.cells[0].source.partition("\n")
    notebook.cells[0].source = (f'{title}\n\n<a href="{name}.ipynb" download>This notebook as a '
                                f'file</a>\n{rest}')
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            lines += [cell.source, ""]
            continue
        lines += fenced(cell.source, language_of(cell.source))
        for output in joined(cell.outputs):
            lines += shown(output, files)
    return "\n".join(lines) + "\n"


def main():
    folder, target = map(Path, sys.argv[1:])
    for path in sorted(folder.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        with tempfile.TemporaryDirectory() as place:
            NotebookClient(notebook, timeout=300, kernel_name="python3",
                           resources={"metadata": {"path": place}}).execute()
        (target / f"{path.stem}.md").write_text(page_of(notebook, target, path.stem))


if __name__ == "__main__":
    main()
