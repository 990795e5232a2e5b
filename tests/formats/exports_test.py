# SPDX-License-Identifier: BSD-3-Clause
"""Runs what `tutti export` writes for other programs: programs of MSCCL by a small interpreter of
its own, GOAL and Chakra by readers that compare them with each other and with the counts of the
verifier. Nothing here is shared with tutti. Argument: the command.
"""

import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TUTTI = sys.argv[1]
problems = []


def tutti(*words):
    return subprocess.run([TUTTI, *words], capture_output=True, text=True, check=False)


def expect(condition, text):
    if not condition:
        problems.append(text)


class Interpreter:
    """Runs the thread blocks of all GPUs, in turn, as far as they can go. A chunk holds the sorted
    list of the (GPU, chunk) that were added up in it."""

    def __init__(self, text):
        self.algo = xml.etree.ElementTree.fromstring(text)
        self.p, self.chunks = int(self.algo.get("ngpus")), int(self.algo.get("nchunksperloop"))
        self.one_memory = self.algo.get("inplace") == "1"
        self.memory, self.channels, self.done = {}, {}, {}
        self.fill()

    def key(self, gpu, buffer, offset):
        return gpu, "o" if self.one_memory and buffer == "i" else buffer, offset

    def fill(self):
        coll, root = self.algo.get("coll"), int(self.algo.get("root", 0))
        own = self.chunks // self.p if coll == "allgather" else 0
        for gpu in range(self.p):
            if coll != "broadcast" or gpu == root:
                for i in range(own or self.chunks):
                    self.memory[self.key(gpu, "i", i)] = [(gpu, gpu * own + i)]

    def run(self):
        blocks = [(int(gpu.get("id")), tb, list(tb)) for gpu in self.algo for tb in gpu]
        for gpu, tb, _ in blocks:
            self.done[gpu, int(tb.get("id"))] = 0
        going = True
        while going:
            going = False
            for gpu, tb, steps in blocks:
                number = int(tb.get("id"))
                while self.done[gpu, number] < len(steps) and \
                        self.step(gpu, tb, steps[self.done[gpu, number]]):
                    self.done[gpu, number] += 1
                    going = True
        return all(self.done[gpu, int(tb.get("id"))] == len(steps) for gpu, tb, steps in blocks)

    def step(self, gpu, tb, step):
        """Returns False if the step must wait."""
        if int(step.get("depid")) >= 0 and \
                self.done[gpu, int(step.get("depid"))] <= int(step.get("deps")):
            return False
        kind, count = step.get("type"), int(step.get("cnt"))
        source = [self.key(gpu, step.get("srcbuf"), int(step.get("srcoff")) + i)
                  for i in range(count)]
        target = [self.key(gpu, step.get("dstbuf"), int(step.get("dstoff")) + i)
                  for i in range(count)]
        values = None
        if kind in ("r", "rrc"):
            queue = self.channels.setdefault((int(tb.get("recv")), gpu, tb.get("chan")), [])
            if not queue:
                return False
            values = queue.pop(0)
        if kind == "rrc":
            values = [sorted(self.memory[s] + v) for s, v in zip(source, values, strict=True)]
        if kind in ("s", "cpy"):
            values = [self.memory[s] for s in source]
        if kind == "re":
            values = [sorted(self.memory[s] + self.memory[t])
                      for s, t in zip(source, target, strict=True)]
        if kind == "s":
            key = (gpu, int(tb.get("send")), tb.get("chan"))
            self.channels.setdefault(key, []).append(values)
        elif kind != "nop":
            self.memory.update(zip(target, values, strict=True))
        return True

    def result(self, gpu, i):
        """Returns what chunk i of the output of the GPU must hold, or None for anything."""
        coll, root, p = self.algo.get("coll"), int(self.algo.get("root", 0)), self.p
        own = self.chunks // p
        if coll == "broadcast":
            return [(root, i)]
        if coll == "alltoall":
            return [(i, gpu)]
        if coll == "allgather":
            return [(i // own, i)]
        part = gpu * own + i if coll == "reduce_scatter" else i
        return [(k, part) for k in range(p)] if coll != "reduce" or gpu == root else None

    def right(self):
        out = self.chunks // self.p if self.algo.get("coll") == "reduce_scatter" else self.chunks
        return all(self.result(gpu, i) in (None, self.memory.get((gpu, "o", i)))
                   for gpu in range(self.p) for i in range(out))


def order_of_steps(algo):
    """Returns the steps (gpu, thread block, step) of a program, and for each those that it waits
    for: by its thread block, by depid and deps, and by messages."""
    steps, waits, channels = {}, {}, {}
    for gpu in algo:
        for tb in gpu:
            for step in tb:
                place = int(gpu.get("id")), int(tb.get("id")), int(step.get("s"))
                steps[place], waits[place] = step, []
                if place[2] > 0:
                    waits[place].append((*place[:2], place[2] - 1))
                if int(step.get("depid")) >= 0:
                    waits[place].append((place[0], int(step.get("depid")), int(step.get("deps"))))
                for kinds, ends in ((("s", "rcs", "rrs", "rrcs"), (place[0], int(tb.get("send")))),
                                    (("r", "rcs", "rrs", "rrc", "rrcs"),
                                     (int(tb.get("recv")), place[0]))):
                    if step.get("type") in kinds:
                        pair = channels.setdefault((*ends, tb.get("chan")), {"s": [], "r": []})
                        pair[kinds[0]].append(place)
    for pair in channels.values():
        for sent, received in zip(pair["s"], pair["r"], strict=True):
            waits[received].append(sent)
    return steps, waits


def earlier_steps(waits):
    """Returns for each step the set of all that come before it in every order."""
    earlier, left = {}, dict(waits)
    while left:
        ready = [place for place, before in left.items() if all(b in earlier for b in before)]
        if not ready:
            return None
        for place in ready:
            earlier[place] = set(left[place]).union(*(earlier[b] for b in left.pop(place)))
    return earlier


def race_in(text):
    """Returns two steps of a GPU that use one chunk in no order, if one of them writes it."""
    algo = xml.etree.ElementTree.fromstring(text)
    steps, waits = order_of_steps(algo)
    earlier, uses = earlier_steps(waits), {}
    if earlier is None:
        return "a circle"
    for place, step in steps.items():
        kind = step.get("type")
        for buffer, first, writes, kinds in (
            ("srcbuf", "srcoff", False, ("s", "rrs", "rrc", "rrcs", "cpy", "re")),
            ("dstbuf", "dstoff", True, ("r", "rcs", "rrc", "rrcs", "cpy", "re"))):
            for i in range(int(step.get("cnt")) if kind in kinds else 0):
                chunk = place[0], step.get(buffer), int(step.get(first)) + i
                uses.setdefault(chunk, []).append((place, writes))
    for chunk, users in uses.items():
        for n, (one, writes) in enumerate(users):
            for other, also in users[:n]:
                if (writes or also) and one != other and one not in earlier[other] \
                        and other not in earlier[one]:
                    return f"chunk {chunk}: steps {other} and {one}"
    return None


def check_msccl(folder):
    for operation, algorithms in {
        "allreduce": ("ring", "circulant", "halving_doubling", "direct", "mst", "tree:branches=2"),
        "allgather": ("ring", "circulant", "direct"), "reduce_scatter": ("ring", "halving"),
        "broadcast": ("mst", "hypercube", "scatter_allgather"), "reduce": ("mst", "ring"),
        "alltoall": ("linear", "pairwise", "bruck"),
    }.items():
        for algorithm in algorithms:
            for p in (3, 4, 8):
                check_program(folder, operation, algorithm, p)
    words = ("export", "allgather", "--algorithm", "ring", "-n", "3", "--format", "msccl")
    without = re.sub(r'depid="\d+" deps="\d+"', 'depid="-1" deps="-1"', tutti(*words).stdout)
    expect(race_in(without) is not None, "no race is found where no step waits")
    for operation, algorithm, part in (("barrier", "dissemination", "MSCCL has no barrier"),
                                       ("scan", "linear", "MSCCL has no scan"),
                                       ("scatter", "mst", "MSCCL has no scatter")):
        done = tutti("export", operation, "--algorithm", algorithm, "-n", "4", "--format", "msccl")
        expect(done.returncode == 2 and part in done.stderr, f"{operation}: {done.stderr}")


def check_program(folder, operation, algorithm, p):
    name = f"{operation} {algorithm}, p = {p}"
    words = ("export", operation, "--algorithm", algorithm, "-n", str(p), "--format", "msccl")
    done = tutti(*words)
    if "is not defined" in done.stderr or "there is no algorithm" in done.stderr:
        return
    expect(done.returncode == 0, f"{name}: {done.stderr}")
    if done.returncode != 0:
        return
    program = Interpreter(done.stdout)
    expect(program.run(), f"{name}: thread blocks wait for ever")
    expect(program.right(), f"{name}: the interpreter gets a wrong result")
    expect(race_in(done.stdout) is None, f"{name}: {race_in(done.stdout)}")
    path = f"{folder}/program.xml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(done.stdout)
    again = tutti("verify", path)
    expect(again.returncode == 0, f"{name}: tutti reads it as {again.stdout}{again.stderr}")


def goal_nodes(text):
    """Returns for each rank the list of (kind, peer, bytes, tag), and checks what is required."""
    ranks = []
    for body in re.findall(r"rank \d+ \{\n(.*?)\}", text, flags=re.S):
        nodes, seen = [], set()
        for line in body.splitlines():
            if match := re.fullmatch(r"l(\d+) requires l(\d+)", line):
                expect(int(match[2]) in seen and int(match[2]) < int(match[1]), f"GOAL: {line}")
            elif match := re.fullmatch(
                    r"l(\d+): (send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)", line):
                nodes.append((match[2], int(match[4]), int(match[3]), int(match[5])))
                seen.add(int(match[1]))
            else:
                match = re.fullmatch(r"l(\d+): calc (\d+)", line)
                expect(match is not None, f"GOAL: {line}")
                nodes.append(("calc", None, int(match[2]), None))
                seen.add(int(match[1]))
        ranks.append(nodes)
    return ranks


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 0x7f) << shift, shift + 7, at + 1
        if byte < 0x80:
            return value, at


def fields(data):
    """Returns (number, value) of each field of a message of protobuf."""
    at, found = 0, []
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        found.append((key >> 3, value))
    return found


def chakra_nodes(path):
    with open(path, "rb") as file:
        data = file.read()
    at, nodes = 0, []
    while at < len(data):
        size, at = varint(data, at)
        nodes.append(fields(data[at:at + size]))
        at += size
    result = []
    for node in nodes[1:]:
        attributes = {}
        for number, value in node:
            if number == 10:
                (_, name), (_, held) = fields(value)
                attributes[name.decode()] = held
        kind = {5: "send", 6: "recv", 4: "calc"}[dict(node)[3]]
        if kind != "calc":
            peer = attributes["comm_dst" if kind == "send" else "comm_src"]
            result.append((kind, peer, attributes["comm_size"], attributes["comm_tag"]))
    return result


def check_graphs(folder):
    for operation, algorithm, p in (("allreduce", "ring", 5), ("bcast", "mst", 8),
                                    ("alltoall", "pairwise", 7), ("allgather", "circulant", 6)):
        name = f"{operation} {algorithm}, p = {p}"
        words = ("export", operation, "--algorithm", algorithm, "-n", str(p), "--bytes", "840")
        ranks = goal_nodes(tutti(*words, "--format", "goal").stdout)
        expect(len(ranks) == p, f"{name}: GOAL has {len(ranks)} ranks")
        sent = sorted((rank, peer, size, tag) for rank, nodes in enumerate(ranks)
                      for kind, peer, size, tag in nodes if kind == "send")
        taken = sorted((peer, rank, size, tag) for rank, nodes in enumerate(ranks)
                       for kind, peer, size, tag in nodes if kind == "recv")
        expect(sent == taken, f"{name}: sends of GOAL do not meet its receives")
        counts = json.loads(tutti("verify", operation, "--algorithm", algorithm, "-n", str(p),
                                  "--json").stdout)["results"][0]["counts"]
        parts = json.loads(tutti("export", operation, "--algorithm", algorithm, "-n",
                                 str(p)).stdout)["buffers"]["parts"]
        expect(len(sent) == counts["messages"] and
               sum(size for _, _, size, _ in sent) * parts == counts["volume"] * 840,
               f"{name}: GOAL moves {sum(size for _, _, size, _ in sent)} bytes, not {counts}")
        tutti(*words, "--format", "chakra", "--out", f"{folder}/trace")
        for rank, nodes in enumerate(ranks):
            expect(chakra_nodes(f"{folder}/trace.{rank}.et") == nodes,
                   f"{name}: Chakra differs from GOAL on rank {rank}")
    work = goal_nodes(tutti("export", "allreduce", "--algorithm", "ring", "-n", "4", "--format",
                            "goal", "--bytes", "4M", "--machine", "ipsc860").stdout)
    expect(all(sum(kind == "calc" for kind, *_ in nodes) == 3 for nodes in work),
           "a ring on four ranks does not combine three times")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_msccl(folder)
        check_graphs(folder)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
