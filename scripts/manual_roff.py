# SPDX-License-Identifier: BSD-3-Clause
"""Writes text as roff, the language of manual pages, in lines of at most 80 characters: escapes,
bold words, lists and paragraphs. manual_pages.py calls it."""

import re
import textwrap

WIDTH = 78


def escaped(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text


def plain(text):
    """Returns roff for text without `bold` marks. Dashes of options and page names are escaped, so
    that a reader who copies them from the page gets ASCII dashes."""
    text = text.replace("\\-", "-").replace("\\", r"\e")
    return re.sub(r"(?<![\w])--?(?=\w)|(?<=\w)-(?=[\w-]+\(\d\))",
                  lambda dash: dash.group(0).replace("-", r"\-"), text)


def inline(text):
    """Returns text with `bold` parts as one line of roff."""
    shown = [
        rf"\fB{escaped(part)}\fR" if index % 2 else plain(part)
        for index, part in enumerate(text.split("`"))
    ]
    joined = "".join(shown)
    return r"\&" + joined if joined.startswith((".", "'")) else joined


def paragraph(text):
    """Returns text as lines of roff, which roff joins and breaks again."""
    lines = textwrap.wrap(inline(text), WIDTH, break_long_words=False, break_on_hyphens=False)
    return [r"\&" + line if line.startswith((".", "'")) else line for line in lines]


def item(term, text):
    """Returns an entry of a list: a term and its meaning, or a bullet if there is no meaning."""
    if not text:
        return [".IP \\(bu 2", *paragraph(term)]
    return [".TP", inline(term), *paragraph(text)]


def unfilled(lines):
    """Returns roff that shows the lines as they are."""
    return [".PP", ".nf", *map(escaped, lines), ".fi"]


def example(lines):
    return [".PP", ".RS 4", ".nf", *map(escaped, lines), ".fi", ".RE"]


def prototype(text, end=";"):
    """Returns a prototype as lines that are broken after commas."""
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
    """Returns a page that consists of .SH parts. Paragraph breaks without effect are dropped: the
    second of two in a row, and those beside a heading or before an item."""
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
