# SPDX-License-Identifier: BSD-3-Clause
"""Reads the sources of the manual (man/*.txt) and the prototypes of the public headers.

A page is a head of `key: value` lines, an empty line, and a body:

    page: name(section)        about: one line for NAME        header: tutti/tutti.h   library: tutti
    names: other(3) ...        pages that lead here            quick: a line for the quick reference
    include: pvm3.h            what a program includes, where that is not the header's name

    = HEADING                  a section
    * prototype;               a call; must be equal to the header's. C{v}name stands for the five types of the BLACS
    ~ text                     what it does in a few words, for the quick reference
    - `term`: text             an entry of a list; goes on in lines indented by two spaces
        four spaces            shown as it is
    @status @variables         tables made from src/base/*.def
    @type NAME                 the declaration of NAME, quoted from the header
    `word`                     bold
"""

import dataclasses
import pathlib
import re

HEADERS = ["tutti/tutti.h", "tutti/tutti_runtime.h", "tutti-blacs/tutti_blacs.h", "tutti-bsp/bsp.h",
           "tutti-bsp/bsp_backend.h", "tutti-pvm/pvm3.h"]
BLACS_TYPES = [("i", "int"), ("s", "float"), ("d", "double"), ("c", "float"), ("z", "double")]


@dataclasses.dataclass
class Call:
    """One documented prototype, possibly a template over the five types of the BLACS."""

    template: str
    brief: str = ""

    def prototypes(self):
        """The prototypes it stands for."""
        if "{v}" not in self.template:
            return [self.template]
        return [self.template.replace("{v}", v).replace("{T}", t) for v, t in BLACS_TYPES]

    def names(self):
        return [name_of(prototype) for prototype in self.prototypes()]

    def shown(self):
        return self.template.replace("{v}", "v").replace("{T}", "T")


@dataclasses.dataclass
class Page:
    """One manual page: `body` is a list of (kind, value) in order."""

    name: str
    section: str
    head: dict
    calls: list
    body: list

    def fortran_names(self):
        """The BLACS have a Fortran routine for each C routine, without the C in front."""
        if not self.head.get("header", "").startswith("tutti-blacs"):
            return []
        return [name[1:] for call in self.calls for name in call.names()]

    def names(self):
        calls = [name for call in self.calls for name in call.names()]
        return calls + self.fortran_names() + self.head.get("names", "").split()


def name_of(prototype):
    return re.search(r"(\w+)\s*\(", prototype).group(1)


def normalised(prototype):
    """A prototype with one way to write spaces and stars."""
    text = re.sub(r"\s+", " ", prototype).strip().rstrip(";")
    text = re.sub(r"\s*([*(),])\s*", r"\1", text)
    return re.sub(r"\*(\w)", r"* \1", text)


def parse(path):
    head, calls, body = {}, [], []
    lines = path.read_text().splitlines()
    start = lines.index("")
    for line in lines[:start]:
        if line.startswith("#"):
            continue
        key, value = line.split(": ", 1)
        head[key] = head[key] + "\n" + value if key in head else value
    for line in lines[start + 1:]:
        if line.startswith("= "):
            body.append(("heading", line[2:]))
        elif line.startswith("* "):
            calls.append(Call(line[2:].rstrip(";")))
            body.append(("call", calls[-1]))
        elif line.startswith("~ "):
            calls[-1].brief = line[2:]
        elif line.startswith("@"):
            body.append(("directive", line[1:]))
        elif line.startswith("- "):
            body.append(("item", line[2:]))
        elif line.startswith("    "):
            body.append(("verbatim", line[4:]))
        elif line.startswith("  ") and body[-1][0] == "item":
            body[-1] = ("item", body[-1][1] + " " + line.strip())
        elif not line:
            body.append(("break", ""))
        elif body and body[-1][0] == "text":
            body[-1] = ("text", body[-1][1] + " " + line)
        else:
            body.append(("text", line))
    name, section = re.fullmatch(r"([\w-]+)\((\d)\)", head["page"]).groups()
    return Page(name, section, head, calls, body)


def pages(root):
    return [parse(path) for path in sorted(pathlib.Path(root, "man").glob("*.txt"))]


def declared(root, header):
    """name -> prototype of every function that a header declares or defines."""
    text = pathlib.Path(root, "include", header).read_text()
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.M)
    text = re.sub(r"\bTUTTI_BSP_CALL\(\w+\)|__attribute__\(\(.*?\)\)(?=\s*;)", "", text)
    found = {}
    for match in re.finditer(r"(?:TUTTI_API|static inline)\s+([\w\s*]+?\w+\s*\([^;{]*?\))\s*[;{]", text):
        found[name_of(match.group(1))] = normalised(match.group(1))
    return found


def declaration(root, header, name):
    """The lines that declare a type, comments included, and function types."""
    text = pathlib.Path(root, "include", header).read_text()
    for match in re.finditer(r"^typedef\b(?:[^;{]*\{[^}]*\}[^;]*|[^;{]*);[^\n]*$", text, flags=re.M):
        if re.search(rf"(\}}\s*{name}|\*{name}\)[^;]*|\b{name});", match.group(0)):
            return match.group(0).splitlines()
    raise KeyError(f"{header} does not declare {name}")
