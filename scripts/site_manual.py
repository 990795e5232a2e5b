# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual (man/*.txt) as Markdown pages for the site: a page for each source, with a part
for each call. References such as tutti_bcast(3) become links."""

import html
import re

import manual_source
from manual_pages import Manual

SECTIONS = {"1": "Commands", "3": "Calls", "5": "Files", "7": "Subjects"}
REFERENCE = re.compile(r"\b([A-Za-z][\w-]*)\((\d\w*)\)")


class SiteManual:

    def __init__(self, root):
        self.manual = Manual(root)
        self.places = {}  # (name, section) -> file and place in it
        for page in self.manual.sources:
            self.places[page.name, page.section] = self.file(page)
            for call in page.calls:
                for name in call.names():
                    self.places[name, page.section] = f"{self.file(page)}#{anchor(call)}"
            for name in [*page.fortran_names(), *page.head.get("names", "").split()]:
                self.places.setdefault((re.sub(r"\(.*", "", name), page.section), self.file(page))

    @staticmethod
    def file(page):
        return f"{page.name}.{page.section}.html"

    # ---- text

    def words(self, text):
        """Returns text of the manual as Markdown."""
        parts = re.split(r"(`[^`]*`)", text.replace("\\-", "-"))
        return "".join(f"`{part[1:-1]}`" if part.startswith("`") else self.links(part)
                       for part in parts)

    def links(self, text):
        """Returns text without code as Markdown."""
        out, end = "", 0
        for match in REFERENCE.finditer(text):
            words, place = escaped(match[0]), self.places.get((match[1], match[2]))
            out += escaped(text[end:match.start()])
            out += f'<a href="{place}">{words}</a>' if place else words
            end = match.end()
        return out + escaped(text[end:])

    def entries(self, page, entries):
        lines, shown = [], []
        for kind, value in [*entries, ("end", "")]:
            if kind == "verbatim" or (shown and kind == "break"):
                shown.append(value)
                continue
            if shown:
                lines += ["", "```text", *"\n".join(shown).rstrip().splitlines(), "```", ""]
                shown = []
            if kind == "item":
                term, _, text = value.partition(": ")
                lines.append(f"- {self.words(term)}: {self.words(text)}" if text else
                             f"- {self.words(term)}")
            elif kind == "directive":
                lines += ["", *self.directive(page, value), ""]
            elif kind == "text":
                lines.append(self.words(value))
            elif kind == "break":
                lines.append("")
        return lines

    def directive(self, page, text):
        command, _, argument = text.partition(" ")
        if command == "type":
            shown = manual_source.declaration(self.manual.root, page.head["header"], argument)
            return ["```c", *shown, "```"]
        rows = self.manual.table(command)
        if command == "status":
            return [f"- `TUTTI_{name.upper()}` ({value}): {escaped(meaning)}"
                    for name, value, meaning in rows]
        return [f"- `{name}` ({kind}{f', default {rest[0]}' if len(rest) > 1 else ''}): "
                f"{self.words(rest[-1])}" for _, name, kind, *rest in rows if name != "TUTTI_JOB"]

    # ---- calls

    def call(self, page, call):
        lines = ["", f'<a id="{anchor(call)}"></a>', "", f"### {call.page()}", ""]
        if call.brief:
            lines += [sentence(self.words(call.brief)), ""]
        lines += ["```c", *(f"{text};" for text in call.prototypes()), "```", ""]
        meanings = [(name, self.manual.argument(name, call)) for name in call.parameters()]
        lines += [f"- `{name}`: {self.words(text)}" for name, text in meanings if text] + [""]
        body = [entry for entry in call.body
                if entry[0] not in ("brief", "like", "argument", "returns", "error")]
        lines += self.entries(page, body) + [""]
        returned = self.manual.returned(call)
        if returned:
            lines += [f"Returns: {self.words(returned)}", ""]
        errors = [error.partition(": ") for error in self.manual.errors(call)]
        if errors:
            lines += ["Errors:", "", *(f"- {self.words(code)}: {self.words(text)}"
                                       for code, _, text in errors), ""]
        return lines

    def page(self, page):
        title = f"{page.name}({page.section})"
        lines = [f"# {title}", "", sentence(self.words(page.head["about"])), ""]
        if page.calls:
            header = page.head.get("include", page.head["header"])
            lines += ["```c", f"#include <{header}>", "```", "",
                      self.words(f"Link with `-l{page.head['library']}`."), ""]
        heading = None
        for name, entries in page.sections().items():
            calls = [call for call in page.calls if call.section == name]
            entries = [entry for entry in entries
                       if entry[0] not in ("argument", "returns", "error")]
            if name:
                lines += ["", f"## {name[0]}{name[1:].lower()}", ""]
                heading = name
            lines += self.entries(page, entries)
            if calls and heading is None:
                lines += ["", "## Calls", ""]
            for call in calls:
                lines += self.call(page, call)
        return "\n".join(lines) + "\n"

    def write(self, folder):
        folder.mkdir(parents=True)
        index = ["# Manual", "", "The pages of `man`, with a part for each call.", ""]
        listed = []
        for digit, title in SECTIONS.items():
            pages = [page for page in self.manual.sources if page.section[0] == digit]
            index += ["", f"## {title}", ""]
            for page in sorted(pages, key=lambda page: (page.name, page.section)):
                name = f"{page.name}.{page.section}"
                (folder / f"{name}.md").write_text(self.page(page))
                index.append(f"- [{page.name}({page.section})]({name}.md): "
                             f"{self.words(page.head['about'])}")
                listed.append(name)
        index += ["", "```{toctree}", ":hidden:", *listed, "```"]
        (folder / "index.md").write_text("\n".join(index) + "\n")


def anchor(call):
    return f"call-{call.page()}"


def escaped(text):
    """Returns text in which Markdown and HTML find no marks of their own."""
    return re.sub(r"([\\*_\[\]<>$|~#])", r"\\\1", html.unescape(text))


def sentence(text):
    return f"{text[0].upper()}{text[1:]}."
