# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a number that was measured stands in src/base/tuning.def, which a user can set
and `tutti info --tuning` prints, and nowhere else in the rooms below.

constants.toml lists every other number of these rooms with its reason: the table of a file has the
name of a constant and why it is no number to tune. A reason that begins with "table:" marks a
number that has still to move; the row follows.

A number is one of these. It may be a constant: constexpr, const, constinit, a macro, an enumerator
without a type, or a variable that begins with a number. It may be all that a function returns, or
the default value of a member or a parameter. In a statement it is a time, or a number of 3 or more
that the statement calculates with; its key is "function number". Shifts, hexadecimal numbers, sizes
of arrays and labels of a switch are left out.

With --list, the program prints what it has found in the form of constants.toml."""

import pathlib
import re
import sys
import tomllib

import cpp

ROOMS = ("src/transport/", "src/services/", "src/engine/", "src/job/", "src/launch/",
         "frontends/bsp/", "src/frontends/bsp/")  # the last one is of trees before today's
TABLE = "src/base/tuning.def"
ENDINGS = (".cpp", ".hpp", ".h", ".inc", ".def")
TIMES = {"nanoseconds", "microseconds", "milliseconds", "seconds", "minutes", "hours", "duration"}
# With these names alone, and numbers, an initialiser is a constant.
NAMES_OF_CONSTANTS = TIMES | {
    "std", "chrono", "int", "unsigned", "long", "short", "char", "double", "float", "sizeof", "max",
    "size_t", "ssize_t", "off_t", "time_t", "mode_t", "useconds_t", "rlim_t", "static_cast", "min",
    "numeric_limits", "return", *(f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64))}
PAUSES = {"sleep", "usleep", "nanosleep", "poll", "sleep_for", "epoll_wait", "alarm"}


def value_of(number):
    """Returns the value of a number; None if it is hexadecimal, octal or a number of time."""
    plain = number.replace("'", "").rstrip("uUlLzZfF")
    if re.match(r"0[xX0-7bB]", plain):
        return None
    try:
        return float(plain)
    except ValueError:
        return None


def is_time(number):
    return re.search(r"\d(ns|us|ms|s|min|h)$", number) and not number.startswith("0x")


def numbers(items):
    return [token.text for token in cpp.flat(items) if token.kind == "number"]


def says_more_than_nothing(items):
    """Returns true if the items have a number other than 0 and -1, and no text."""
    found = list(cpp.flat(items))
    if any(token.kind == "text" for token in found):
        return False
    for before, token in zip([None, *found], found):
        if token.kind != "number":
            continue
        if value_of(token.text) == 0 or \
                value_of(token.text) == 1 and before is not None and before.text == "-":
            continue
        return True
    return False


def declarators(statement):
    """Yields the name and the initialiser of each variable that a declaration declares."""
    name, depth, at = "", 0, 0
    while at < len(statement):
        item = statement[at]
        if item.kind == "name":
            name = item.text
        elif item.text in ("<", ">"):
            depth += 1 if item.text == "<" else -1
        elif depth <= 0 and name and (item.text == "=" or item.kind == "bracket"
                                      and item.text in "{("):
            if statement[at - 1].text in cpp.OF_ATTRIBUTE:
                at += 1
                continue
            end = next((i for i in range(at, len(statement)) if statement[i].text == ","),
                       len(statement))
            yield name, statement[at:end]
            name, at = "", end
        at += 1


def is_constant(statement):
    """Returns true if a declaration makes a constant that arithmetic can use."""
    before = []
    for item in statement:
        if item.text == "=" or item.kind == "bracket" and item.text != "[":
            if not before or before[-1] not in cpp.OF_ATTRIBUTE:
                break
        before.append(item.text)
    if "bool" in before or "operator" in before:
        return False
    if "constexpr" in before or "constinit" in before:
        return True
    return "const" in before and all(
        not cpp.names_in(value) - NAMES_OF_CONSTANTS for _, value in declarators(statement))


def of_statement(statement):
    """Yields the names of constants, and the numbers, of a statement of a function."""
    if is_constant(statement):
        for name, value in declarators(statement):
            if says_more_than_nothing(value):
                yield name, statement[0].line
        return
    yield from bare(statement)


def bare(items, called=""):
    """Yields the numbers of a statement that say how long, how many or how much."""
    depth = 0
    for at, item in enumerate(items):
        before = items[at - 1] if at > 0 else None
        if item.kind == "bracket":
            if item.text == "[":  # an index may use a number; a size of an array is one
                yield from (one for one in bare(item.items) if len(item.items) > 1)
            else:
                yield from bare(item.items, before.text if before is not None else "")
        elif item.text in ("<", ">") and item.kind == "sign":
            opens = before is not None and before.text in ("array", "static_cast", "clamp", "Fifo")
            depth = max(0, depth + (1 if item.text == "<" and opens else
                                    -1 if item.text == ">" else 0))
        elif item.kind == "number":
            last = not any(one.text == "," for one in items[at:])
            if is_time(item.text) or called in TIMES or called in PAUSES and last and \
                    value_of(item.text) and (before is None or before.text != "-"):
                yield item.text, item.line
            elif depth == 0 and (value_of(item.text) or 0) not in (0, 0.5, 1, 2) and not (
                    before is not None and before.text in ("<<", "%", "case") or
                    [one.text for one in items[max(0, at - 2):at]] == [">", ">"]):
                yield item.text, item.line


def of_function(found):
    """Yields the keys and lines of the numbers of a function."""
    where = "::".join([*found.scope, found.name])
    parameters = cpp.parameters_at(found.head)
    if parameters >= 0:
        yield from of_parameters(found, where, found.head[parameters].items)
    if found.body is None:
        return
    inside = list(cpp.statements(found.body.items))
    only = inside[0] if len(inside) == 1 else []
    if only and only[0].text == "return" and says_more_than_nothing(only[1:]) and \
            not cpp.names_in(only) - NAMES_OF_CONSTANTS:
        yield found.name, found.line
        return
    for statement in inside:
        for key, line in of_statement(statement):
            yield (f"{where} {key}" if key[0].isdigit() else key), line
    for key, line in bare(found.head[parameters + 1:]):  # of a constructor's members
        yield f"{where} {key}", line


def of_parameters(found, where, parameters):
    """Yields default values. A constant like `const seconds patience(5)` looks like a function."""
    if found.body is None and parameters and parameters[0].kind == "number":
        yield found.name, found.line
        return
    for name, value in declarators(parameters):
        if any((value_of(number) or 0) > 1 or is_time(number) for number in numbers(value)):
            yield f"{where} {name}", found.line


def of_enumeration(found):
    if not found.name:
        for name, value in declarators(found.body.items):
            if says_more_than_nothing(value):
                yield name, found.line


def of_data(found):
    """Yields the constants of a file or a class, and variables that begin with a number."""
    constant = is_constant(found.head)
    for name, value in declarators(found.head):
        large = any((value_of(number) or 0) > 1 or is_time(number) for number in numbers(value))
        if says_more_than_nothing(value) and (constant or large):
            yield ("::".join([*found.scope, name]) if not constant else name), found.line


def in_file(path, text):
    """Returns pairs of keys and lines of all numbers that a file must give a reason for."""
    file = cpp.read(path, text)
    found = [(name, line) for name, _, line in file.macros]
    ways = {"function": of_function, "enum": of_enumeration, "data": of_data}
    for one in file.found:
        found += ways.get(one.what, lambda _: ())(one)
    return found


def found_in(root):
    """Returns the numbers of a tree as a dictionary {(file, key): line}."""
    found = {}
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")) if (root / room).is_dir() else ():
            name = str(path.relative_to(root)).replace("src/frontends/", "frontends/")
            if not name.endswith(ENDINGS) or name == TABLE:
                continue
            for key, line in in_file(name, path.read_text(encoding="utf-8")):
                found.setdefault((name, key), line)
    return found


def excuse_of(listed, file, key):
    """Returns the reason of a number: of its file, or of a folder whose every number has it."""
    for folder in (name for name in listed if name.endswith("/")):
        if file.startswith(folder):
            return listed[folder]["all"]
    return listed.get(file, {}).get(key)


def compared(root):
    """Returns the numbers of a tree that are marked as measured, those without a reason, and the
    reasons without a number."""
    listed = tomllib.loads(
        (pathlib.Path(__file__).parent / "constants.toml").read_text(encoding="utf-8"))
    found = found_in(root)
    marked, unknown = [], []
    for (file, key), line in sorted(found.items()):
        reason = excuse_of(listed, file, key)
        if reason is None:
            unknown.append(f"{file}:{line}: {key}")
        elif reason.startswith("table:"):
            marked.append(f"{file}:{line}: {key} -> {reason[6:].strip()}")
    stale = [f"{file}: {key}" for file, keys in listed.items() if not file.endswith("/")
             for key in keys if (file, key) not in found]
    return marked, unknown, stale


def main():
    from problems import finish, problem
    from tree import ROOT
    if "--list" in sys.argv:
        file = None
        for (name, key), line in found_in(ROOT).items():
            if name != file:
                print(f'\n["{name}"]')
            file = name
            print(f'"{key}" = ""  # {line}')
        return
    marked, unknown, stale = compared(ROOT)
    for text in unknown:
        problem(f"{text} is a number outside of {TABLE}; constants.toml gives no reason")
    for text in stale:
        problem(f"{text} stands in constants.toml, but there is no such number any more")
    finish(f"{len(found_in(ROOT))} numbers, of which {len(marked)} have to move into the table")


if __name__ == "__main__":
    main()
