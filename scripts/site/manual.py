# SPDX-License-Identifier: BSD-3-Clause
"""An extension of Sphinx for the manual, man/*.md. It adds what the domain of C lacks: arguments,
results and errors that calls share, and references such as tutti_bcast(3), which become links.

    {calls} HEADER       what a program of these calls includes, and its `:library:`
    {common}             arguments, results and errors of all calls of the page; errors only of the
                         calls in its section, or of all if that is the description
    {c:function} CALL    a call, or a template of calls (c_calls.py). The first paragraph says what
                         it does in a few words. `:like: name`: what is missing here is said there
    :param name: text    an argument; also :returns: text, :error CODE: text, :fortran: call
    {table} NAME.def     a table of src/base
"""

import re
from types import SimpleNamespace

import c_calls
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.domains.c import CFunctionObject
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from tree import ROOT

REFERENCE = re.compile(r"\b([A-Za-z_][\w-]*)\((\d\w*)\)")
# The type of a result -> the text for calls that do not say what they return.
RETURNS = {"void": "None.", "tutti_status": (
    "`TUTTI_OK`, which is 0. A failed call prints what is wrong and ends the job. After "
    "tutti_errors_return(3) it returns the number of an error instead; tutti_status(3) lists them, "
    "and tutti_error_text(3) says what was wrong in this call.")}


def paragraph(text):
    """Returns text as a paragraph, in which `code` is code."""
    return nodes.paragraph("", "", *(nodes.literal(text=part) if index % 2 else nodes.Text(part)
                                     for index, part in enumerate(text.split("`"))))


def definitions(entries):
    """Returns a list of terms, in which `code` is code, and the nodes that say what they mean."""
    return nodes.definition_list("", *(
        nodes.definition_list_item("", nodes.term("", "", *paragraph(term).children),
                                   nodes.definition("", *(part.deepcopy() for part in meaning)))
        for term, meaning in entries))


def manual_of(env):
    """Returns what has been read of all pages, a part of Sphinx's environment: the call of each
    name, what the calls of a page share as (section, facts), and what a page includes."""
    if not hasattr(env, "tutti_manual"):
        env.tutti_manual = SimpleNamespace(calls={}, common={}, heads={})
    return env.tutti_manual


def take_facts(place):
    """Removes the lists of fields, and returns what they say: kind -> name -> nodes."""
    facts = {"param": {}, "returns": {}, "error": {}, "fortran": {}}
    for fields in list(place.findall(nodes.field_list)):
        for field in fields:
            kind, _, names = field[0].astext().partition(" ")
            facts[kind].update({name: field[1].children for name in names.split(", ")})
        fields.parent.remove(fields)
    return facts


class Call:
    """Describes a documented call by its own part of the page and by what others say for it."""

    def __init__(self, template, page, section, manual):
        head = manual.heads[page]
        self.manual, self.template, self.page, self.section = manual, template, page, section
        self.prototypes = c_calls.prototypes(template, head.get("types", c_calls.BLACS_TYPES))
        self.names = [c_calls.name_of(text) for text in self.prototypes]
        # The page of a template is that of the double precision routine, or of the form of NX that
        # ends the job.
        self.name = self.names[0 if "{_}" in template else len(self.names) // 2]
        self.parameters = c_calls.parameters(self.prototypes[0])

    def read(self, content, like):
        self.facts, self.like = take_facts(content), like
        self.brief, self.body = content[0], content.children[1:]

    def said(self, kind):
        """Returns name -> nodes of the facts of a kind, those of its own after those of others."""
        found = self.manual.calls[self.like].said(kind) if self.like else {}
        for section, facts in self.manual.common[self.page]:
            if kind != "error" or section in ("Description", self.section):
                found = found | facts[kind]
        return found | self.facts[kind]

    def returned(self):
        result = c_calls.result_of(self.prototypes[0])
        said = self.facts["returns"] if result == "void" else self.said("returns")
        return said.get("") or [paragraph(RETURNS[result])] * (result in RETURNS)

    def lists(self):
        """Returns nodes: the arguments, what is returned, and the errors."""
        said, returned = self.said("param"), self.returned()
        arguments = [(f"`{name}`", said[name]) for name in self.parameters if name in said]
        errors = [(f"`{code}`", text) for code, text in self.said("error").items()]
        can_fail = "error" in " ".join(part.astext() for part in returned) or self.facts["error"]
        return (definitions(arguments), [part.deepcopy() for part in returned],
                definitions(errors if can_fail else []))


def heading_of(directive):
    """Returns the title of the section in which a directive stands."""
    place = directive.state._renderer.current_node  # MyST has no public name for it
    return place[0].astext() if isinstance(place, nodes.section) else ""


class Calls(SphinxDirective):
    required_arguments = 1
    option_spec = {name: directives.unchanged for name in ("library", "include", "types")}

    def run(self):
        head = {"include": self.arguments[0], "header": self.arguments[0], **self.options}
        manual, page = manual_of(self.env), self.env.docname
        manual.heads[page], manual.common[page] = head, []
        manual.calls = {name: call for name, call in manual.calls.items() if call.page != page}
        text = f"#include <{head['include']}>"
        return [nodes.literal_block(text, text, language="c"), paragraph(
            f"Link with `-l{head['library']}`.")]


class Common(SphinxDirective):
    has_content = True

    def run(self):
        place = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, place)
        manual_of(self.env).common[self.env.docname].append((heading_of(self), take_facts(place)))
        return []


class Function(CFunctionObject):
    option_spec = {**CFunctionObject.option_spec, "like": directives.unchanged}

    def get_signatures(self):
        manual = manual_of(self.env)
        self.call = Call(self.arguments[0], self.env.docname, heading_of(self), manual)
        manual.calls.update({name: self.call for name in self.call.names})
        return self.call.prototypes

    def transform_content(self, content):
        self.call.read(content.deepcopy(), self.options.get("like"))
        take_facts(content)
        content["call"] = self.call.name


class Table(SphinxDirective):
    """Shows an X-macro table of src/base: of the statuses or of the variables."""

    required_arguments = 1

    def run(self):
        text = (ROOT / "src/base" / self.arguments[0]).read_text()
        text = re.sub(r'"\s*\n\s*"', "", text)  # joins adjacent literals
        rows = [[part.strip('"') for part in re.findall(r'"[^"]*"|[^,"\s]+', row)]
                for row in re.findall(r"^TUTTI_\w+\((.*?)\)$", text, re.M | re.S)]
        return [definitions((self.term(*row), [paragraph(row[-1])]) for row in rows
                            if row[1] != "TUTTI_JOB")]

    @staticmethod
    def term(name, value, kind, *rest):
        if value.isdigit():
            return f"`TUTTI_{name.upper()}` ({value})"
        default = f", default {rest[0] or 'none'}" if len(rest) > 1 else ""
        return f"`{value}` ({kind}{default})"


class Lists(SphinxPostTransform):
    """Adds to each call on the site what its arguments mean, what it returns, and its errors."""

    default_priority = 5

    def run(self, **_):
        for content in self.document.findall(addnodes.desc_content):
            if "call" in content:
                call = manual_of(self.env).calls[content["call"]]
                arguments, returned, errors = call.lists()
                content += arguments
                content += nodes.paragraph("", "Returns: ", *returned[0].children)
                content += [nodes.paragraph(text="Errors:"), errors] if errors.children else []


class References(SphinxPostTransform):
    """Makes links of references such as tutti_bcast(3) on the site."""

    default_priority = 6
    builders = ("html",)

    def place_of(self, name, section):
        if call := manual_of(self.env).calls.get(name):
            page, place = call.page, f"#c.{name}"
        else:
            page, place = f"man/{name}.{section}", ""
        if page not in self.env.all_docs:
            page = next((page for page, data in self.env.metadata.items()
                         if name in data.get("names", "").split()), None)
        return page and self.app.builder.get_relative_uri(self.env.docname, page) + place

    def run(self, **_):
        for text in list(self.document.findall(nodes.Text)):
            parts, end = [], 0
            for match in REFERENCE.finditer(text):
                if place := self.place_of(*match.groups()):
                    link = nodes.reference("", match[0], internal=True, refuri=place)
                    parts += [nodes.Text(text[end:match.start()]), link]
                    end = match.end()
            inside = (nodes.reference, nodes.title, nodes.literal_block)
            if parts and not isinstance(text.parent, inside):
                text.parent.replace(text, [*parts, nodes.Text(text[end:])])


def setup(app):
    for directive in (Calls, Common, Table):
        app.add_directive(directive.__name__.lower(), directive)
    app.add_directive_to_domain("c", "function", Function, override=True)
    app.add_post_transform(Lists)
    app.add_post_transform(References)
    return {"env_version": 1}
