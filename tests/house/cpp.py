# SPDX-License-Identifier: BSD-3-Clause
"""Reads C++ well enough to count in it: declarations, classes, functions and loops of a file.

Comments are left out, texts become "" and directives of the preprocessor are left out, except that
`#define NAME number` is kept in File.macros. Both branches of an #if are read."""

import dataclasses
import re

TOKEN = re.compile(
    r'(?P<space>[ \t\r\f]+|\\\n|\n)|(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)'
    r'|(?P<directive>(?m:^)[ \t]*\#(?:\\\n|//[^\n]*|/\*.*?\*/|[^\n])*)'
    r'|(?P<text>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"'
    r'|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>::|->\*?|\.\.\.|&&|\|\||<=>|[-+*/%&|^=!<>]=|<<=?|\+\+|--|.)", re.S)
CLOSING = {"(": ")", "[": "]", "{": "}"}
OF_ATTRIBUTE = {"alignas", "decltype", "__attribute__", "noexcept", "explicit", "requires"}
CONTROL = {"if", "for", "while", "switch", "catch", "do", "else", "try", "return", "throw"}
AFTER_PARAMETERS = {"const", "noexcept", "override", "final", "try", "&", "&&", "volatile"}


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    line: int


@dataclasses.dataclass
class Bracket:
    """The tokens between two brackets. `text` is the opening one."""
    text: str
    line: int
    items: list
    kind: str = "bracket"


@dataclasses.dataclass
class Declaration:
    """A declaration of a file or a class. `what` is "class", "enum", "function", "data" or "other".
    `head` has all tokens up to the body or the final semicolon; `body` is None without one. `scope`
    has the names of the classes around it, `members` what is declared in a class and its classes.
    """
    what: str
    name: str
    head: list
    body: Bracket
    scope: tuple
    line: int
    members: list = dataclasses.field(default_factory=list)
    access: str = "public"


def tokens(text):
    """Returns the tokens of a text, and the numbers that it defines as macros."""
    found, macros, line = [], [], 1
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "mark" else "text"
        if match["text"] is not None:
            kind = "text"
        if kind == "directive":
            plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", match.group(), flags=re.S)
            define = re.match(r"\s*#\s*define\s+(\w+)\s+(.*\d.*)", plain)
            if define and not re.search(r'[";{]', define[2]):
                macros.append((define[1], define[2].strip(), line))
        elif kind not in ("space", "comment"):
            found.append(Token(kind, '""' if kind == "text" else match.group(), line))
        line += match.group().count("\n")
    return found, macros


def nested(flat):
    """Returns the tokens as a tree: all that stands between two brackets is one Bracket."""
    whole = Bracket("{", 1, [])
    stack = [whole]
    for token in flat:
        if token.text in CLOSING and token.kind == "sign":
            inner = Bracket(token.text, token.line, [])
            stack[-1].items.append(inner)
            stack.append(inner)
        elif token.kind == "sign" and token.text in CLOSING.values():
            # The branches of an #if may each open a bracket that is closed once.
            while len(stack) > 1 and CLOSING[stack[-1].text] != token.text:
                stack.pop()
            if len(stack) > 1:
                stack.pop()
        else:
            stack[-1].items.append(token)
    return whole.items


def flat(items):
    """Yields all tokens within `items`, without their brackets."""
    for item in items:
        if item.kind == "bracket":
            yield from flat(item.items)
        else:
            yield item


def text_of(items):
    """Returns the text of `items`, with one space between two tokens."""
    parts = []
    for item in items:
        if item.kind == "bracket":
            inner = text_of(item.items)
            parts.append(f"{item.text}{inner}{CLOSING[item.text]}")
        else:
            parts.append(item.text)
    return " ".join(parts)


def names_in(items):
    return {token.text for token in flat(items) if token.kind == "name"}


def is_attribute(item):
    return item.kind == "bracket" and item.text == "[" and len(item.items) == 1 and \
        item.items[0].kind == "bracket" and item.items[0].text == "["


def without_prefix(head):
    """Returns a declaration without template parameters and attributes."""
    head = [item for item in head if not is_attribute(item)]
    while head and head[0].text == "template":
        depth, at = 0, 1
        while at < len(head):
            depth += {"<": 1, ">": -1, "<<": 2, ">>": -2}.get(head[at].text, 0) \
                if head[at].kind == "sign" else 0
            at += 1
            if depth <= 0:
                break
        head = head[at:]
    return head


def parameters_at(head):
    """Returns where the parameters of a function stand in the head, or -1."""
    depth = 0
    for at, item in enumerate(head):
        if item.kind == "bracket" and item.text == "(" and at > 0 and depth <= 0:
            before = head[at - 1]
            if before.text == "operator":
                continue
            if before.text not in OF_ATTRIBUTE and (before.kind == "name" or is_operator(head, at)):
                return at
        elif item.kind == "sign" and item.text == "=" and not is_operator(head, at + 1):
            return -1
        elif item.kind == "sign":
            depth += {"<": 1, ">": -1}.get(item.text, 0) if not is_operator(head, at + 1) else 0
    return -1


def is_operator(head, at):
    """Returns true if an operator's name stands right before a position."""
    return any(item.text == "operator" for item in head[max(0, at - 4):at] if item.kind == "name")


def function_name(head, at):
    """Returns the qualified name that stands before the parameters, as a text like A::f."""
    names = [item.text for item in head[:at]]
    if "operator" in names:
        start = len(names) - 1 - names[::-1].index("operator")
        return "operator" + " ".join(names[start + 1:]).replace("( )", "()")
    parts = [names[-1]]
    i = at - 2
    if i >= 0 and names[i] == "~":
        parts[0] = "~" + parts[0]
        i -= 1
    while i >= 1 and names[i] == "::" and head[i - 1].kind == "name":
        parts.insert(0, names[i - 1])
        i -= 2
    return "::".join(parts)


def keyword_of_type(head):
    """Returns class, struct, union or enum if the head defines such a type, and its name."""
    for at, item in enumerate(head):
        if item.kind == "bracket" and item.text == "(" and (at == 0 or head[at - 1].text
                                                            not in OF_ATTRIBUTE):
            return None, ""
        if item.text == "=":
            return None, ""
        if item.text in ("class", "struct", "union", "enum"):
            rest = [one for one in head[at + 1:] if one.kind == "name"
                    and one.text not in ("class", "struct", "alignas", "final", "public")]
            return item.text, rest[0].text if rest else ""
    return None, ""


def is_body(head):
    """Returns true if a brace after this head begins the body of a function."""
    at = parameters_at(head)
    if at < 0:
        return False
    last = head[-1]
    if last.kind == "bracket" or last.text in AFTER_PARAMETERS:
        return True
    after = [item.text for item in head[at + 1:]]
    return "->" in after and ":" not in after


def without_labels(head, access):
    """Returns a head without the labels in front of it, and the access that they give."""
    while len(head) >= 2 and head[0].text in ("public", "private", "protected") \
            and head[1].text == ":":
        head, access = head[2:], head[0].text
    return head, access


def declarations(items, scope=(), access="public"):
    """Yields the declarations of a file or of a class, those of its namespaces and classes too."""
    head, last_type = [], None
    for item in items:
        head, access = without_labels(head, access)
        if item.kind == "sign" and item.text == ";":
            if head and not (last_type and len(head) == last_type):
                yield plain(head, scope, access)
            head, last_type = [], None
        elif item.kind == "bracket" and item.text == "{":
            start = without_prefix(head)
            keyword, name = keyword_of_type(start)
            if any(one.text == "namespace" for one in start[:2]) or \
                    (start and start[0].text == "extern" and len(start) == 2):
                yield from declarations(item.items, scope)
                head = []
            elif keyword:
                yield from type_of(keyword, name, start, item, scope)
                head = head + [item]
                last_type = len(head)
            elif is_body(start):
                yield function(start, item, scope, access)
                head = []
            else:
                head = head + [item]
        else:
            head = head + [item]


def type_of(keyword, name, head, body, scope):
    what = "enum" if keyword == "enum" else "class"
    found = Declaration(what, name, head, body, scope, head[0].line)
    if what == "class":
        access = "private" if keyword == "class" else "public"
        found.members = list(declarations(body.items, scope + (name,), access))
    yield found
    yield from found.members


def function(head, body, scope, access):
    name = function_name(head, parameters_at(head))
    return Declaration("function", name, head, body, scope, head[0].line, access=access)


def plain(head, scope, access):
    start = without_prefix(head)
    first = start[0].text if start else ""
    if not start or first in ("using", "typedef", "friend", "static_assert", "namespace"):
        return Declaration("other", first, head, None, scope, head[0].line, access=access)
    at = parameters_at(start)
    what = "function" if at >= 0 else "data"
    name = function_name(start, at) if at >= 0 else data_name(start)
    return Declaration(what, name, start, None, scope, start[0].line, access=access)


def data_name(head):
    """Returns the name that a declaration of data declares first."""
    name, depth = "", 0
    for item in head:
        if item.kind == "bracket" and item.text == "{":
            break
        if item.text in ("=", ",", ":") and not depth:
            break
        if item.kind == "sign":
            depth += {"<": 1, ">": -1, ">>": -2}.get(item.text, 0)
        if item.kind == "name":
            name = item.text
    return name


@dataclasses.dataclass
class File:
    path: str
    found: list
    macros: list
    includes: list

    def functions(self):
        return [one for one in self.found if one.what == "function"]

    def classes(self):
        return [one for one in self.found if one.what == "class"]


def read(path, text):
    flat_tokens, macros = tokens(text)
    stripped = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    includes = re.findall(r'^\s*#\s*include\s*"([^"]+)"', stripped, re.M)
    return File(path, list(declarations(nested(flat_tokens))), macros, includes)


def statements(items):
    """Yields the statements of a function, those of its blocks and lambdas too, as lists."""
    current = []
    for item in items:
        if item.kind == "bracket":
            yield from (one for one in statements(item.items) if item.text != "[")
        if item.text == ";" and item.kind == "sign":
            if current:
                yield current
            current = []
        elif item.kind == "bracket" and item.text == "{" and ends_block(current):
            current = []
        else:
            current.append(item)
    if current:
        yield current


def ends_block(before):
    """Returns true if a brace after these tokens begins a block and no value."""
    if not before:
        return True
    last = before[-1]
    return last.text in ("do", "else", "try") or \
        last.kind == "bracket" and last.text == "(" and before[0].text in CONTROL


def loops(items):
    """Yields the loops within `items`, each as the list of its condition and its body."""
    for at, item in enumerate(items):
        if item.kind == "bracket":
            yield from loops(item.items)
        elif item.kind == "name" and item.text in ("for", "while", "do"):
            rest = items[at + 1:]
            end = next((i for i, one in enumerate(rest) if one.text == ";" or
                        one.kind == "bracket" and one.text == "{" and
                        (i > 0 or item.text == "do")), len(rest))
            yield rest[:end + 1]
