# SPDX-License-Identifier: BSD-3-Clause
"""Composes the manual pages for manual.py. Each call has a page with its prototype, arguments,
return value and errors. Each source that lists calls has an overview page. Commands, files and
subjects have one page each."""

import re

import manual_source
from manual_roff import escaped, example, inline, item, page, paragraph, prototype, unfilled

TABLES = {"status": "status.def", "variables": "variables.def"}
FORTRAN_TYPES = {
    "int": "INTEGER FUNCTION ", "void*": "INTEGER FUNCTION ", "double": "DOUBLE PRECISION FUNCTION "
}


class Manual:
    """Holds all sources of the manual, so that the page of one call can quote another source."""

    def __init__(self, root, date="", version=""):
        self.root, self.date, self.version = root, date, version
        self.sources = manual_source.pages(root)
        self.calls = {
            name: (source, call)
            for source in self.sources
            for call in source.calls
            for name in call.names()
        }
        self.returns = dict(line.split(" = ", 1) for source in self.sources
                            for line in source.head.get("returns", "").splitlines())

    # ---- what is known of a call ----

    def argument(self, name, call):
        """Returns the meaning of a parameter of a call, or None."""
        source = self.calls[call.names()[0]][0]
        for entries in (call.body, self.like(call).body if call.like else [],
                        *source.sections().values()):
            for kind, value in entries:
                if kind == "argument" and name in (names := value.split(": ", 1))[0].split(", "):
                    return names[1]
        return self.argument(name, self.like(call)) if call.like else None

    def like(self, call):
        return self.calls[call.like][1]

    def returned(self, call):
        """Returns the text on a call's return value, or None."""
        source = self.calls[call.names()[0]][0]
        kind_of_result = re.match(r"(?:static inline )?(.*?)\s*\b\w+\(",
                                  call.prototypes()[0]).group(1)
        if "{_}" in call.template:
            return self.returned_by_both(call, kind_of_result)
        if kind_of_result == "void":
            return "None."
        for entries in (call.body, *source.sections().values()):
            for kind, value in entries:
                if kind == "returns":
                    return value
        return self.returns.get(kind_of_result)

    def returned_by_both(self, call, kind_of_result):
        """Returns the text on the return values of the two forms of a call of NX."""
        own = next((value for kind, value in call.body if kind == "returns"), None)
        if own is None and call.like:
            own = next((value for kind, value in self.like(call).body if kind == "returns"), None)
        form = f"`_{call.page()}`"
        if call.prototypes()[0].startswith(manual_source.CLOCKS):
            return own and f"{own} {form} does the same."
        if kind_of_result == "void":
            return f"None. {form} returns 0, or -1 if it fails, and sets errno then."
        return own and f"{own} {form} returns -1 if it fails, and sets errno then."

    def errors(self, call):
        """Returns the errors of a call: its own, those of the call that it resembles (^), and, if
        it returns errors, those of its section and of DESCRIPTION."""
        sections = self.calls[call.names()[0]][0].sections()
        own = [value for kind, value in call.body if kind == "error"]
        common = [
            value for heading in dict.fromkeys(["DESCRIPTION", call.section])
            for kind, value in sections.get(heading, [])
            if kind == "error" and "error" in self.returned(call)
        ]
        found = {}
        for error in own + common + (self.errors(self.like(call)) if call.like else []):
            found.setdefault(error.split(": ", 1)[0], error)
        return list(found.values())

    # ---- parts of pages ----

    def directive(self, source, text):
        command, _, argument = text.partition(" ")
        if command == "status":
            return [line for name, value, meaning in self.table("status")
                    for line in item(f"`TUTTI_{name.upper()}` ({value})", meaning)]
        if command == "variables":
            lines = []
            for _, name, kind, *rest in self.table("variables"):
                if name != "TUTTI_JOB":
                    default = f", default {rest[0] or 'none'}" if len(rest) > 1 else ""
                    lines += item(f"`{name}` ({kind}{default})", rest[-1])
            return lines
        if command == "type":
            return unfilled(manual_source.declaration(self.root, source.head["header"], argument))
        raise ValueError(f"unknown directive @{text} in {source.name}")

    def table(self, name):
        return manual_source.table(self.root, TABLES[name])

    def body(self, source, entries, again=".PP"):
        """Returns the entries of a section or of a call as lines of roff."""
        lines, shown = [], []
        for index, (kind, value) in enumerate([*entries, ("end", "")]):
            if kind == "verbatim" or (shown and kind == "break" and entries[index + 1:][:1] and
                                      entries[index + 1][0] == "verbatim"):
                shown.append(value)
                continue
            if shown:
                lines += example(shown)
                shown = []
            if kind == "item":
                term, _, text = value.partition(": ")
                lines += item(term, text)
            elif kind == "directive":
                lines += self.directive(source, value)
            elif kind == "text":
                lines += paragraph(value)
            elif kind == "break":
                lines.append(again)
        return lines

    def synopsis(self, source, call):
        lines = [".SH SYNOPSIS", ".nf", *self.include(source)]
        for text in call.prototypes():
            lines += [".PP", *map(escaped, prototype(text))]
        for text in call.prototypes() if source.has_fortran() else []:
            lines += [".PP", *map(escaped, fortran(text))]
        return lines + [".fi", ".PP", self.link(source)]

    @staticmethod
    def include(source):
        return [rf"\fB#include <{source.head.get('include', source.head['header'])}>\fR"]

    @staticmethod
    def link(source):
        return inline(f"Link with `-l{source.head['library']}`.")

    def see_also(self, source, without):
        """Returns the SEE ALSO part: the overview page and the pages that the source names."""
        text = "".join(value for kind, value in source.sections().get("SEE ALSO", [])
                       if kind == "text")
        names = [f"{source.name}({source.section})"] + [name.strip() for name in text.split(",")]
        return [
            ".SH SEE ALSO",
            *paragraph(", ".join(name for name in dict.fromkeys(names) if name not in without))
        ]

    # ---- pages ----

    def call_page(self, source, call):
        names = call.names() + ([name[1:]
                                 for name in call.names()] if source.fortran_names() else [])
        sections = source.sections()
        lines = [
            ".SH NAME", *paragraph(f"{', '.join(names)} - {call.brief}".replace(" - ", r" \- ", 1)),
            *self.synopsis(source, call), ".SH DESCRIPTION", *paragraph(sentence(call.brief)),
            ".PP", *self.body(source, call.body)
        ]
        if call.like:
            lines += [".PP", *self.body(self.calls[call.like][0], self.like(call).body)]
        for heading in dict.fromkeys(["DESCRIPTION", call.section]):
            lines += [".PP", *self.body(source, sections.get(heading, []))]
        if call.parameters():
            lines.append(".SH ARGUMENTS")
            for name in call.parameters():
                lines += item(f"`{name}`", sentence(self.argument(name, call) or ""))
        lines += [".SH RETURN VALUE", *paragraph(self.returned(call) or "")]
        errors = [line for term, _, text in (error.partition(": ") for error in self.errors(call))
                  for line in item(term, sentence(text))]
        if errors or "ERRORS" in sections:
            lines += [".SH ERRORS", *errors, ".PP", *self.body(source, sections.get("ERRORS", []))]
        if "FORTRAN" in sections:
            lines += [".SH FORTRAN", *self.body(source, sections["FORTRAN"])]
        if "EXAMPLE" in sections:
            lines += [".SH EXAMPLE", *self.body(source, sections["EXAMPLE"])]
        lines += self.see_also(source, [f"{call.page()}({source.section})"])
        return page(call.page(), source.section, self.date, self.version, lines)

    def source_page(self, source):
        """Returns an overview of calls, or a page without calls."""
        lines = [".SH NAME", *paragraph(source.name + r" \- " + source.head["about"])]
        if source.calls:
            lines += [".SH SYNOPSIS", *self.include(source), ".PP", self.link(source)]
        for heading, entries in source.sections().items():
            lines += [f".SH {heading}"] * bool(heading) + self.body(source, entries)
            for call in [call for call in source.calls if call.section == heading]:
                lines += item(f"`{', '.join(call.names())}`({source.section})".replace("`(", "` ("),
                              sentence(call.brief))
        return page(source.name, source.section, self.date, self.version, lines)

    def pages(self):
        """Returns (section, name) -> text of each page."""
        made = {}
        for source in self.sources:
            for call in source.calls:
                made[source.section, call.page()] = self.call_page(source, call)
                aliases = call.names() + ([name[1:] for name in call.names()]
                                          if source.fortran_names() else [])
                for name in aliases:
                    made.setdefault((source.section, name), f".so {source.file(call.page())}\n")
            made.setdefault((source.section, source.name), "")
            if not made[source.section, source.name]:
                made[source.section, source.name] = self.source_page(source)
            for name in source.head.get("names", "").split():
                made[source.section, name] = f".so {source.file(source.name)}\n"
        return made


def sentence(text):
    return text[:1].upper() + text[1:].rstrip(".") + "."


def fortran(text):
    """Returns the lines that show how Fortran calls the routine with this C prototype."""
    name = manual_source.name_of(text).removeprefix("C").upper()
    arguments = ", ".join(manual_source.parameters(text)).upper()
    arguments = arguments.replace("CONTEXT", "ICONTXT").replace("GO_ON", "CONTINUE")
    kind = FORTRAN_TYPES.get(text.split()[0])
    return prototype(
        (kind or "CALL ") + name + (f"( {arguments} )" if arguments else "()" if kind else ""),
        end="")
