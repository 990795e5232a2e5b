# SPDX-License-Identifier: BSD-3-Clause
"""Says which typed words, names of calls and formulas of costs belong to a row of `tutti reproduce`
that prints a text, as typed_rules.py does for numbers."""
import re

from typed_numbers import rule

COSTS = ("T_c", "T_o", "T_s")
TREE, RING = "general tree", "unidirectional ring"


def cost(typed, exhibit, row, column, **names):
    """Evaluates the formula of a cost and returns a text such as 10 Tc + 2 Ts."""
    parts = []
    for one in COSTS:
        count = typed.formula(exhibit, row, column, **{name: name == one for name in COSTS},
                              **names)
        if count:
            parts.append(f"{count:g} {one.replace('_', '')}")
    return " + ".join(parts)


# ---- 000 ----


@rule("000-figure-1", "process (.)")
def place(typed, name, process):
    found = [key for key, value in typed.rows(name).items()
             if value == process and key[0] != "caption"]
    return ", ".join(found[0]).replace("process ", "")


@rule("000-table-4", "(i860|Paragon|CM-5|SP1), (.*)")
def call(typed, name, machine, use):
    rows = {"broadcast, sends": "bcast/send", "broadcast, receives": "bcast/recv",
            "synchronise": "sync", "send of the BLACS": "send(BLACS)",
            "receive of the BLACS": "recv(BLACS)"}
    return typed.text(name, rows.get(use, use), machine)


@rule("000-table-9",
      "(3-ring|1-tree), (.+) processors: (source|last|sends in each step|finished after each)")
def topology(typed, name, way, p, what):
    row = {"source": "src time", "last": "max time", "sends in each step": "sends S=i",
           "finished after each": "procs done S=i"}[what]
    column, names = way.replace("3-", "N_r-"), {"N_p": int(p), "N_r": 3}
    if what in ("source", "last"):
        return cost(typed, name, row, column, **names)
    whole_steps = int(typed.formula(name, "steps", column, **names))
    return " ".join(f"{typed.formula(name, row, column, i=i, **names):g}"
                    for i in range(whole_steps))


def tree(typed, branches, p, what):
    names = {"N_b": branches, "N_p": p}
    names["H_t"] = typed.formula("000-section-4.3.2", TREE, "height H_t", **names)
    names["N_is"] = typed.formula("000-section-4.3.2", TREE, "initial sends N_is", **names)
    return cost(typed, "000-section-4.3.2", TREE,
                "origin time" if what == "source" else "longest time", **names)


@rule("000-table-10", "TOP = ('.'): (source|last)")
def top(typed, name, which, what):
    return tree(typed, int(typed.number(name, f"TOP {which}", "N_b")), 32, what)


@rule("000-section-4.3.2", r"(hypercube|(\d)-tree), (\d+) processors: (source|last)")
def trees(typed, name, _way, branches, p, what):
    if branches:
        return tree(typed, int(branches), int(p), what)
    column = "source time" if what == "source" else "longest time"
    return cost(typed, name, "hypercube", column, N_p=int(p))


@rule("000-section-4.3.1",
      r"(increasing_ring|decreasing_ring|split_ring|(\d)-ring), (\d+) processors: (source|last)")
def ring(typed, name, way, rings, p, what):
    names = {"N_p": int(p), "P": int(p), "N_r": int(rings or 1)}
    if what == "source":
        row = {"s": "split ring"}.get(way[0], "multiring" if rings else RING)
        return cost(typed, name, row, "source time", **names)
    if not rings:
        return cost(typed, name, RING, "last processor time", **names)
    kind = "unequal" if (names["N_p"] - 1) % names["N_r"] else "equal"
    return cost(typed, name, f"multiring, {kind} rings", "longest time", **names)


@rule("000-section-5.4.1", "fan-in( and fan-out)?, (.+) processors: (?:destination|last)")
def gather(typed, name, out, p):
    row, column = ((", leave-on-all", "longest time") if out else ("", "T_D"))
    return cost(typed, name, "tree gather N_b=1" + row, column, N_p=int(p))


@rule("000-section-5.4.2", "bidirectional exchange, (.+) processors: last")
def exchange(typed, name, p):
    p = int(p)
    kind = "N_p power of two" if p & (p - 1) == 0 else "beyond power of two"
    return cost(typed, name, f"bidirectional exchange, {kind}", "T_D", N_p=p)


@rule("000-figure-3[679]", "time of the source or destination")
def drawn(typed, name):
    if name.endswith("36"):
        sources = int(typed.text(name, "caption", "fan-in").split()[0]) - 1
        return cost(typed, "000-section-5.4.1", "tree gather, T_o < T_c", "each receiver",
                    N_b=sources)
    p = int(typed.number("000-section-4.3", "figures", "N_p"))
    if name.endswith("37"):
        return gather(typed, "000-section-5.4.1", None, p)
    return exchange(typed, "000-section-5.4.2", p)


# ---- 001, 002, 004 ----


@rule("001-table-1", "(icc|nx|mpi|blacs), (broadcast|sum to all)")
def operation(typed, name, library, what):
    row = {"icc": "iCC"}.get(library, library.upper())
    return re.sub(r"\(.*", "", typed.text(name, row, what.replace(" ", "-")))


@rule("002-section-A.3", "instances 0, 1 and 2 sum five integers at root 1")
def sums(typed, name):
    return " ".join(typed.text(name, "after, instance 1", f"value {i}") for i in range(1, 6))


@rule("004-table-section-5", "(.+): (synchronisation|messages)")
def implementation(typed, _name, way, what):
    column = "message type" if what == "messages" else "synchronization"
    return typed.text("004-section-5-table", way, column).lower()


@rule("004-figure-1", "(?:edge|node) that the first (?:(two)|and the third) share")
def in_common(typed, _name, two):
    if two:
        return typed.text("004-section-2", "0->31 and 2->23", "share edge")
    return typed.text("004-section-2", "0->31 and 14->11", "share node")


@rule("004-figure-3", "from (.+) to (.+)")
def route(typed, _name, start, end):
    routes = typed.rows("004-section-2.3", "route").values()
    return next(found.replace("->", "-") for found in routes
                if found.startswith(start + "->") and found.endswith("->" + end))
