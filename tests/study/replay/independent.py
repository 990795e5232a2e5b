# SPDX-License-Identifier: BSD-3-Clause
"""Replays recorded runs on machines that are described. This is a second simulator, which was
written from docs/internals/simulation.md and the manual alone and shares nothing with the first.
Each function is about a paragraph of that page. Times are whole picoseconds.
"""

import heapq
from collections import defaultdict, deque

ENDS, STRANDS, ASKS, RATES = 1, 2, 3, 4  # the order at one instant


class Lost(Exception):
    """A forced message has come before its receive was posted."""


class Strand:
    """Does one thing after the other. Its steps yield how long each takes, or what it waits for."""
    def __init__(self, rank, number, steps):
        self.rank, self.key, self.steps = rank, (rank, number), steps
        self.is_ready, self.has_ended = lambda: True, False
        self.unsent, self.unleft, self.combined = deque(), 0, 0


class Message:
    """A message that has asked for its port. Its name tells which receive it meets."""
    def __init__(self, strand, number, name, size):
        self.strand, self.key, self.name, self.bytes = strand, (strand.rank, number), name, size
        _, self.source, self.target, _ = name
        self.asks = self.leaves = 0  # when it asks for its path, and when it leaves its port alone


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
        self.strands, self.ports, self.held_back = (
            [[] for _ in recording["ranks"]] for _ in range(3))
        self.numbers, self.taken_until, self.ends = ([0] * len(self.strands) for _ in range(3))
        self.network = machine.network(self)
        self.receives_or_sends = machine.ports == "half" and not self.network.has_ports
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
                yield from self.perform(strand, item, requests, self.send, [(name, item["bytes"])])
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
            yield from self.send(strand, [
                ((context, rank, group[send["to"]], k), send["bytes"])
                for k, send in numbered(todo.get("sends", []), "to")])
            if not machine.posts_ahead:
                yield lambda: all(receive.is_done for receive in receives)
            yield sum(machine.copy_alpha + machine.copy(size) for size in todo.get("copies", []))
            yield sum((combine["operands"] - 1) * machine.combination(combine["bytes"])
                      for combine in todo.get("combines", []))
        yield lambda: all(receive.is_done for receive in receives)

    # Ports of senders

    def send(self, strand, sends):
        strand.unsent, strand.unleft = deque(sends), len(sends)
        while strand.unsent and self.machine.ports == "unlimited":
            self.begin(self.new_message(strand))
        if strand.unsent:
            self.ask_for_port(strand)
        yield lambda: strand.unleft == 0

    def new_message(self, strand):
        self.numbers[strand.rank] += 1
        return Message(strand, self.numbers[strand.rank], *strand.unsent.popleft())

    def ask_for_port(self, strand):
        rank, port = strand.rank, self.ports[strand.rank]
        if self.receives_or_sends and self.taken_until[rank] > self.now:
            self.at(self.taken_until[rank], STRANDS, strand.key, self.ask_for_port, strand)
            return
        port.append(self.new_message(strand))
        if len(port) == 1:
            self.begin(port[0])

    def begin(self, message):
        machine, network = self.machine, self.network
        message.asks = self.now + machine.alpha - machine.held
        message.leaves = (self.now + machine.send_alpha + machine.send(message.bytes)
                          + network.sends_longer)
        if message.leaves <= message.asks:
            self.at(message.leaves, ENDS, message.key, self.leave, message)
        self.at(message.asks, ASKS, message.key, network.ask, message)

    def leave(self, message):
        """The first of a port leaves it. The receiver is next, then who waits, then this strand."""
        rank, strand, port = message.source, message.strand, self.ports[message.source]
        self.network.leave(message)
        if port:
            port.pop(0)
        if self.receives_or_sends:
            self.taken_until[rank] = max(self.taken_until[rank], self.now)
        while self.held_back[rank]:
            self.take(self.held_back[rank].pop(0))
        if port:
            self.begin(port[0])
        strand.unleft -= 1
        if strand.unsent:
            self.ask_for_port(strand)
        self.end(rank)

    # Receivers

    def arrive(self, message):
        context, _, rank, _ = message.name
        is_posted = ((rank, *context[:2]) in self.begun if context else
                     self.receives[message.name].strand is not None)
        if self.machine.posts_ahead and not is_posted:
            raise Lost()
        if self.receives_or_sends and self.ports[rank]:
            self.held_back[rank].append(message)
        else:
            self.take(message)

    def take(self, message):
        rank, time = message.target, self.now
        if self.machine.ports != "unlimited":
            cost = self.machine.receive_alpha + self.machine.receive(message.bytes)
            time = self.taken_until[rank] = max(time, self.taken_until[rank] + cost)
        self.at(time, ENDS, message.key, self.come, message)

    def come(self, message):
        receive = self.receives[message.name]
        receive.bytes = message.bytes
        self.meet(receive)
        self.end(message.target)

    def post(self, name, strand, is_combined=False):
        receive = self.receives[name]
        receive.strand, receive.is_combined = strand, is_combined
        self.meet(receive)
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
