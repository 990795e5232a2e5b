# SPDX-License-Identifier: BSD-3-Clause
"""An extension of Sphinx that writes the manual pages. Each call has a page, with the text of its
own, of its section and of the description. Each source that lists calls has an overview. The
builder also writes the quick reference, and calls.json with facts on the calls, for the tests."""

import json
import re
import textwrap
from pathlib import Path

import c_calls
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.io import StringOutput
from docutils.utils import new_document
from manual import definitions, manual_of, paragraph
from sphinx import addnodes
from sphinx.builders.manpage import ManualPageBuilder
from sphinx.writers.manpage import ManualPageWriter

# Formatters of manual pages complain of these texts that Sphinx writes, and of long lines.
MENDED = ((r"^\.ft [CP]\n", ""), (r"^(\.SH .*\n)\.sp\n", r"\1"), (r" +$", ""),
          (r"^\.INDENT (\d).*", r".RS \1"), (r"^\.UNINDENT", ".RE"))
# Text that is shown as it is; lines that belong to a paragraph.
UNFILLED = re.compile(r"(^\.nf$.*?^\.fi$)", flags=re.M | re.S)
FILLED = re.compile(r"^(?![.'\n])(?:.|\n(?![.'\n]))+", flags=re.M)


def mended(text):
    """Returns a page of which no formatter complains. Its lines have at most 80 characters."""
    text = text[text.index(".TH "):]  # what comes before are macros that .RS and .RE replace
    for wrong, right in MENDED:
        text = re.sub(wrong, right, text, flags=re.M)

    def filled(match):
        lines = textwrap.wrap(match[0], 78, break_long_words=False, break_on_hyphens=False)
        return "\n".join(rf"\&{line}" if line[0] in ".'" else line for line in lines)

    return "".join(part if index % 2 else FILLED.sub(filled, part)
                   for index, part in enumerate(UNFILLED.split(text)))


def markdown(node):
    """Returns the text of a paragraph on one line, with `code` as in Markdown."""
    marked = (f"`{part.astext()}`" if isinstance(part, nodes.literal) else part.astext()
              for part in node)
    return " ".join("".join(marked).split())


def capital(text):
    return text[0].upper() + text[1:]


class Source:
    """A page of man/*.md: its name and section, what it is about, its parts, and its calls."""

    def __init__(self, env, page):
        top = next(iter(env.get_doctree(page).findall(nodes.section)))
        self.name, self.section = re.fullmatch(r"(.+)\((\w+)\)", top[0].astext()).groups()
        self.about, self.data, manual = markdown(top[1]), env.metadata[page], manual_of(env)
        self.head = manual.heads.get(page, {"header": ""})
        self.common = [facts for _, facts in manual.common.get(page, [])]
        self.calls = list({call.name: call for call in manual.calls.values()
                           if call.page == page}.values())
        parts = [part for part in top if isinstance(part, nodes.section)]
        self.parts = {part[0].astext(): self.without_calls(part) for part in parts}
        self.synopsis = self.without_calls(top)[1:]

    @staticmethod
    def without_calls(section):
        return [part for part in section if not isinstance(part, (
            nodes.title, nodes.section, nodes.comment, addnodes.desc, addnodes.index))]

    def fortran_names(self, call):
        """Returns the names of the Fortran routines of BLACS 1.1: those of C without the C."""
        return [name[1:] for name in call.names if self.head["header"].endswith("tutti_blacs.h")]

    def of_call(self, call):
        """Returns heading -> content of the page of a call."""
        lines = [f"#include <{self.head['include']}>", *map(c_calls.broken, call.prototypes)]
        lines += [part.astext() for text in call.facts["fortran"].values() for part in text]
        like = call.manual.calls[call.like].body if call.like else []
        about = [part for title in dict.fromkeys(["Description", call.section])
                 for part in self.parts.get(title, [])]
        arguments, returned, errors = call.lists()
        also = re.split(r",\s+", ", ".join(part.astext() for part in self.parts["See also"]))
        also = dict.fromkeys([f"{self.name}({self.section})", *also])
        also.pop(f"{call.name}({self.section})", None)
        return {"Synopsis": [nodes.literal_block("", "\n\n".join(lines)), self.synopsis[-1]],
                "Description": [paragraph(f"{capital(markdown(call.brief))}."), *call.body, *like,
                                *about],
                "Arguments": [arguments] * bool(call.parameters), "Return value": returned,
                "Errors": [errors] * bool(errors.children) + self.parts.get("Errors", []),
                "Fortran": self.parts.get("Fortran", []),
                "Example": self.parts.get("Example", []), "See also": [paragraph(", ".join(also))]}

    def of_all(self):
        """Returns heading -> content of an overview, or of a page without calls."""
        found = {"Synopsis": self.synopsis} if self.calls else {}
        for title, part in self.parts.items():
            calls = [(f"`{', '.join(call.names)}` ({self.section})", [call.brief])
                     for call in self.calls if call.section == title]
            found[title] = [*part, definitions(calls)] if calls else part
        return found

    def facts(self):
        """Returns what the tests look at: the calls, and the arguments that they share."""
        def plain(meaning):
            return " ".join(part.astext() for part in meaning)
        return {"name": self.name, "section": self.section, "header": self.head["header"],
                "shared": [name for facts in self.common for name in facts["param"]],
                "names": self.data.get("names", "").split(), "calls": [{
                    "page": call.name, "names": call.names + self.fortran_names(call),
                    "prototypes": call.prototypes, "brief": call.brief.astext(),
                    "parameters": call.parameters, "own": list(call.facts["param"]),
                    "arguments": {name: plain(said) for name, said in call.said("param").items()},
                    "returned": plain(call.returned())} for call in self.calls]}

    def quick(self):
        """Returns the lines of the quick reference: calls without types, and what commands do."""
        quick = [f"- {line}" for line in json.loads(self.data.get("quick", "[]"))]
        lines = [f"## {capital(self.about)}", ""] if self.calls or quick else []
        lines += ["| call | what it does |", "|---|---|"] * bool(self.calls)
        for call in self.calls:
            name = c_calls.name_of(re.sub(r"{(\w)}", r"\1", call.template).replace("{_}", ""))
            lines.append(f"| `{name}({', '.join(call.parameters)})` | {markdown(call.brief)} |")
        return lines + [""] * bool(self.calls) + quick + [""] * bool(quick)


class Builder(ManualPageBuilder):

    def page(self, source, names, name, about, parts):
        settings = get_default_settings(ManualPageWriter(self))
        settings.title, settings.subtitle, settings.authors = name, "", []
        settings.section = source.section
        document = new_document(name, settings)
        parts = {"Name": [paragraph(f"{', '.join(names)} - {about}")], **parts}
        document += nodes.section("", nodes.title(text=name), *(
            nodes.section("", nodes.title(text=title), *(part.deepcopy() for part in content))
            for title, content in parts.items() if content))
        text = ManualPageWriter(self).write(document, StringOutput(encoding="unicode"))
        self.file(source, name).write_text(mended(text))
        for other in {*names} - {name}:
            self.lead(source, other, name)

    def file(self, source, name):
        folder = Path(self.outdir, f"man{source.section[0]}")
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{name}.{source.section}"

    def lead(self, source, name, page):
        self.file(source, name).write_text(f".so man{source.section[0]}/{page}.{source.section}\n")

    def write(self, *_):
        sources = [Source(self.env, page) for page in sorted(self.env.all_docs)]
        for source in sources:
            for call in source.calls:
                self.page(source, call.names + source.fortran_names(call), call.name,
                          markdown(call.brief), source.of_call(call))
            if source.name not in [call.name for call in source.calls]:
                self.page(source, [source.name], source.name, source.about, source.of_all())
            for name in source.data.get("names", "").split():
                self.lead(source, name, source.name)
        lines = ["<!-- SPDX-License-Identifier: BSD-3-Clause -->",
                 "<!-- Made from man/*.md by `make manual`; do not edit. -->",
                 "# tutti: quick reference", "", "Arguments without their types; the manual pages "
                 "(`man tutti`, `man tutti_bcast`, `man dgesd2d`) have the rest.", ""]
        for source in sorted(sources, key=lambda source: int(source.data.get("order", 50))):
            lines += source.quick()
        Path(self.outdir, "quickref.md").write_text("\n".join(lines))
        facts = [source.facts() for source in sources]
        Path(self.outdir, "calls.json").write_text(json.dumps(facts, indent=1))


def without_menu(_, env):
    for data in env.metadata.values():
        data["orphan"] = ""


def setup(app):
    app.add_builder(Builder, override=True)
    app.connect("env-updated", without_menu)
