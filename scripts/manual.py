# SPDX-License-Identifier: BSD-3-Clause
"""Makes the manual pages and the quick reference from man/*.txt; manual_source.py describes their format.

manual.py --source ROOT [--pages DIR --version V] [--quickref FILE]
"""

import argparse
import pathlib
import re

import manual_source

ROOT_TABLES = {"status": "status.def", "variables": "variables.def"}


def table(root, name):
    """The rows of an X-macro table: each a list of its arguments as text."""
    rows = []
    for line in pathlib.Path(root, "src/base", ROOT_TABLES[name]).read_text().splitlines():
        if match := re.match(r"TUTTI_\w+\((.*)\)$", line):
            rows.append([part.strip('"') for part in re.findall(r'"[^"]*"|[^,"\s]+', match.group(1))])
    return rows


def escaped(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text


def inline(text):
    """Text with `bold` parts, as roff."""
    parts = text.split("`")
    shown = [rf"\fB{escaped(part)}\fR" if index % 2 else part.replace("\\", r"\e").replace(r"\e-", r"\-")
             for index, part in enumerate(parts)]
    joined = "".join(shown)
    return r"\&" + joined if joined.startswith((".", "'")) else joined


def item(term, text):
    return [".TP", inline(term), inline(text)]


def directive(root, page, text):
    command, _, argument = text.partition(" ")
    if command == "status":
        return [line for name, value, meaning in table(root, "status")
                for line in item(f"`TUTTI_{name.upper()}` ({value})", meaning)]
    if command == "variables":
        lines = []
        for _, name, kind, *rest in table(root, "variables"):
            if name != "TUTTI_JOB":
                lines += item(f"`{name}` ({kind}, default {rest[0] or 'none'})" if len(rest) > 1 else f"`{name}` ({kind})",
                              rest[-1])
        return lines
    if command == "type":
        return [".PP", ".nf", *map(escaped, manual_source.declaration(root, page.head["header"], argument)), ".fi"]
    raise ValueError(f"unknown directive @{text} in {page.name}")


def synopsis(page):
    if not page.calls:
        return []
    lines = [".SH SYNOPSIS", ".nf", rf"\fB#include <{page.head.get('include', page.head['header'])}>\fR", ".PP"]
    lines += [escaped(call.shown()) + ";" for call in page.calls]
    lines += [".fi", ".PP", inline(f"Link with `\\-l{page.head['library']}`.").replace(r"\e\-", r"\-")]
    if any("{v}" in call.template for call in page.calls):
        lines += [".PP", inline("`v` is one of `i s d c z` and `T` the type of its elements: int, float, double, and "
                                "float and double for the two complex types (real and imaginary part side by side).")]
    return lines


def body(root, page):
    lines, verbatim = [], False
    for kind, value in page.body:
        if verbatim and kind != "verbatim":
            lines.append(".fi")
            lines.append(".RE")
            verbatim = False
        if kind == "heading":
            lines.append(f".SH {value}")
        elif kind == "call":
            lines += [".TP", rf"\fB{value.names()[0] if len(value.names()) == 1 else manual_source.name_of(value.shown())}\fR",
                      inline(value.brief[0].upper() + value.brief[1:] + ".")]
        elif kind == "item":
            term, _, text = value.partition(": ")
            lines += item(term, text)
        elif kind == "verbatim":
            if not verbatim:
                lines += [".PP", ".RS 4", ".nf"]
                verbatim = True
            lines.append(escaped(value))
        elif kind == "directive":
            lines += directive(root, page, value)
        elif kind == "text":
            lines += [inline(value)]
        elif lines and not lines[-1].startswith(".SH") and lines[-1] != ".PP":
            # A paragraph after a call belongs to that call.
            lines.append(".PP" if not in_call(lines) else ".IP")
    return lines + ([".fi", ".RE"] if verbatim else [])


def in_call(lines):
    for line in reversed(lines):
        if line.startswith((".SH", ".PP", ".RE")):
            return False
        if line == ".TP":
            return True
    return False


def roff(root, page, version):
    names = [name for call in page.calls for name in call.names()]
    lines = [r'.\" Made by scripts/manual.py from man/; do not edit.',
             f'.TH {page.name} {page.section} "" "tutti {version}" "tutti"',
             ".SH NAME", f"{', '.join(names or [page.name])} \\- {page.head['about']}"]
    text = lines + synopsis(page) + body(root, page)
    # Two breaks in a row, or one before a heading or an item, say nothing.
    kept = [line for line, after in zip(text, text[1:] + [".SH"])
            if not (line in (".PP", ".IP") and after.startswith((".SH", ".PP", ".TP", ".IP")))]
    return "\n".join(kept) + "\n"


def write_pages(root, folder, version):
    for page in manual_source.pages(root):
        target = pathlib.Path(folder, f"man{page.section}")
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{page.name}.{page.section}").write_text(roff(root, page, version))
        for name in page.names():
            if name != page.name:
                (target / f"{name}.{page.section}").write_text(f".so man{page.section}/{page.name}.{page.section}\n")


def short(call):
    """name(argument names), without types."""
    name, arguments = re.fullmatch(r".*?(\w+)\((.*)\)", call.shown()).groups()
    names = [re.sub(r".*?(\w+)$", r"\1", argument.strip()) for argument in arguments.split(",")]
    return f"{name}({', '.join(name for name in names if name != 'void')})"


def quickref(root):
    lines = ["<!-- SPDX-License-Identifier: BSD-3-Clause -->", "<!-- Made from man/*.txt by `make manual`; do not edit. -->",
             "# tutti: quick reference", "",
             "Arguments without their types; the manual pages (`man tutti`, `man tutti_bcast`, `man dgesd2d`) have the rest.", ""]
    for page in sorted(manual_source.pages(root), key=lambda page: int(page.head.get("order", 50))):
        quick = page.head.get("quick", "").splitlines()
        if not page.calls and not quick:
            continue
        title = page.head["about"]
        lines += [f"## {title[0].upper()}{title[1:]}", ""]
        if page.calls:
            lines += ["| call | what it does |", "|---|---|"]
            lines += [f"| `{short(call)}` | {call.brief} |" for call in page.calls] + [""]
        lines += [f"- {line}" for line in quick] + ([""] if quick else [])
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--pages")
    parser.add_argument("--version", default="")
    parser.add_argument("--quickref")
    options = parser.parse_args()
    if options.pages:
        write_pages(options.source, options.pages, options.version)
    if options.quickref:
        pathlib.Path(options.quickref).write_text(quickref(options.source))


if __name__ == "__main__":
    main()
