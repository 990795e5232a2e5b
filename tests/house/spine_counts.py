# SPDX-License-Identifier: BSD-3-Clause
"""Counts in the spine of tutti: transport, services, engine, job and api. Each function looks for
one thing in the code of a tree and returns where it stands. spine.toml says how many there may be.

A pattern looks at what code does as far as possible, and knows the names of today and those of the
design. It may find what it does not mean; spine.toml excuses that, with a reason for each."""

import collections
import pathlib
import re

import cpp

SPINE = ("src/transport/", "src/services/", "src/engine/", "src/job/", "src/api/", "src/trace/")
FRONT_ENDS = ("frontends/", "src/frontends/")  # today's folder, and that of trees before it
ENDINGS = (".cpp", ".hpp", ".h", ".inc", ".def")
LINES = (".cpp", ".hpp", ".h", ".f90", ".def", ".inc")
RELATIONS = ("<", ">", "<=", ">=")


class Tree:
    """The parsed files of a tree."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = {}

    def under(self, *folders):
        """Yields the files of some folders, parsed. A folder that does not exist has none."""
        for folder in folders:
            whole = self.root / folder
            for path in sorted(whole.rglob("*")) if whole.is_dir() else ():
                if path.suffix in ENDINGS and path.is_file():
                    name = str(path.relative_to(self.root))
                    if name not in self.files:
                        self.files[name] = cpp.read(name, path.read_text(encoding="utf-8"))
                    yield self.files[name]

    def functions(self, *folders):
        """Yields the files and the functions with a body."""
        for file in self.under(*folders):
            for one in file.functions():
                if one.body is not None:
                    yield file, one


def full_name(one):
    return "::".join([*one.scope, one.name])


def owner(file, function):
    """Returns the class of a function, or its file if it has none."""
    parts = [*function.scope, *function.name.split("::")]
    return parts[0] if len(parts) > 1 else pathlib.Path(file.path).stem


def words(items):
    """Returns the tokens of `items` in a row, without template arguments, as texts."""
    found = [token.text for token in cpp.flat(items)]
    plain, at = [], 0
    while at < len(found):
        plain.append(found[at])
        at = after_arguments(found, at + 1) if re.match(r"[A-Za-z_]", found[at]) else at + 1
    return plain


def after_arguments(found, at):
    """Returns the position after the template arguments that begin at `at`, or `at`."""
    if at >= len(found) or found[at] != "<":
        return at
    depth = 0
    for i in range(at, min(at + 24, len(found))):
        if found[i] in ("<", ">"):
            depth += 1 if found[i] == "<" else -1
        elif not re.match(r"[\w:,*&]+$|\.\.\.$", found[i]) or found[i] == "&&":
            return at
        if depth == 0:
            after = found[i + 1] if i + 1 < len(found) else ""
            return at if re.match(r"\d", after) else i + 1
    return at


def members(one, what):
    return [member for member in one.members
            if member.what == what and member.scope == (*one.scope, one.name)]


def place(file, line, name):
    return f"{file.path}:{line} {name}"


# --- memory that others read ---

LENT = {"Lent", "Fragment", "SendBuffer", "BufferBlock", "OwnBlock", "Frame", "Piece", "Loan",
        "Block"}


def lenders(tree):
    """Classes that hand out memory for others to read: a public function returns it for a length,
    or one takes memory from the heap of the segment. Interfaces and those who implement them pass
    on what others lend."""
    found = {}
    for file in tree.under(*SPINE, *FRONT_ENDS):
        for one in file.classes():
            for member in members(one, "function"):
                if member.access != "private" and lends(member):
                    found.setdefault(one.name, place(file, member.line, one.name))
    for file, one in tree.functions(*SPINE, *FRONT_ENDS, "src/launch/"):
        if takes_from_heap(words(one.body.items)):
            found.setdefault(owner(file, one), place(file, one.line, owner(file, one)))
    return list(found.values())


def lends(function):
    """Returns true if a function returns lent memory for a number of bytes, and not by virtue of an
    interface."""
    at = cpp.parameters_at(function.head)
    returned = cpp.names_in(function.head[:max(0, at - 1)])
    inherited = {"virtual", "override"} & {item.text for item in function.head}
    asked = cpp.names_in(function.head[at].items)
    return bool(LENT & returned) and not inherited and \
        any(re.match(r"(u?int(32|64)_t|size_t|int|unsigned)$", name) for name in asked)


def takes_from_heap(found):
    """Returns true if a function takes memory of the segment, or a window of the program's."""
    return {"tutti_alloc", "tutti_alloc_if_room", "tutti_window_in_turn"} & set(found) or \
        any(word == "allocate" and found[at - 1] in (".", "->") for at, word in enumerate(found)
            if at > 0)


def books(tree):
    """Words of the segment that say what a process has lent or holds: arrays that processes share.
    spine.toml has those that say something else."""
    for file in tree.under("src/transport/"):
        for one in file.found:
            if one.what != "data" or not one.scope:
                continue
            text = cpp.text_of(one.head)
            shared = re.search(r"\b(atomic|Shared|atomic_ref) <", text)
            in_segment = file.path.startswith("src/transport/shm/") and not re.match(
                r"(alignas \(\w+\) )?(static|const|char|std :: byte)\b", text)
            is_array = any(item.kind == "bracket" and item.text == "[" for item in one.head)
            if is_array and (shared or in_segment) or shared and "array <" in text:
                yield place(file, one.line, full_name(one))


# --- waiting ---

TURNS = {"spin_turns", "spin_turns_", "relax", "pause", "idle", "sched_yield", "yield",
         "yield_once", "_mm_pause", "__builtin_ia32_pause", "sleep_for", "usleep", "nanosleep"}
# These hand on the question of a waiter, and do not wait themselves.
PASSED_ON = {"idle", "awake", "looked_in_vain", "pass", "spin_turns", "relax", "pause", "yield"}


def waits(tree):
    """Functions that wait: a loop has spin turns, or a single turn is given away. The waiter of the
    design is one, whatever it has. Those who pass time for an endpoint lie in shm/ and wire/."""
    seen = False
    for file, one in tree.functions(*SPINE):
        if re.match(r"src/transport/(shm|wire|loopback|checking|trace|mpi_abi)/", file.path) or \
                one.name.split("::")[-1] in PASSED_ON:
            continue
        looping = any(TURNS & set(words(loop)) for loop in cpp.loops(one.body.items))
        called = words(one.body.items)
        if looping or {"idle", "spin_turns"} <= set(called):
            if re.match(r"src/transport/waiter\.", file.path):
                if seen:
                    continue
                seen = True
            yield place(file, one.line, full_name(one))


def yields_in_transport(tree):
    """Functions below the waiter whose loops yield or pause: in shm/ and wire/."""
    for file, one in tree.functions("src/transport/shm/", "src/transport/wire/"):
        if any(TURNS & set(words(loop)) for loop in cpp.loops(one.body.items)):
            yield place(file, one.line, full_name(one))


def futexes(tree):
    """Uses of the system call by which a process sleeps and is woken."""
    for file in tree.under("src/", "frontends/"):
        for one in file.found:
            for token in cpp.flat([*one.head, *(one.body.items if one.body and
                                                one.what == "function" else ())]):
                if re.match(r"(SYS|__NR)_futex", token.text):
                    yield place(file, token.line, full_name(one))


# --- calls that are repeated ---

BOUND = {"Plan", "Executor", "Execution", "Run", "LoweredRun", "NativeRun", "BoundCall", "Repeat",
         "Choices", "BoundCalls", "LastPeer", "PlanReference", "Progressable"}


def memories(tree):
    """Members from which an earlier call is found again: their type leads to a plan or a run. Some
    of these do not remember, because they belong to a call that goes on or to a handle."""
    for file in tree.under("src/services/", "src/engine/", "src/job/", "src/api/"):
        leading = leading_types(file)
        for one in file.found:
            if one.what == "data" and one.scope and "class" not in cpp.names_in(one.head[:1]) and \
                    leading & cpp.names_in(one.head) - {one.name}:
                yield place(file, one.line, full_name(one))


def leading_types(file):
    """Returns the types that lead to a plan or a run: the file's own names for them included."""
    found = set(BOUND)
    for _ in range(3):
        for one in file.found:
            if one.what == "other" and one.name == "using" and len(one.head) > 2 and \
                    found & cpp.names_in(one.head[2:]):
                found.add(one.head[1].text)
            elif one.what == "class" and one.scope and any(
                    found & cpp.names_in(member.head) for member in members(one, "data")):
                found.add(one.name)
    return found


def memories_of_front_ends(tree):
    """Members of front ends from which a plan of an earlier call is found again."""
    for file in tree.under(*FRONT_ENDS):
        for one in file.found:
            if one.what == "data" and one.scope and \
                    {"PlanSlot", "tutti_plan", "Plan"} & cpp.names_in(one.head) - {one.name}:
                yield place(file, one.line, full_name(one))


# --- decisions by length ---

STORES = {"non_temporal", "read_non_temporal", "write_non_temporal", "copy_past_caches", "is_far",
          "past_caches_", "past_caches", "cached"}


def compares(found, left_out=()):
    """Returns true if the words compare something by size, and not a loop's counter."""
    return any(word in RELATIONS and found[at - 1] not in left_out
               for at, word in enumerate(found) if 0 < at < len(found) - 1
               and word + found[at + 1] != ">>" and found[at - 1] + word != ">>")


def store_deciders(tree):
    """Classes that decide between cached and non-temporal stores: a function has a word of both
    and compares a length, a score or a time."""
    found = collections.OrderedDict()
    for file, one in tree.functions(*SPINE, "src/data/", "src/base/", *FRONT_ENDS):
        inside = words([*one.head, *one.body.items])
        if STORES & set(inside) and compares(inside):
            found.setdefault(owner(file, one), place(file, one.line, owner(file, one)))
    return list(found.values())


LENGTHS = {"overlap_limit", "overlap_limit_", "fragment_limit", "fragment_limit_", "piece_bytes",
           "read_while_written", "far_ahead", "send_all", "gives_way_at_once", "tell_every",
           "crowded_window", "Limits", "limits"}


def cutters(tree):
    """Functions that decide how a message is cut and told: a limit is compared or chosen there. The
    interface of a transport names limits, and does not decide by them."""
    for file, one in tree.functions(*SPINE):
        if re.match(r"src/transport/(loopback|checking)/", file.path):
            continue
        inside = words([*one.head[cpp.parameters_at(one.head) + 1:], *one.body.items])
        decides = compares(inside) or {"?", "min", "max", "clamp", "&&", "||"} & set(inside) or \
            {"if", "gives_way_at_once"} <= set(inside)
        is_rule = file.path.startswith("src/transport/") and one.name == "cut"
        if (LENGTHS & set(inside) or is_rule) and decides:
            yield place(file, one.line, full_name(one))


# --- classes and files ---

def virtual_functions(tree, *names):
    """The virtual functions of interfaces and of those that they inherit. Destructors are left
    out."""
    classes = {one.name: (file, one) for file in tree.under("src/transport/")
               for one in file.classes() if not one.scope and one.body.items}
    pending, seen = list(names), set()
    while pending:
        name = pending.pop(0)
        if name in seen or name not in classes:
            continue
        seen.add(name)
        file, one = classes[name]
        pending += [base for base in cpp.names_in(one.head) if base in classes]
        for member in members(one, "function"):
            if {"virtual", "override"} & {item.text for item in member.head} and \
                    not member.name.startswith("~"):
                yield place(file, member.line, f"{name}::{member.name}")


def large_classes(tree, most, rooms=SPINE):
    """Classes with more declarations of functions than `most`; destructors count."""
    for file in tree.under(*rooms):
        for one in file.classes():
            functions = members(one, "function")
            if len(functions) > most:
                yield place(file, one.line, f"{full_name(one)}: {len(functions)}")


def torn_classes(tree, rooms=SPINE):
    """Classes whose members are defined in more than one source."""
    known = {one.name for file in tree.under(*rooms) for one in file.classes() if not one.scope}
    sources = collections.defaultdict(set)
    for file, one in tree.functions(*rooms):
        first = one.name.split("::")[0]
        if file.path.endswith(".cpp") and "::" in one.name and first in known:
            sources[pathlib.Path(file.path).parent, first].add(pathlib.Path(file.path).name)
    for (folder, name), names in sorted(sources.items()):
        if len(names) > 1:
            yield f"{folder} {name}: {', '.join(sorted(names))}"


def stems_of(files):
    """Returns the stem of each file. A source without a header of its own belongs to the class
    whose members it defines."""
    stems = {file.path: pathlib.Path(file.path).stem for file in files}
    headers = [file for file in files if file.path.endswith(".hpp")]
    homes = {one.name: stems[file.path] for file in headers for one in file.classes()
             if not one.scope}
    for file in files:
        if stems[file.path] not in {stems[header.path] for header in headers}:
            defined = [homes[one.name.split("::")[0]] for one in file.functions()
                       if one.body is not None and one.name.split("::")[0] in homes]
            if defined:
                stems[file.path] = collections.Counter(defined).most_common(1)[0][0]
    return stems


def arrows(files, stems):
    """Returns for each stem those whose headers it includes."""
    found = {stem: set() for stem in stems.values()}
    for file in files:
        for include in file.includes:
            target = stems.get(f"src/{include}")
            if target and target != stems[file.path]:
                found[stems[file.path]].add(target)
    return found


def reached(down, start):
    seen, pending = set(), [start]
    while pending:
        for one in down[pending.pop()] - seen:
            seen.add(one)
            pending.append(one)
    return seen


def floor_of(down, stem, above=()):
    """Returns the length of the longest chain of includes below a stem."""
    below = [floor_of(down, one, (*above, stem)) for one in down[stem] if one not in above]
    return 1 + max(below, default=0)


def circles(tree, room="src/engine/"):
    """Arrows back up between the stems of a room: they lie on a circle, and do not lead to a floor
    below. The headers alone say which floor a stem has."""
    files = [file for file in tree.under(room) if file.path.endswith((".cpp", ".hpp"))]
    stems = stems_of(files)
    down = arrows(files, stems)
    of_headers = arrows([file for file in files if file.path.endswith(".hpp")], stems)
    floors = {stem: floor_of(of_headers, stem) for stem in of_headers}
    for one in sorted(down):
        for two in sorted(down[one]):
            if one in reached(down, two) and floors[two] >= floors[one]:
                yield f"{room} {one} -> {two}"


# --- lines ---

def lines(tree, *folders):
    """Returns the lines of folders, and how many of them are comments."""
    whole = comments = 0
    for folder in folders:
        for path in sorted((tree.root / folder).rglob("*")):
            if path.suffix in LINES and path.is_file():
                text = path.read_text(encoding="utf-8").splitlines()
                whole += len(text)
                comments += sum(line.lstrip().startswith(("//", "!", "/*", "* ")) for line in text)
    return whole, comments
