# SPDX-License-Identifier: BSD-3-Clause
"""Writes text as roff: escapes, bold words, lists, paragraphs, lines of at most 80 characters."""

import re
import textwrap

WIDTH = 78


def escaped(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text


def plain(text):
    """Text without `bold` marks; an option's dashes stay dashes when they are copied from the page.
    """
    text = text.replace("\\-", "-").replace("\\", r"\e")
    return re.sub(r"(?<![\w])--?(?=\w)|(?<=\w)-(?=[\w-]+\(\d\))",
                  lambda dash: dash.group(0).replace("-", r"\-"), text)


def inline(text):
    """Text with `bold` parts, as one line of roff."""
    shown = [
        rf"\fB{escaped(part)}\fR" if index % 2 else plain(part)
        for index, part in enumerate(text.split("`"))
    ]
    joined = "".join(shown)
    return r"\&" + joined if joined.startswith((".", "'")) else joined


def paragraph(text):
    """Text as lines that roff fills again."""
    lines = textwrap.wrap(inline(text), WIDTH, break_long_words=False, break_on_hyphens=False)
    return [r"\&" + line if line.startswith((".", "'")) else line for line in lines]


def item(term, text):
    """An entry of a list: a term and what it means, or a point without a term."""
    if not text:
        return [".IP \\(bu 2", *paragraph(term)]
    return [".TP", inline(term), *paragraph(text)]


def unfilled(lines):
    """Lines shown as they are."""
    return [".PP", ".nf", *map(escaped, lines), ".fi"]


def example(lines):
    return [".PP", ".RS 4", ".nf", *map(escaped, lines), ".fi", ".RE"]


def prototype(text, end=";"):
    """A prototype as unfilled lines, broken after commas."""
    text = re.sub(r"\* ?(?=\w)", "*", re.sub(r"(\w)\*", r"\1 *", text)) + end
    if len(text) <= WIDTH:
        return [text]
    wrapped = textwrap.wrap(text.replace(", ", ",\0").replace(" ", "\1").replace("\0", " "),
                            WIDTH,
                            subsequent_indent="    ",
                            break_long_words=False,
                            break_on_hyphens=False)
    return [line.replace("\1", " ") for line in wrapped]


def page(title, section, date, version, text):
    """A page of .SH parts. Breaks that say nothing are dropped: two in a row, beside a heading or
    before an item."""
    lines = [r'.\" Made by scripts/manual.py from man/; do not edit.',
             f'.TH {title.upper()} {section} {date} "tutti {version}" "tutti"']
    for line in text:
        if line.startswith((".SH", ".PP", ".TP", ".IP", ".RS", ".RE")):
            while lines[-1] in (".PP", ".IP"):
                lines.pop()
        if line not in (".PP", ".IP") or not lines[-1].startswith(".SH"):
            lines.append(line)
    while lines[-1] in (".PP", ".IP"):
        lines.pop()
    return "\n".join(lines) + "\n"
