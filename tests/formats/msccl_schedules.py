# SPDX-License-Identifier: BSD-3-Clause
"""Writes well-known schedules in MSCCL's XML from their descriptions, and has `tutti verify` prove
them. Nothing here is shared with tutti's own reader and writer. Argument: the command.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

TUTTI = sys.argv[1]


class Program:
    """Thread blocks of GPUs. A thread block is found by its GPU, peers and channel."""

    def __init__(self, coll, p, chunks, sizes, in_place=False, scratch=0):
        self.coll, self.p, self.chunks, self.sizes = coll, p, chunks, sizes
        self.in_place, self.scratch = in_place, scratch
        self.blocks = [{} for _ in range(p)]

    def step(self, gpu, peers, kind, source, target, count=1, after=None):
        """Appends a step and returns where it stands. `peers` are send, recv and channel."""
        blocks = self.blocks[gpu]
        number, steps = blocks.setdefault(peers, (len(blocks), []))
        steps.append((kind, source, target, count, after or (-1, -1)))
        return number, len(steps) - 1

    def text(self):
        out = [f'<algo name="{self.coll}" proto="Simple" nchannels="1" '
               f'nchunksperloop="{self.chunks}" '
               f'ngpus="{self.p}" coll="{self.coll}" inplace="{int(self.in_place)}" '
               f'outofplace="{int(not self.in_place)}" minBytes="0" maxBytes="0">']
        for gpu, blocks in enumerate(self.blocks):
            out.append(f'  <gpu id="{gpu}" i_chunks="{self.sizes[0]}" o_chunks="{self.sizes[1]}" '
                       f's_chunks="{self.scratch}">')
            ordered = sorted(blocks.items(), key=lambda block: block[1][0])
            for (send, recv, channel), (number, steps) in ordered:
                out.append(f'    <tb id="{number}" send="{send}" recv="{recv}" chan="{channel}">')
                for s, (kind, source, target, count, (block, step)) in enumerate(steps):
                    out.append(f'      <step s="{s}" type="{kind}" srcbuf="{source[0]}" '
                               f'srcoff="{source[1]}" dstbuf="{target[0]}" dstoff="{target[1]}" '
                               f'cnt="{count}" depid="{block}" deps="{step}" hasdep="0"/>')
                out.append("    </tb>")
            out.append("  </gpu>")
        return "\n".join(out + ["</algo>", ""])


def ring_allreduce(p, in_place):
    out = Program("allreduce", p, p, (p, 0 if in_place else p), in_place)
    place = "i" if in_place else "o"
    for gpu in range(p):
        peers = ((gpu + 1) % p, (gpu - 1) % p, 0)

        def add(kind, chunk):
            out.step(gpu, peers, kind, ("i", chunk % p), (place, chunk % p))

        add("s", gpu - 1)
        for t in range(2, p):
            add("rrs", gpu - t)
        add("rrcs", gpu)
        for t in range(1, p - 1):
            add("rcs", gpu - t)
        add("r", gpu + 1)
    return out


def ring_allgather(p):
    out = Program("allgather", p, p, (1, p))
    for gpu in range(p):
        peers = ((gpu + 1) % p, (gpu - 1) % p, 0)
        out.step(gpu, (-1, -1, 0), "cpy", ("i", 0), ("o", gpu))
        out.step(gpu, peers, "s", ("i", 0), ("o", gpu))
        for t in range(1, p - 1):
            out.step(gpu, peers, "rcs", ("i", 0), ("o", (gpu - t) % p))
        out.step(gpu, peers, "r", ("i", 0), ("o", (gpu + 1) % p))
    return out


def ring_reduce_scatter(p):
    out = Program("reduce_scatter", p, p, (p, 1))
    for gpu in range(p):
        peers = ((gpu + 1) % p, (gpu - 1) % p, 0)
        out.step(gpu, peers, "s", ("i", (gpu - 1) % p), ("o", 0))
        for t in range(2, p):
            out.step(gpu, peers, "rrs", ("i", (gpu - t) % p), ("o", 0))
        out.step(gpu, peers, "rrc", ("i", gpu), ("o", 0))
    return out


def all_pairs_alltoall(p):
    out = Program("alltoall", p, p, (p, p))
    for gpu in range(p):
        out.step(gpu, (-1, -1, 0), "cpy", ("i", gpu), ("o", gpu))
        for peer in set(range(p)) - {gpu}:
            out.step(gpu, (peer, peer, 0), "s", ("i", peer), ("o", peer))
            out.step(gpu, (peer, peer, 0), "r", ("i", 0), ("o", peer))
    return out


def all_pairs_alltoall_in_pieces(p, pieces):
    """Each GPU has several chunks for each other one, which go through scratch, and there to other
    places."""
    out = Program("alltoall", p, p * pieces, (p * pieces, p * pieces), scratch=p * pieces + 1)
    for gpu in range(p):
        out.step(gpu, (-1, -1, 0), "cpy", ("i", gpu * pieces), ("o", gpu * pieces), pieces)
        for peer in set(range(p)) - {gpu}:
            out.step(gpu, (peer, peer, 0), "s", ("i", peer * pieces), ("s", 1), pieces)
            come = out.step(gpu, (peer, peer, 0), "r", ("i", 0), ("s", 1 + peer * pieces), pieces)
            out.step(gpu, (-1, -1, 0), "cpy", ("s", 1 + peer * pieces), ("o", peer * pieces),
                     pieces, come)
    return out


def all_pairs_allreduce(p):
    """Every GPU adds its chunk of all others through scratch, and sends the sum to all."""
    out = Program("allreduce", p, p, (p, p), scratch=p)
    for gpu in range(p):
        others = [peer for peer in range(p) if peer != gpu]
        last = out.step(gpu, (-1, -1, 0), "cpy", ("i", gpu), ("o", gpu))
        for peer in others:
            out.step(gpu, (peer, peer, 0), "s", ("i", peer), ("s", 0))
            come = out.step(gpu, (peer, peer, 0), "r", ("i", 0), ("s", peer))
            last = out.step(gpu, (-1, -1, 0), "re", ("s", peer), ("o", gpu), after=come)
        for peer in others:
            out.step(gpu, (peer, peer, 0), "s", ("o", gpu), ("o", gpu), after=last)
            out.step(gpu, (peer, peer, 0), "r", ("o", peer), ("o", peer))
    return out


def one_step_allreduce(p):
    """Every GPU sends its whole vector to all others, which add it to their own: in different
    orders."""
    out = Program("allreduce", p, p, (p, p), scratch=p * p)
    for gpu in range(p):
        out.step(gpu, (-1, -1, 0), "cpy", ("i", 0), ("o", 0), count=p)
        for t in range(1, p):
            peer = (gpu + t) % p
            out.step(gpu, (peer, peer, 0), "s", ("i", 0), ("s", 0), count=p)
            come = out.step(gpu, (peer, peer, 0), "r", ("i", 0), ("s", p * peer), count=p)
            out.step(gpu, (-1, -1, 0), "re", ("s", p * peer), ("o", 0), count=p, after=come)
    return out


def doubling_allgather(p):
    out = Program("allgather", p, p, (1, p))
    for gpu in range(p):
        last, distance = out.step(gpu, (-1, -1, 0), "cpy", ("i", 0), ("o", gpu)), 1
        while distance < p:
            peer = gpu ^ distance
            mine, theirs = gpu & -distance, peer & -distance
            peers = (peer, peer, 0)
            out.step(gpu, peers, "s", ("o", mine), ("o", mine), count=distance, after=last)
            last = out.step(gpu, peers, "r", ("o", theirs), ("o", theirs), count=distance)
            distance *= 2
    return out


def halving_allreduce(p):
    """Recursive halving in place, and recursive doubling."""
    out = Program("allreduce", p, p, (p, 0), in_place=True)
    for gpu in range(p):
        last, distance = None, p // 2
        while distance >= 1:
            peer = gpu ^ distance
            mine, theirs = gpu & -distance, peer & -distance
            out.step(gpu, (peer, peer, 0), "s", ("i", theirs), ("i", theirs), distance, last)
            last = out.step(gpu, (peer, peer, 0), "rrc", ("i", mine), ("i", mine), distance)
            distance //= 2
        distance = 1
        while distance < p:
            peer = gpu ^ distance
            mine, theirs = gpu & -distance, peer & -distance
            out.step(gpu, (peer, peer, 1), "s", ("i", mine), ("i", mine), distance, last)
            last = out.step(gpu, (peer, peer, 1), "r", ("i", theirs), ("i", theirs), distance)
            distance *= 2
    return out


def binary_trees_allreduce(p):
    """Two trees, the second with the numbers turned by one; each carries one half."""
    out = Program("allreduce", p, 2, (2, 2))
    for tree in (0, 1):
        def number(node):
            return (node + tree) % p

        for node in range(p):
            gpu, chunk = number(node), tree
            children = [number(c) for c in (2 * node + 1, 2 * node + 2) if c < p]
            parent = None if node == 0 else number((node - 1) // 2)
            last = out.step(gpu, (-1, -1, tree), "cpy", ("i", chunk), ("o", chunk))
            for child in children:
                last = out.step(gpu, (child, child, tree), "rrc", ("o", chunk), ("o", chunk),
                                after=last)
            if parent is not None:
                out.step(gpu, (parent, parent, tree), "s", ("o", chunk), ("o", chunk), after=last)
                last = out.step(gpu, (parent, parent, tree), "r", ("o", chunk), ("o", chunk))
            for child in children:
                out.step(gpu, (child, child, tree), "s", ("o", chunk), ("o", chunk), after=last)
    return out


def hierarchical_allreduce(p, hosts):
    """Adds in each host to its first GPU, among these in a chain, and hands the sum back."""
    out, size = Program("allreduce", p, 1, (1, 1)), p // hosts
    for gpu in range(p):
        leader = gpu - gpu % size
        last = out.step(gpu, (-1, -1, 0), "cpy", ("i", 0), ("o", 0))

        def exchange(peer, kind, after):
            return out.step(gpu, (peer, peer, 0), kind, ("o", 0), ("o", 0), after=after)

        if gpu != leader:
            exchange(leader, "s", last)
            exchange(leader, "r", None)
            continue
        for member in range(leader + 1, leader + size):
            last = exchange(member, "rrc", last)
        if leader > 0:
            last = exchange(leader - size, "rrc", last)
        if leader + size < p:
            last = exchange(leader + size, "s", last)
            last = exchange(leader + size, "r", last)
        if leader > 0:
            last = exchange(leader - size, "s", last)
        for member in range(leader + 1, leader + size):
            exchange(member, "s", last)
    return out


def schedules():
    for p in (3, 4, 8):
        yield f"ring_{p}", ring_allreduce(p, False)
        yield f"ring_in_place_{p}", ring_allreduce(p, True)
        yield f"allgather_ring_{p}", ring_allgather(p)
        yield f"reduce_scatter_ring_{p}", ring_reduce_scatter(p)
        yield f"alltoall_{p}", all_pairs_alltoall(p)
        yield f"alltoall_2_{p}", all_pairs_alltoall_in_pieces(p, 2)
        yield f"alltoall_3_{p}", all_pairs_alltoall_in_pieces(p, 3)
        yield f"all_pairs_{p}", all_pairs_allreduce(p)
        yield f"one_step_{p}", one_step_allreduce(p)
        yield f"trees_{p}", binary_trees_allreduce(p)
    for p in (4, 8):
        yield f"doubling_{p}", doubling_allgather(p)
        yield f"halving_{p}", halving_allreduce(p)
        yield f"hierarchical_{p}", hierarchical_allreduce(p, 2)


def verify(folder, name, program, *more):
    path = folder / f"{name}.xml"
    path.write_text(program.text() if isinstance(program, Program) else program)
    return subprocess.run([TUTTI, "verify", str(path), *more],
                          env={"XDG_CACHE_HOME": str(folder), "PATH": ""},
                          capture_output=True, text=True, check=False)


def without_waits(program):
    """Yields the text with one dependency left out, for each of them."""
    text = program.text()
    for wait in re.finditer(r'depid="\d+" deps="\d+"', text):
        yield text[:wait.start()] + 'depid="-1" deps="-1"' + text[wait.end():]


def wrong_pieces(folder):
    """Chunks of an alltoall that are not a multiple of the GPUs, and two chunks exchanged."""
    right, problems = all_pairs_alltoall_in_pieces(3, 2).text(), []
    for before, after, part in (
        ('nchunksperloop="6"', 'nchunksperloop="7"', "nchunksperloop is 7 and ngpus is 3"),
        ('type="cpy" srcbuf="s" srcoff="3" dstbuf="o" dstoff="2" cnt="2"',
         'type="cpy" srcbuf="s" srcoff="4" dstbuf="o" dstoff="2" cnt="1"', "NOT CORRECT"),
    ):
        if before not in right:
            problems.append(f"there is no {before} to change")
        done = verify(folder, "pieces", right.replace(before, after, 1))
        if done.returncode not in (1, 2) or part not in done.stdout + done.stderr:
            problems.append(f"{after}: {done.returncode} {done.stdout}{done.stderr}")
    return problems


def unknown_attributes(folder):
    """Attributes that other readers of MSCCL's XML know are told once each, and change nothing."""
    right, problems = ring_allreduce(3, True).text(), []
    plain = verify(folder, "plain", right)
    text = right.replace(" ngpus=", ' maxcount="4" ngpus=')
    text = text.replace(" hasdep=", ' tune="x" hasdep=')
    done = verify(folder, "plain", text)
    notes = [line for line in done.stderr.splitlines() if "passes it over" in line]
    if done.returncode != 0 or done.stdout != plain.stdout or plain.stderr:
        problems.append(f"unknown attributes: {done.returncode} {done.stdout}{done.stderr}")
    if len(notes) != 2 or "line 1: tutti does not know the attribute maxcount of <algo>" not in (
            notes[0]) or "the attribute tune of <step>" not in notes[1]:
        problems.append(f"unknown attributes are noted as {done.stderr}")
    many = right.replace(" ngpus=", "".join(f' a{i}="0"' for i in range(12)) + " ngpus=")
    done = verify(folder, "many", many)
    if len(done.stderr.splitlines()) != 9 or "has more attributes" not in done.stderr:
        problems.append(f"many unknown attributes are noted as {done.stderr}")
    return problems


def main():
    problems = []
    with tempfile.TemporaryDirectory() as place:
        folder, count = pathlib.Path(place), 0
        for name, program in schedules():
            done = verify(folder, name, program)
            count += 1
            same = "never" if name.startswith("one_step") else "always"
            fine = done.returncode == 0 and (program.coll != "allreduce" or same in done.stdout)
            if not fine:
                problems.append(f"{name}: {done.returncode}\n{done.stdout}{done.stderr}")
        right = ring_allreduce(4, True).text()
        for before, after, part in (
            ('type="rrs"', 'type="rcs"', "missing: rank 0"),
            ('coll="allreduce"', 'coll="custom"', "coll is custom, so the file does not say"),
            ('coll="allreduce"', 'coll="alltonext"', "coll is alltonext, which tutti does"),
            ('srcoff="3"', 'srcoff="4"', "srcoff is 4 and cnt is 1, but buffer i has 4 chunks"),
            ('dstoff="0"', 'dstoff="4"', "dstoff is 4 and cnt is 1, but buffer i has 4 chunks"),
            ('type="r"', 'type="nop"', "which receives"),
            ('recv="3"', 'recv="-1"', "a tb without recv has a step"),
            ('<gpu id="1"', '<gpu id="0"', "gpu 0 stands twice"),
            ('cnt="1"', 'cnt="1000000000"', "cnt is 1000000000, limit 1 to"),
            ('type="s"', 'type="t"', "there is no type of step t"),
            ('depid="-1" deps="-1"', 'depid="0" deps="4"', "wait for each other in a circle"),
            ('depid="-1" deps="-1"', 'depid="0" deps="0"', "waits for itself"),
            ('depid="-1" deps="-1"', 'depid="0" deps="99"', "waits for step 99 of tb 0, which is"),
            ('depid="-1" deps="-1"', 'depid="7" deps="0"', "waits for step 0 of tb 7, which is"),
            ('i_chunks="4"', 'i_chunks="-7"', "i_chunks is -7, limit 0 to"),
            ('o_chunks="0"', 'o_chunks="all"', "o_chunks is 'all' but must be a whole number"),
            ("</algo>", "", "</algo> is expected"),
        ):
            done = verify(folder, "wrong", right.replace(before, after, 1))
            if done.returncode not in (1, 2) or part not in done.stdout + done.stderr:
                problems.append(f"{after} instead of {before}: {done.returncode} "
                                f"{done.stdout}{done.stderr}")
        for text in without_waits(all_pairs_allreduce(3)):
            done = verify(folder, "race", text)
            if done.returncode != 2 or "neither waits for the other" not in done.stderr:
                problems.append(f"a race: {done.returncode} {done.stdout}{done.stderr}")
        problems += wrong_pieces(folder) + unknown_attributes(folder)
        if count < 20:
            problems.append(f"only {count} schedules")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
