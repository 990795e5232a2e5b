# SPDX-License-Identifier: BSD-3-Clause
"""Replays recorded runs on machines that are described. This is a second simulator, which follows
docs/internals/simulation.md and the manual and shares nothing with the first. Each function is
about a paragraph of that page. Times are whole picoseconds.
"""

import heapq
from collections import defaultdict

from independent_machines import ENDS, STRANDS
from independent_ports import Ports


class Strand:
    """Does one thing after the other. Its steps yield how long each takes, or what it waits for."""
    def __init__(self, rank, number, steps):
        self.rank, self.key, self.steps = rank, (rank, number), steps
        self.is_ready, self.has_ended = lambda: True, False
        self.unsent, self.unleft, self.combined = [], 0, 0  # messages, and a time


class Receive:
    """A receive and its message, known as soon as one of the two is there."""
    def __init__(self):
        self.strand = self.bytes = None  # of a posted receive, of a message that has come
        self.is_combined = self.is_done = False


class Replay:
    """The loop of the simulator and what all ranks share."""
    def __init__(self, machine, recording):
        self.machine, self.recording = machine, recording
        self.now, self.count, self.events = 0, 0, []
        self.receives = defaultdict(Receive)
        self.begun = set()  # operations by rank, group and number
        self.strands = [[] for _ in recording["ranks"]]
        self.ends = [0 for _ in self.strands]
        self.ports = Ports(self, len(self.strands))
        for rank in range(len(self.strands)):
            self.go_on(self.new_strand(rank, lambda strand: self.program(strand)))
        while self.events:
            self.now, _, _, _, action, arguments = heapq.heappop(self.events)
            action(*arguments)
        for strand in sum(self.strands, []):
            assert strand.has_ended, f"strand {strand.key} waits for ever"

    def at(self, time, turn, key, action, *arguments):
        self.count += 1
        heapq.heappush(self.events, (time, turn, key, self.count, action, arguments))

    # Strands

    def new_strand(self, rank, steps):
        strand = Strand(rank, len(self.strands[rank]), None)
        strand.steps = steps(strand)
        self.strands[rank].append(strand)
        return strand

    def go_on(self, strand):
        """Lets a strand work until it must wait."""
        while not strand.has_ended and strand.is_ready():
            wish = next(strand.steps, None)
            if wish is None:
                strand.has_ended = True
                self.end(strand.rank)
            elif callable(wish):
                strand.is_ready = wish
            else:
                self.work(strand, self.now + wish)

    def work(self, strand, until):
        strand.is_ready = lambda: self.now >= until
        if until > self.now:
            self.at(until, STRANDS, strand.key, self.go_on, strand)

    def end(self, rank):
        """Something of a rank has ended, so its strands that waited for this go on."""
        self.ends[rank] = max(self.ends[rank], self.now)
        for strand in self.strands[rank]:
            if not strand.has_ended and strand.is_ready():
                self.at(self.now, STRANDS, strand.key, self.go_on, strand)

    # Programs of ranks

    def program(self, strand):
        rank, requests = strand.rank, {}
        recorded, sent, runs = self.recording["ranks"][rank], defaultdict(int), defaultdict(int)
        for item in recorded["items"]:
            yield 1000 * item.get("after", 0)
            source = item.get("receive", item.get("post", item.get("probe")))
            receive = (None, source, rank, item.get("message"))
            if "run" in item:
                part = recorded["bound"][item["run"]]
                yield from self.perform(strand, item, requests, self.operation, part,
                                        runs[part["group"]])
                runs[part["group"]] += 1
            elif "send" in item:
                target = item["send"]
                name = (None, rank, target, sent[target])
                sent[target] += 1
                yield from self.perform(strand, item, requests, self.ports.send,
                                        [(name, item["bytes"])])
            elif "wait" in item:
                yield requests[item["wait"]]
            else:
                met = self.post(receive, strand)
                if "post" in item:
                    requests[item["request"]] = lambda met=met: met.is_done
                else:
                    yield lambda met=met: met.is_done

    def perform(self, program, item, requests, steps, *arguments):
        """Executes steps in the program's own strand, or in a new one if the item is started."""
        if "request" not in item:
            yield from steps(program, *arguments)
            return
        strand = self.new_strand(program.rank, lambda strand: steps(strand, *arguments))
        requests[item["request"]] = lambda: strand.has_ended
        strand.is_ready = next(strand.steps, lambda: True)
        self.at(self.now, STRANDS, strand.key, self.go_on, strand)

    def operation(self, strand, part, number):
        machine, rank, name = self.machine, strand.rank, (part["group"], number)
        group, receives = self.recording["groups"][part["group"]], []
        self.begun.add((rank, *name))
        for step, todo in enumerate(part["rounds"]):
            if machine.posts_ahead and todo.get("passes_on") and receives:
                yield lambda: all(receive.is_done for receive in receives)
            if not any(todo.get(part) for part in ("sends", "receives", "copies", "combines")):
                continue
            context = (*name, step)
            for k, receive in numbered(todo.get("receives", []), "from"):
                receives.append(self.post((context, group[receive["from"]], rank, k), strand,
                                          receive.get("combined", False)))
            yield from self.ports.send(strand, [
                ((context, rank, group[send["to"]], k), send["bytes"])
                for k, send in numbered(todo.get("sends", []), "to")])
            if not machine.posts_ahead:
                yield lambda: all(receive.is_done for receive in receives)
                yield from self.pause(strand)
            yield sum(machine.copy_alpha + machine.copy(size) for size in todo.get("copies", []))
            yield sum((combine["operands"] - 1) * machine.combination(combine["bytes"])
                      for combine in todo.get("combines", []))
        yield lambda: all(receive.is_done for receive in receives)

    def pause(self, _):
        """Lets other strands go on first, where receives are chosen."""
        yield from ()

    # Messages meet receives

    def is_posted(self, message):
        if self.machine.posts_ahead and message.context:
            return (message.target, *message.context[:2]) in self.begun
        return self.receives[message.name].strand is not None

    def come(self, message):
        receive = self.receives[message.name]
        receive.bytes = message.bytes
        self.meet(receive)
        self.end(message.target)

    def post(self, name, strand, is_combined=False):
        receive = self.receives[name]
        receive.strand, receive.is_combined = strand, is_combined
        self.meet(receive)
        self.ports.posted()
        return receive

    def meet(self, receive):
        strand, size = receive.strand, receive.bytes
        if strand is None or size is None:
            return
        if receive.is_combined:
            strand.combined = max(self.now, strand.combined) + self.machine.combination(size)
            self.at(strand.combined, ENDS, strand.key, self.combined, receive)
        else:
            receive.is_done = True

    def combined(self, receive):
        receive.is_done = True
        self.end(receive.strand.rank)


def numbered(entries, peer):
    """Tells which of the messages between two members in one round an entry is."""
    counts = defaultdict(int)
    for entry in entries:
        yield counts[entry[peer]], entry
        counts[entry[peer]] += 1
