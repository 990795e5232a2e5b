# SPDX-License-Identifier: BSD-3-Clause
"""Has a program change files of schedules at random, and checks those that tutti finds right with
another verifier: terms are sorted lists of names here. Arguments: the program, the number of files,
a seed.
"""

import json
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(input|output|scratch)\[(\d+)(?:\.\.(\d+))?\](?: x (\d+) by (-?\d+))?")


class Wrong(Exception):
    pass


def members(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise Wrong("a key stands twice")
    return dict(pairs)


def cells(blocks):
    found = []
    for text in blocks:
        match = BLOCK.fullmatch(text)
        if not match:
            raise Wrong(f"no range of blocks: {text}")
        first, last = int(match[2]), int(match[3] or match[2])
        for j in range(int(match[4] or 1)):
            found += [(match[1], i + j * int(match[5] or 0)) for i in range(first, last + 1)]
    return found


class Run:
    """Runs the schedule of a file. A value is the list of the (rank, part) that were combined."""

    def __init__(self, file):
        self.file, self.p, self.root = file, file["p"], file.get("root") or 0
        self.operation, self.sizes = file["operation"], file["buffers"]
        self.parts = self.sizes["parts"]
        self.own = self.parts // self.p
        self.held = [{} for _ in range(self.p)]
        self.heard = [{rank} for rank in range(self.p)]
        for rank in range(self.p):
            if self.operation == "broadcast" and rank == self.root:
                for i in range(self.sizes["output"]):
                    self.held[rank]["output", i] = [(rank, i)]
            if self.operation != "scatter" or rank == self.root:
                for i in range(self.sizes["input"]):
                    part = rank * self.own + i if self.sizes.get("input_own_part") else i
                    self.held[rank]["input", i] = [(rank, part)]

    def read(self, held, blocks):
        found = []
        for cell in cells(blocks):
            if cell not in held or cell[1] >= self.sizes[cell[0]] or cell[1] < 0:
                raise Wrong(f"{cell} is not held")
            found.append(held[cell])
        return found

    def receivers(self, to):
        if isinstance(to, int):
            return [to]
        if isinstance(to, list):
            return to
        ranks = [to["first"] + i * to.get("stride", 1) for i in range(to["count"])]
        return [rank for rank in ranks if rank != to.get("except", -1)]

    def round(self, ranks):
        if sorted(ranks) != sorted(map(str, range(self.p))):
            raise Wrong("not every rank stands in the round")
        messages = {}
        before = [set(heard) for heard in self.heard]
        for rank in range(self.p):
            for op in ranks[str(rank)]:
                for to in self.receivers(op["to"]) if "send" in op else ():
                    if to == rank or not 0 <= to < self.p or (rank, to) in messages:
                        raise Wrong(f"a message from {rank} to {to}")
                    messages[rank, to] = self.read(self.held[rank], op["send"])
        for rank in range(self.p):
            for op in ranks[str(rank)]:
                self.work(op, rank, messages, before)
        if messages:
            raise Wrong(f"nobody takes {list(messages)}")

    def take(self, sender, rank, messages, before):
        if (sender, rank) not in messages:
            raise Wrong(f"no message from {sender} to {rank}")
        self.heard[rank] |= before[sender]
        return messages.pop((sender, rank))

    def work(self, op, rank, messages, before):
        verb = next(iter(set(op) - {"to", "from", "of"}))
        if verb == "send":
            return
        if verb == "receive":
            values = self.take(op["from"], rank, messages, before)
        else:
            values = None
            for operand in op["of"]:
                term = (self.take(operand["from"], rank, messages, before)
                        if isinstance(operand, dict) else self.read(self.held[rank], operand))
                if values is None:
                    values = term
                elif len(values) != len(term):
                    raise Wrong("operands of different lengths")
                else:
                    values = [a + b for a, b in zip(values, term, strict=True)]
        target = cells(op[verb])
        if len(target) != len(values) or any(
                cell[0] == "input" or not 0 <= cell[1] < self.sizes[cell[0]] for cell in target):
            raise Wrong("a result that does not fit")
        self.held[rank].update(zip(target, values, strict=True))

    def wanted(self, rank, i):
        """Returns the terms that a block of output must hold, in the order of the ranks."""
        name = self.operation
        if name in ("broadcast", "scatter"):
            return [(self.root, rank * self.own + i if name == "scatter" else i)]
        if name in ("gather", "allgather"):
            return [(i // self.own, i)]
        if name == "alltoall":
            return [(i // self.own, rank * self.own + i % self.own)]
        last = {"scan": rank + 1, "exscan": rank}.get(name, self.p)
        part = rank * self.own + i if name == "reduce_scatter" else i
        return [(k, part) for k in range(last)]

    def check(self):
        for ranks in self.file["rounds"]:
            self.round(ranks)
        if self.operation == "barrier":
            if any(len(heard) < self.p for heard in self.heard):
                raise Wrong("a rank has not heard of all")
            return
        for rank in range(self.p):
            if self.operation in ("reduce", "gather") and rank != self.root:
                continue
            for i in range(self.sizes["output"]):
                value, wanted = self.held[rank].get(("output", i)), self.wanted(rank, i)
                if self.file.get("commutative_only") and value is not None:
                    value = sorted(value)
                if value != wanted and wanted:
                    raise Wrong(f"output[{i}] of rank {rank} is {value}, not {wanted}")


def main():
    problems = []
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as accepted:
        done = subprocess.run([sys.argv[1], sys.argv[2], sys.argv[3], accepted.name],
                              capture_output=True, text=True, check=False)
        print(done.stdout, done.stderr)
        if done.returncode != 0:
            problems.append(f"{sys.argv[1]} ends with {done.returncode}")
        for line in accepted:
            try:
                Run(json.loads(line, object_pairs_hook=members)).check()
            except (Wrong, ValueError, KeyError, TypeError) as error:
                problems.append(f"{error!r}: {line}")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
