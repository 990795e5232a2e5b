# SPDX-License-Identifier: BSD-3-Clause
"""Edits sources of generators and lets the prover try: source_mutants.py BUILD Z3_LIBRARY OBJECT...
With --texts alone, it only looks whether each text that is edited stands once in its source.

For each proved generator there is one edit of what its source emits, or the source it is made of.
Each is compiled into a tutti-prove of its own, which must not prove the generator. So is each of
the counter-examples.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile

from counter_examples import COUNTER_EXAMPLES

ONLY_TEXTS = sys.argv[1:] == ["--texts"]
BUILD, Z3 = ("", "") if ONLY_TEXTS else sys.argv[1:3]
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../src/algorithms")
# CMake counts a precompiled header among the objects.
OBJECTS = [word for word in sys.argv[3:] if word.endswith(".o")]

# By file: generator, what stands there, what is to stand there, and more of such pairs.
EDITS = {
    "alltoall_digits": [
        ("alltoall/linear", "mod(mine - u, digit.factor)", "mod(mine - u + 1, digit.factor)"),
        ("alltoall/pairwise", ": mine ^ u;", ": mine ^ (u + 1);"),
    ],
    "alltoall_rounds": [
        ("alltoall/naive", "from > me + 1 ? Buffer::scratch : Buffer::output);\n  });",
         "from > me ? Buffer::scratch : Buffer::output);\n  });"),
        ("alltoall/circle", "mod(2 * k - seat - 1, n)", "mod(2 * k - seat, n)"),
        ("alltoall/direct", "out.send({{Buffer::input, mod(me + i, p)}}",
         "out.send({{Buffer::input, mod(me - i, p)}}"),
    ],
    "bucket": [
        ("allgather/ring", "Rank{mod(me + 1, p)});\n    out.receive",
         "Rank{mod(me + 2, p)});\n    out.receive"),
        ("broadcast/scatter_allgather", "Block{Buffer::output, mod(me - t, p)}",
         "Block{Buffer::output, mod(me - t + 1, p)}"),
        ("reduce_scatter/ring", "Buffer::scratch, mod(me - 1 - t, p)}}",
         "Buffer::scratch, mod(me - t, p)}}"),
        ("reduce/scatter_gather", "local({{Buffer::input, next}})", "local({{Buffer::input, me}})"),
        ("allreduce/ring", "next = mod(me - 2 - t, p)", "next = mod(me - 1 - t, p)"),
        ("allgather/neighbour_exchange", "distance = (t + 1) / 2", "distance = t / 2"),
    ],
    "chain": [
        ("broadcast/chain", "me == t + 1) out.receive", "me == t + 2) out.receive"),
        ("reduce/chain", "{local({input}), remote(Rank{me + 1})}", "{remote(Rank{me + 1})}"),
    ],
    "circulant": [
        ("allgather/circulant", "cyclic(Buffer::output, me, count, p)",
         "cyclic(Buffer::output, me + 1, count, p)"),
        ("broadcast/scatter_circulant", "out.receive(cyclic(Buffer::output, me + distance,",
         "out.receive(cyclic(Buffer::output, me + distance + 1,"),
        ("reduce_scatter/circulant", "cyclic(sums, me + distance, count - untouched, p)",
         "cyclic(sums, me + distance + 1, count - untouched, p)"),
        ("reduce/circulant_gather", "local(cyclic(sums, me,", "local(cyclic(Buffer::input, me,"),
        ("allreduce/circulant", "untouched = t == 1 ? p % 2 : 0", "untouched = 0"),
    ],
    "direct": [
        ("broadcast/fully_connected", "Ranks{0, s.p, 1, s.root}", "Ranks{0, s.p - 1, 1, s.root}"),
        ("reduce/fully_connected", "out.send({{Buffer::input, 0}}, Rank{s.root})",
         "out.send({{Buffer::output, 0}}, Rank{s.root})"),
        ("allreduce/fully_connected", "Rank{s.root});\n}\nHeld broadcast_held",
         "Rank{0});\n}\nHeld broadcast_held"),
        ("barrier/fully_connected", "if (num(me) == s.root) return fold_all",
         "if (num(me) == 0) return fold_all"),
        ("allreduce/direct", "for_each(0, p, [&](Int rank) {\n    operands",
         "for_each(1, p, [&](Int rank) {\n    operands"),
        ("barrier/direct", "void direct_emit(Round& out, const Shape& s, Rank me, Int) {\n"
         "  if (s.p > 1)", "void direct_emit(Round& out, const Shape& s, Rank me, Int) {\n"
         "  if (s.p > 2)"),
        ("allreduce/direct_long", "fold_all(out, s.p, me, num(me))", "fold_all(out, s.p, me)"),
        ("scatter/fully_connected", "s.root, [&](Int rank) { out.send({{Buffer::input, rank}}",
         "s.root, [&](Int rank) { out.send({{Buffer::input, s.root}}"),
        ("gather/fully_connected", "{{Buffer::input, s.root}}", "{{Buffer::input, 0}}"),
        ("allgather/direct", "out.receive({{Buffer::output, rank}}",
         "out.receive({{Buffer::output, num(me)}}"),
        ("reduce_scatter/direct", "num(me), [&](Int rank) { out.send({{Buffer::input, rank}}",
         "num(me), [&](Int rank) { out.send({{Buffer::input, num(me)}}"),
    ],
    "dissemination": [
        ("barrier/dissemination", "mod(num(me) + distance, s.p)",
         "mod(num(me) + distance + 1, s.p)"),
    ],
    "exchange": [
        ("allreduce/bidirectional_exchange", "if (partner < me)", "if (partner > me)"),
        ("barrier/bidirectional_exchange", "  out.send({mine}, Rank{partner});",
         "  if (step > 0) out.send({mine}, Rank{partner});"),
    ],
    "halving": [
        ("allgather/recursive_doubling", "mine = me & -size", "mine = me & -(2 * size)"),
        ("broadcast/scatter_doubling", "theirs = partner & -size", "theirs = me & -size"),
    ],
    "mst": [
        ("broadcast/mst", "Rank{halving->child}", "Rank{halving->middle}"),
        ("reduce/mst", "if (num(me) == halving->holder)",
         "if (num(me) == halving->holder && t + 1 < broadcast_rounds(s))"),
        ("allreduce/mst", "Int broadcast_rounds(const Shape& s) {\n  return ceil_log2(s.p);",
         "Int broadcast_rounds(const Shape& s) {\n  return ceil_log2(s.p) - 1;"),
        ("barrier/mst", "if (num(me) == halving->child)",
         "if (num(me) == halving->child && t > 0)"),
        ("scatter/mst", "first + 1, count - 1", "first, count - 1"),
        ("gather/mst", "first, count}}, Rank{child}", "first, count - 1}}, Rank{child}"),
        ("allgather/mst", "if (t == 0 && num(me) == s.root)", "if (t == 1 && num(me) == s.root)"),
        ("reduce_scatter/mst", "Blocks blocks{{Buffer::output, 0}};",
         "Blocks blocks{{Buffer::scratch, num(me)}};"),
    ],
    "ring": [
        ("broadcast/increasing_ring", "if (t == link.place) out", "if (t == link.place + 1) out"),
        ("broadcast/decreasing_ring", "place == 0 ? 0 : me - 1", "place == 0 ? 1 : me - 1"),
        ("broadcast/split_ring", "{me - 1, me - 1, me == half", "{me - 1, me, me == half"),
        ("reduce/increasing_ring", "increasing_rounds(const Shape& s) {\n  return s.p - 1;",
         "increasing_rounds(const Shape& s) {\n  return s.p - 2;"),
        ("reduce/decreasing_ring", "Rank{link.next}", "Rank{link.next - 1}"),
        ("reduce/split_ring", "(me + 1) % s.p", "(me + 2) % s.p"),
        ("allreduce/increasing_ring", "Rank{cut.head(ring)}", "Rank{cut.head(ring) + 1}"),
        ("allreduce/decreasing_ring", "last = me + 1 ==", "last = me + 2 =="),
        ("allreduce/split_ring", "t == 0 && s.p > 2", "t == 0 && s.p > 3"),
    ],
    "scan": [
        ("scan/doubling", "{remote(Rank{me - distance}), local({mine})}",
         "{local({mine}), remote(Rank{me - distance})}"),
        ("scan/linear", "{remote(Rank{me - 1}), local({input})}",
         "{remote(Rank{me - 1}), local({output})}"),
        ("scan/chain", "if (me == 0 && t == 0) out.copy", "if (me == 0 && t == 1) out.copy"),
        ("exscan/doubling", "num(me), 1, 1 << (t - 1)", "num(me), 0, 1 << (t - 1)"),
        ("exscan/linear", "if (me == t) out.send({output}", "if (me == t) out.send({input}"),
    ],
    "tree": [
        ("broadcast/hypercube", "if (num(me) < bit) return", "if (num(me) <= bit) return"),
    ],
}


def compile_command(name):
    """Returns the words of the prover's compiler call without files."""
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            if entry["file"].endswith(f"/src/algorithms/{name}.cpp") and \
                    "tutti_prover.dir" in entry["command"]:
                words = shlex.split(entry["command"])
                out = words.index("-o")
                del words[out:out + 2]
                return [w for w in words if w not in ("-c", entry["file"])]
    sys.exit(f"source_mutants: {name}.cpp is not compiled for the prover")


def edited_text(name, pairs):
    with open(os.path.join(SOURCES, name + ".cpp"), encoding="utf-8") as file:
        text = file.read()
    for old, new in pairs:
        if text.count(old) != 1:
            sys.exit(f"source_mutants: {text.count(old)} times in {name}.cpp: {old}")
        text = text.replace(old, new)
    return text


def build(folder, name, pairs):
    """Returns the prover with the edits."""
    words = compile_command(name)
    edited = os.path.join(folder, name + ".cpp")
    with open(edited, "w", encoding="utf-8") as file:
        file.write(edited_text(name, pairs))
    objects = [o for o in OBJECTS if not o.endswith(f"/src/algorithms/{name}.cpp.o")]
    if len(objects) + 1 != len(OBJECTS):
        sys.exit(f"source_mutants: no object of {name}.cpp")
    prover = os.path.join(folder, "prover")
    subprocess.run(words + ["-c", "-o", edited + ".o", edited], check=True, cwd=BUILD)
    subprocess.run(words + ["-o", prover, edited + ".o"] + objects + [Z3], check=True, cwd=BUILD)
    return prover


def fate(name, generator, pairs):
    """Returns what the prover misses, or nothing if it proves the edited generator."""
    with tempfile.TemporaryDirectory() as folder:
        prover = build(folder, name, pairs)
        done = subprocess.run([prover, generator], stdout=subprocess.PIPE, text=True, check=True)
    record = json.loads(done.stdout)
    if record["proved"]:
        return None
    part = record["separate"]
    return part["missing"] if "missing" in part else record["in_place"]["missing"]


def main():
    edits = [(name, generator, list(zip(texts[::2], texts[1::2])))
             for edited in (EDITS, COUNTER_EXAMPLES) for name, of_file in edited.items()
             for generator, *texts in of_file]
    for name, _, pairs in edits:
        edited_text(name, pairs)
    if ONLY_TEXTS:
        return
    proved = []
    for name, generator, pairs in edits:
        missing = fate(name, generator, pairs)
        print(f"{generator}: {pairs}: {missing or 'PROVED'}", flush=True)
        if missing is None:
            proved.append(generator)
    print(f"{len(edits)} edits, {len(proved)} proved")
    if proved:
        sys.exit(f"source_mutants: proved although edited: {', '.join(proved)}")


main()
