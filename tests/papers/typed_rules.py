# SPDX-License-Identifier: BSD-3-Clause
"""Says which typed number of a paper belongs to a row of `tutti reproduce`, by the name of the
exhibit and the label of the row. Numbers that a paper does not print as such follow from typed
numbers and formulas. The rules for paper 003 are in typed_thesis.py."""
from typed_numbers import OURS, number_of, rule


# ---- 000: the BLACS ----

LOCAL = {"i860": "i860 Local", "Paragon": "Paragon Local", "CM-5": "CM-5 Global",
         "SP1": "SP1 Global"}
TERMS = {"start-up": "alpha", "per double": "beta", "relative error": "rel err"}
FIGURES = {figure: machine for figures in ((24, 26, 28, 30), (25, 27, 29, 31), (44, 45, 46, 47))
           for figure, machine in zip(figures, LOCAL)}
REPETITIONS = dict(zip(LOCAL, ("20", "21", "22", "23")))


@rule("000-table-(2|13)", "v.* for v = isdcz, .*")
def routine(typed, _name):
    return len([row for row in typed.rows("000-table-2", "meaning") if row.startswith("v ")])


@rule("000-table-[56]", "(.+?), (system|BLACS)(, locally blocking)?, (start-up|per double)")
def message(typed, name, machine, who, local, term):
    row = "CM-5 Local" if machine == "CM-5" and (local or who == "BLACS") else LOCAL[machine]
    return typed.number(name, row, f"{who} {TERMS[term]}")


@rule("000-table-9", "(3-ring|1-tree), (.+) processors: steps")
def steps(typed, name, way, p):
    found = typed.formula(name, "steps", way.replace("3-", "N_r-"), N_p=int(p), N_r=3)
    return -(-found // 1)


@rule("000-table-11", "(.+), (best topology|3-ring), (last processor|source)")
def prediction(typed, name, machine, way, who):
    column = {"best topology": '"best"'}.get(way, way)
    return typed.number(name, machine, f"{column} {who.replace('last processor', 'maximum')}")


@rule("000-table-1[26]", "(.+?), (system, )?(per double|start-up|relative error)")
def operation(typed, name, machine, system, term):
    return typed.number(name, machine, ("system " if system else "BLACS ") + TERMS[term])


@rule("000-table-15", "(.+?), (1-tree|bidirectional exchange)(, .*)?")
def combine(typed, name, machine, way, _how):
    return typed.number(name, machine, way)


def line(typed, table, row, column, doubles):
    alpha, beta = (typed.number(f"000-table-{table}", row, column + term)
                   for term in ("alpha", "beta"))
    return alpha + beta * doubles


def rings(typed, machine, T_m, T_c, T_s):
    """Returns the time of the first broadcast along three rings, and that of each further one."""
    example = "CM-5 3-ring example reps="
    times = {"T_m": T_m, "T_c": T_c, "T_s": T_s}
    first = typed.formula("000-section-4.4.2", example + "1", "maximal time", **times)
    more = typed.formula("000-section-4.4.2", example + "15", "each additional broadcast", **times)
    repetitions = typed.number(f"000-figure-{REPETITIONS[machine]}", f"caption {machine}", "reps")
    return first, more, repetitions


@rule("000-figure-(?:24|26|28|30)",
      r"(first broadcast|average of \d+|\d+ broadcasts), (?:last processor.*|(\d+) doubles)")
def repeated(typed, name, which, doubles):
    machine = FIGURES[int(name[-2:])]
    if doubles is None:
        first, more, repetitions = rings(typed, machine, 0, 1, 1)
        return first if which == "first broadcast" else first + (repetitions - 1) * more
    n = int(doubles)
    copy = line(typed, 7, machine, "T_m ", n) if machine in ("CM-5", "SP1") else 0
    first, more, repetitions = rings(typed, machine, copy,
                                     line(typed, 5, LOCAL[machine], "system ", n),
                                     line(typed, 6, LOCAL[machine], "system ", n))
    if which == "first broadcast":
        return first
    return (first + (repetitions - 1) * more) / repetitions


@rule("000-figure-(?:25|27|29|31|44|45|46|47)", "(.+) doubles")
def fitted_line(typed, name, doubles):
    table = 12 if int(name[-2:]) < 40 else 16
    return line(typed, table, FIGURES[int(name[-2:])], "BLACS ", int(doubles))


@rule("000-section-4.3.1", "split_ring, (.+) processors: Tc of the last")
def split_ring(typed, name, p):
    return typed.formula(name, "split ring", "longest time", P=int(p), T_c=1)


@rule("000-section-4.3.2", "hypercube, (.+) processors: send at once in the last step")
def last_step(typed, name, p):
    return typed.formula(name, "hypercube, last step", "processors sending", N_p=int(p))


@rule("000-section-5.3.2", "(CM-5|SP1): fan-in of 4, (.+) doubles")
def fan_in(typed, name, machine, doubles):
    return typed.formula(name, "fan-in 5 to 1, blocking send, CM-5 or SP1", "cost",
                         T_c=line(typed, 5, LOCAL[machine], "system ", int(doubles)),
                         T_o=line(typed, 14, machine, "T_o ", int(doubles)))


# ---- 001: iCC ----

ICC = {"allgather mst": ("2.1", "collect short"), "allgather ring": ("1.2", "bucket collect"),
       "allreduce mst": ("2.1", "global combine-to-all short"),
       "allreduce ring": ("2.2", "global combine-to-all long"),
       "broadcast mst": ("1.1", "broadcast short"),
       "broadcast scatter_allgather": ("2.2", "broadcast long"),
       "gather mst": ("1.1", "scatter"), "scatter mst": ("1.1", "scatter"),
       "reduce mst": ("1.1", "combine-to-one short"),
       "reduce scatter_gather": ("2.2", "combine-to-one long"),
       "reduce_scatter mst": ("2.1", "distributed global combine short"),
       "reduce_scatter ring": ("1.2", "bucket distributed global combine")}
MESH = {"allgather": "collect/distributed combine", "allreduce": "global combine-to-all",
        "broadcast": "broadcast/combine-to-one", "reduce": "broadcast/combine-to-one",
        "reduce_scatter": "collect/distributed combine", "gather": "scatter/gather",
        "scatter": "scatter/gather"}
ADDED = {"reduce": "combine-to-one", "reduce_scatter": "distributed combine"}


def one_term(term):
    """Returns values of the costs with which a formula gives one of its terms."""
    return {"n": 1} | {name: float(name == {"start-ups": "alpha", "bytes": "beta",
                                            "combined": "gamma"}[term])
                       for name in ("alpha", "beta", "gamma")}


@rule("001-(?:table-2|figure-3)",
      r"(?:.*: )?(broadcast|allreduce|16 x 32), (\d+) B(?:, |: )(?:BLACS/iCC|simulated)")
@rule("001-(?:nx|mpi)-(?:broadcast|sum)", r"(broadcast|allreduce), (\d+) B, (?:NX|MPI)/iCC")
def ratio(typed, name, what, length):
    rival = {"nx": "NX", "mpi": "MPI"}.get(name.split("-")[1], "BLACS")
    operation_name = "sum-to-all" if what == "allreduce" else "broadcast"
    return typed.number("001-table-2", f"{operation_name} {length} bytes", f"{rival}/iCC")


@rule("001-costs", "(.+), p = (.+): (start-ups|bytes|combined)")
def block(typed, _name, what, p, term):
    section, row = ICC[what]
    return typed.formula(f"001-section-3.{section}", row, "cost", p=int(p), **one_term(term))


@rule("001-mesh-costs", r"(\w+) (short|long), (\d+) x (\d+): (start-ups|bytes|combined)")
def mesh(typed, _name, what, length, r, c, term):
    ways = {"r": int(r), "c": int(c), "p": int(r) * int(c)}
    form = "short" if MESH[what].startswith("scatter") else length
    section = "001-section-3.3." + ("1" if form == "short" else "2")
    if term == "combined" and what in ADDED:  # the text has beta in one of these terms
        return typed.formula(section, f"{ADDED[what]} mesh {form}", "term added", n=1, beta=1,
                             gamma=1, **ways)
    return typed.formula(section, f"{MESH[what]} mesh {form}", "cost", **ways, **one_term(term))


# ---- 002: PVM ----

@rule("002-table-[1-7]", "(.+) integers, (.+) (?:tasks|nodes)")
def entry(typed, name, n, p):
    return typed.number(name, f"n={n}", f"p={p}")


@rule("002-figure-7", "(.+) integers, (.+) tasks: dynamic over frozen")
def slower(typed, _name, n, p):
    return entry(typed, "002-table-1", n, p) / entry(typed, "002-table-2", n, p)


@rule("002-figure-[89]", "(the system's|PVM's|Walaker's), (.+) integers, (.+) nodes")
def curve(typed, _name, whose, n, p):
    if whose == "Walaker's":
        return typed.number("002-table-7", "Walaker PVM", f"p={p}")
    return entry(typed, "002-table-5" if whose == "the system's" else "002-table-6", n, p)


@rule("002-figure-5", "5 b, .*: messages of PVM within the host")
def group(typed, name):
    return typed.number(name, "(b)", "nodes in group") - 1


@rule("002-overhead", "PVM less the system, mean of all entries|the same from 2 nodes on")
def latency(typed, _name):
    return typed.number("002-section-5.4", "PVM over NX", "average latency added")


@rule("002-section-5.3", "workstation: the largest ratio")
def orders(typed, name):
    return 10**typed.number(name, "SPARC Classic, dynamic against static",
                            "orders of magnitude slower, some as much as")


@rule("002-overhead", "(?:PVM less the system, mean of all entries|the same from (2) nodes on)",
      OURS)
def mean_difference(typed, _name, least):
    apart = [number_of(value) - typed.number("002-table-5", *key)
             for key, value in typed.rows("002-table-6").items()
             if least is None or key[1] != "p=1"]
    return sum(apart) / len(apart)


@rule("002-section-5.3", "workstation: the largest ratio", OURS)
def largest_ratio(typed, _name):
    return max(number_of(value) / typed.number("002-table-2", *key)
               for key, value in typed.rows("002-table-1").items())


# ---- 004: complete exchange ----

FORMS = {"forced": "FORCED", "unforced": "UNFORCED m > 100"}


@rule("004-steps", "(.+), (.+) nodes")
@rule("004-section-4.1", "d = (.), (linear|pairwise): steps")
def exchange_steps(typed, name, first, second):
    way, n = (second, 2**int(first)) if name.endswith("4.1") else (first, int(second))
    section, row, column = {"naive": ("4", "naive", "steps"), "stable": ("4.2", "stable", "steps"),
                            "standard": ("4.3", "standard exchange", "transmissions")}.get(
                                way, ("4.1", way, "steps"))
    return typed.formula("004-section-" + section, row, column, n=n)


@rule("004-figure-1", "links from (.+) to (.+) .*")
def path(typed, _name, start, end):
    return typed.number("004-section-2", f"{start}->{end}", "length of path")


@rule("004-figure-2", "(un)?forced, (constant|per byte|per link)")
def law(typed, _name, not_forced, part):
    return typed.number("004-section-2.2", FORMS["unforced" if not_forced else "forced"],
                        part.replace("constant", "start-up"))


@rule("004-figure-2", "(?:(forced|unforced), )?(?:(.) links?, )?(.+) bytes(?:, (.) links?)?")
def one_message(typed, _name, form, links, length, distance):
    if form is None:
        return typed.number("004-section-2.2", f"{length} bytes, distance {distance}",
                            "time" if distance == "7" else "time, about")
    return typed.formula("004-section-2.2", FORMS[form], "t", m=int(length), d=int(links))


@rule("004-figure-3", "messages on it")
def shared(typed, _name):
    return typed.number("004-section-2.3", "edge 7->15", "paths sharing")


@rule("004-figure-4", "eight messages over one")
def contention(typed, _name):
    return typed.number("004-section-2.3", "8 contending messages of 1000 bytes",
                        "time against one, more than")


@rule("004-figure-10|004-section-6.4", ".*: pairwise_F over pairwise_U")
def twice(typed, _name):
    return typed.number("004-section-6.4", "blocks of less than 100 bytes",
                        "pairwise_U against pairwise_F")


@rule("004-section-2.2", "4 bytes, 7 links over 1 link")
def farther(typed, name):
    return typed.number(name, "4 bytes, distance 7 against 1", "ratio, nearly")


@rule("004-section-4.2", "(?:step of |next step of )(its last link|010->111|001->111).*")
def step(typed, name, which):
    row = "001->111" if which == "its last link" else which
    return typed.number(name, f"stable, {row}", "step")


@rule("004-section-4.3", "d = (.), (standard|linear|pairwise|stable): (messages|blocks|links) (.*)")
def volume(typed, name, d, way, what, more):
    n = 2**int(d)
    if way != "standard":
        return typed.formula("004-section-4.1", "linear", "steps", n=n)
    if more == "with two messages in a step":
        return None  # NOT_PRINTED has these
    column = {"messages": "transmissions", "links": "path length"}.get(
        what, "blocks in total by each processor" if more.startswith("that") else "size")
    return typed.formula(name, "standard exchange", column, n=n)


@rule("004-section-6.1", "d = (.): last size before the jump of (.*)")
def jump(typed, name, d, way):
    return typed.formula(name, way, "jump at", d=int(d)) // 1
