# SPDX-License-Identifier: BSD-3-Clause
"""Reads the sources of the manual (man/*.txt) and the prototypes of the public headers.

A source is a head of `key: value` lines, an empty line, and a body. From a source that lists calls,
manual_pages.py makes an overview and a page for each call. The calls of the BLACS for the five
types share one page.

    page: name(section)        about: one line for NAME; letters may follow the digit of the section
                               where names of other interfaces are in the way, as in 3blacs94
    header: tutti/tutti.h      library: tutti
    names: other(3) ...        pages that lead here
    quick: a line for the quick reference
    include: pvm3.h            what a program includes, where that is not the header's name
    types: i long, s float     what {v} and {T} stand for in calls; default the BLACS' types
    returns: TYPE = text       what every call of this type returns, in all sources that do not say
                               otherwise

    = HEADING                  a section
    * prototype;               a call; must be equal to the header's. C{v}name stands for the types
                               of the page, {_}name for the two forms of a call of NX
    ~ text                     what it does in a few words: NAME, the first sentence, the quick
                               reference
    ^ name                     arguments, text and errors that are missing here are those of this
                               call
    ? name: text               an argument, of the call above or, where no call is above, of every
                               call of the source
    > text                     what is returned, likewise
    ! `CODE`: text             an error, likewise
    - `term`: text             an entry of a list
        four spaces            shown as it is
    @status @variables         tables made from src/base/*.def
    @type NAME                 the declaration of NAME, quoted from the header
    `word`                     bold

Values of the head and the lines with ~ ? > ! - go on in lines indented by two spaces.
"""

import dataclasses
import pathlib
import re

HEADERS = ["tutti/tutti.h", "tutti/tutti_runtime.h", "tutti/tutti_generator.h",
           "tutti-blacs/tutti_blacs.h", "tutti-blacs94/tutti_blacs94.h", "tutti-bsp/bsp.h",
           "tutti-bsp/bsp_tutti.h", "tutti-bsp/bsp_broadcast.h", "tutti-bsp/bsp_level1.h",
           "tutti-bsp/bsp_backend.h", "tutti-icc/icc.h", "tutti-nx/nx.h", "tutti-pvm/pvm3.h"]
# The results of calls of NX that cannot fail. Their two forms return the same.
CLOCKS = ("double ", "unsigned long ")
BLACS_TYPES = [("i", "int"), ("s", "float"), ("d", "double"), ("c", "float"), ("z", "double")]
KINDS = {
    "= ": "heading", "- ": "item", "~ ": "brief", "^ ": "like", "? ": "argument", "> ": "returns",
    "! ": "error"
}


@dataclasses.dataclass
class Call:
    """Describes a documented call. Its prototype may be a template for the types of its page."""

    template: str
    section: str = ""
    types: list = dataclasses.field(default_factory=lambda: BLACS_TYPES)
    body: list = dataclasses.field(default_factory=list)

    @property
    def brief(self):
        return next((value for kind, value in self.body if kind == "brief"), "")

    @property
    def like(self):
        return next((value for kind, value in self.body if kind == "like"), "")

    def prototypes(self):
        """Returns the prototypes that the template stands for."""
        if "{_}" in self.template:
            return both_forms(self.template.replace("{_}", ""))
        if "{v}" not in self.template:
            return [self.template]
        return [self.template.replace("{v}", v).replace("{T}", t) for v, t in self.types]

    def names(self):
        return [name_of(prototype) for prototype in self.prototypes()]

    def page(self):
        """Returns the name of the call's page. The page of a template has the name of the double
        precision routine, or of the form that ends the job."""
        return self.names()[0] if "{_}" in self.template else self.names()[len(self.names()) // 2]

    def shown(self):
        return self.template.replace("{v}", "v").replace("{T}", "T").replace("{_}", "")

    def parameters(self):
        return parameters(self.prototypes()[0])


@dataclasses.dataclass
class Page:
    """Holds a source of the manual; `body` is a list of (kind, value) in the order of the file."""

    name: str
    section: str
    head: dict
    calls: list
    body: list

    def fortran_names(self):
        """Returns the names of the Fortran routines. BLACS 1.1 have one for each C routine, without
        the C in front."""
        if self.head.get("header") != "tutti-blacs/tutti_blacs.h":
            return []
        return [name[1:] for call in self.calls for name in call.names()]

    def has_fortran(self):
        """Returns True if the pages show how Fortran calls the routines."""
        return self.head.get("header", "").startswith("tutti-blacs")

    def file(self, name):
        """Returns the path of a page of this source within the folder of the pages."""
        return f"man{self.section[0]}/{name}.{self.section}"

    def names(self):
        calls = [name for call in self.calls for name in call.names()]
        return calls + self.fortran_names() + self.head.get("names", "").split()

    def sections(self):
        """Returns heading -> the entries below that heading that do not belong to a call."""
        found, heading, in_call = {"": []}, "", False
        for kind, value in self.body:
            if kind == "heading":
                heading, in_call = value, False
                found[heading] = []
            elif kind == "call":
                in_call = True
            elif not in_call:
                found[heading].append((kind, value))
        return found


def both_forms(prototype):
    """Returns the prototypes of a call of NX: of the form that ends the job if it fails, and of the
    one that returns -1."""
    start = prototype.index(name_of(prototype))
    result = prototype[:start] if prototype.startswith(CLOCKS) else "long "
    return [prototype, f"{result}_{prototype[start:]}"]


def name_of(prototype):
    return re.search(r"(\w+)\s*\(", prototype).group(1)


def parameters(prototype):
    """Returns the names of a prototype's parameters."""
    text, depth, parts = prototype[prototype.index("(") + 1:prototype.rindex(")")], 0, [""]
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    names = [re.search(r"\(\*(\w+)\)|(\w+|\.\.\.)(?:\[\])?\s*$", part) for part in parts]
    return [name.group(1) or name.group(2) for name in names if name.group(0) != "void"]


def normalised(prototype):
    """Returns a prototype with spaces and stars written in one way, so that two can be compared."""
    text = re.sub(r"\s+", " ", prototype).strip().rstrip(";")
    text = re.sub(r"\s*([*(),])\s*", r"\1", text)
    return re.sub(r"\*(\w)", r"* \1", text)


def parse_head(lines):
    head, key = {}, None
    for line in lines:
        if line.startswith("  "):
            head[key] += " " + line.strip()
        elif not line.startswith("#"):
            key, value = line.split(": ", 1)
            head[key] = head[key] + "\n" + value if key in head else value
    return head


def parse_line(line, last):
    """Returns (kind, value) of a line, and True if the line continues the last entry."""
    if line.startswith("* "):
        return ("call", Call(line[2:].rstrip(";"))), False
    if line[:2] in KINDS:
        return (KINDS[line[:2]], line[2:]), False
    if line.startswith("@"):
        return ("directive", line[1:]), False
    if line.startswith("    "):
        return ("verbatim", line[4:]), False
    if not line:
        return ("break", ""), False
    goes_on = last == "text" or (line.startswith("  ") and last in KINDS.values())
    return (last if goes_on else "text", line.strip()), goes_on


def parse(path):
    calls, body, heading = [], [], ""
    lines = path.read_text().splitlines()
    start = lines.index("")
    for line in lines[start + 1:]:
        entry, goes_on = parse_line(line, body[-1][0] if body else "")
        if entry[0] == "call":
            calls.append(entry[1])
            entry[1].section = heading
        in_call = body and calls and calls[-1].section == heading and entry[0] not in ("call",
                                                                                       "heading")
        for entries in [body, calls[-1].body] if in_call else [body]:
            if goes_on:
                entries[-1] = (entry[0], f"{entries[-1][1]} {entry[1]}")
            else:
                entries.append(entry)
        if entry[0] == "heading":
            heading = entry[1]
    head = parse_head(lines[:start])
    name, section = re.fullmatch(r"([\w-]+)\((\d\w*)\)", head["page"]).groups()
    if "types" in head:
        types = [tuple(entry.split()) for entry in head["types"].split(", ")]
        for call in calls:
            call.types = types
    return Page(name, section, head, calls, body)


def pages(root):
    return [parse(path) for path in sorted(pathlib.Path(root, "man").glob("*.txt"))]


def table(root, name):
    """Returns the rows of an X-macro table of src/base. A row is a list of arguments as text."""
    text = pathlib.Path(root, "src/base", name).read_text()
    text = re.sub(r'"\s*\n\s*"', "", text)  # joins adjacent literals
    return [[part.strip('"') for part in re.findall(r'"[^"]*"|[^,"\s]+', row)]
            for row in re.findall(r"^TUTTI_\w+\((.*?)\)$", text, re.M | re.S)]


def header_text(root, header):
    """Returns the text of a header, followed by the parts of it that it includes."""
    text = pathlib.Path(root, "include", header).read_text()
    for part in re.findall(r"^#include <([\w/.]+)> +/\* a part of this header \*/", text, re.M):
        text += pathlib.Path(root, "include", part).read_text()
    return text


def declared(root, header):
    """Returns name -> prototype of every function that a header declares or defines."""
    text = header_text(root, header)
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.M)
    text = re.sub(r"\bTUTTI_BSP_CALL\(\w+\)|__attribute__\(\(.*?\)\)(?=\s*;)", "", text)
    found = {}
    for match in re.finditer(r"(?:TUTTI_API|TUTTI_INLINE)\s+([\w\s*]+?\w+\s*\([^;{]*?\))\s*[;{]",
                             text):
        found[name_of(match.group(1))] = normalised(match.group(1))
    for match in re.finditer(r"^extern ([\w ]+\w+\(void\));", text, re.M):
        found[name_of(match.group(1))] = normalised(match.group(1))
    text = text.replace("tutti_nx_integer", "long")
    for match in re.finditer(r"TUTTI_NX(?:_INTEGERS)?\(([\w\s]+),\s*(\w+),\s*(\([^;]*\))\);", text):
        for prototype in both_forms(" ".join(match.groups()[:2]) + match.group(3)):
            found[name_of(prototype)] = normalised(prototype)
    for match in re.finditer(r"TUTTI_BLACS94\(([\w\s]+),\s*(\w+),\s*(\([^;]*\))\);", text):
        prototype = " ".join(match.groups()[:2]) + match.group(3)
        found[name_of(prototype)] = normalised(prototype)
    return found


def declaration(root, header, name):
    """Returns the lines of the typedef of a type or function type, with the comments in them."""
    text = header_text(root, header)
    for match in re.finditer(r"^typedef\b(?:[^;{]*\{[^}]*\}[^;]*|[^;{]*);[^\n]*$", text,
                             flags=re.M):
        if re.search(rf"(\}}\s*{name}|\*{name}\)[^;]*|\b{name});", match.group(0)):
            return match.group(0).splitlines()
    raise KeyError(f"{header} does not declare {name}")
