# SPDX-License-Identifier: BSD-3-Clause
"""The playground as a part of the site: its files, and links from the guide's commands to it. The
fragment of a link is a command line, which the playground reads. Commands about an algorithm of the
guide bring its text in JavaScript along. A browser measures nothing, so a command that does opens
the simulation of its call."""

import base64
import html
import re
import shlex
import shutil
import string
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

SOURCE = Path(__file__).resolve().parent.parent.parent / "playground"
MODULE = ("playground.js", "playground.wasm")  # `make playground` builds them
SCRIPTS = ("typed.js", "plug_in.js")  # module.js imports them
# The verbs that the module of the playground has.
VERBS = ("draw", "explain", "export", "info", "schedule", "simulate", "verify")
PAGES = ("docs/guide/06-schedules.md", "docs/guide/07-simulate.md",
         "docs/guide/08-write-a-collective.md")
SIMULATED_ON = "sp2"  # the machine of what a page measures
BLOCK = re.compile(r"^```sh\n(.*?)^```\n", re.M | re.S)
# A machine file of a page, and its name in the sentence before it.
MACHINE = re.compile(r"`([\w.]+\.toml)`[^`]*```toml\n(.*?)^```\n", re.M | re.S)


def put(folder, module):
    """Puts the page, its lessons and the module of a build folder into a new folder."""
    shutil.copytree(SOURCE / "page", folder)
    put_lessons(Path(folder, "lessons"))
    for name in MODULE:
        shutil.copy(Path(module, name), folder)
    for name in SCRIPTS:
        shutil.copy(SOURCE / "module" / name, folder)


def put_lessons(folder):
    """Writes the lessons into a new folder, each in the frame that all share."""
    frame = string.Template((SOURCE / "lessons/frame.html").read_text())
    texts = [page.read_text().split("\n", 2)[1:]
             for page in sorted((SOURCE / "lessons").glob("[0-9].html"))]
    titles = [re.fullmatch("<h1>(.*)</h1>", head)[1] for head, _ in texts]
    nexts = [f'<a href="{number}.html">Next: {title.split(". ", 1)[1]}</a>'
             for number, title in enumerate(titles[1:], 2)]
    nexts.append('<a href="../index.html">To the playground</a>')
    folder.mkdir()
    for number, (title, (_, text)) in enumerate(zip(titles, texts), 1):
        page = frame.substitute(title=title, text=text, next=nexts[number - 1],
                                lessons=links_to(titles, number))
        (folder / f"{number}.html").write_text(page)


def links_to(titles, here):
    """Returns links to all lessons. On a phone they are only numbers."""
    current = {here: ' aria-current="page"'}
    return "\n".join(
        f'<a href="{number}.html"{current.get(number, "")}>{number}'
        f'<span class="wide-only">.{title.split(".", 1)[1]}</span></a>'
        for number, title in enumerate(titles, 1))


def fragment(commands):
    return ";".join(quote(shlex.join(words), safe=":,=/").replace("%20", "+") for words in commands)


def commands_of(text):
    """Returns the command lines of a block as words, without the command itself."""
    lines = [shlex.split(line.split("  #")[0]) for line in text.splitlines()]
    return [words[1:] for words in lines if len(words) > 1 and Path(words[0]).name == "tutti"]


def studied(words):
    """Returns the command line that the playground has for this one, or None."""
    if words[0] != "bench":
        return words if words[0] in VERBS else None
    at = words.index("--seconds")
    return ["simulate", *words[1:at], *words[at + 2:], "--machine", SIMULATED_ON]


def of_block(text, folder, known):
    """Returns the command lines of a block that run in this folder, each with the list of what a
    link has to say for it. A link has the command and those before it, or a text of one's own and
    a question about it. `known` has the commands that wrote files."""
    found = []
    for words in filter(None, map(studied, commands_of(text))):
        typed = [path for path in (SOURCE / "guide").glob("*.js") if path.stem in words]
        if typed:
            found.append((words, [with_text("algorithm", of_algorithm(*typed)), words]))
            continue
        if subprocess.run(["tutti", *words], cwd=folder, capture_output=True,
                          check=False).returncode != 0:
            continue
        needed = [other for other in known if set(written(other)) & names(words)]
        if words[0] == "export":
            known.append(words)
        own = [Path(folder, word) for word in words if word.endswith(".toml")]
        commands = [*[other for other in needed if other != words], words]
        found.append((words, [with_text("machine", own[0].read_text())] if own else commands))
    return found


def of_algorithm(file):
    """Returns the text of an algorithm of the guide, without the line of its licence."""
    return file.read_text().split("\n", 1)[1]


def with_text(kind, text):
    """Returns the words of a link that opens a text of one's own, for the reader to use."""
    return ["own", kind, base64.b64encode(text.encode()).decode()]


def written(words):
    return [words[words.index("--out") + 1]] if "--out" in words else []


def names(words):
    return {word.removeprefix("file:") for word in words}


def of_page(text):
    """Yields each block of the page and its command lines."""
    known = []
    with tempfile.TemporaryDirectory() as folder:
        for name, machine in MACHINE.findall(text):
            Path(folder, name).write_text(machine)
        for block in BLOCK.finditer(text):
            yield block, of_block(block[1], folder, known)


def add(text, page, root):
    """Returns the page with links below the blocks that have such commands."""
    made, end = [], 0
    for block, found in of_page(text) if f"{page}.md" in PAGES else ():
        made.append(text[end:block.end()])
        end = block.end()
        if found:
            links = "\n".join(
                f'<a href="{root}playground/index.html#{html.escape(fragment(commands))}">'
                f"{html.escape(shlex.join(words))}</a>" for words, commands in found)
            made.append(f'\n<p class="try">In the browser:\n{links}</p>\n')
    return "".join(made) + text[end:]
