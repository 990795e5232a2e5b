# SPDX-License-Identifier: BSD-3-Clause
"""Replays recorded runs on machines that are described. This is a second simulator, which was
written from docs/internals/simulation.md and the manual alone and shares nothing with the first.
Each function is about a paragraph of that page. Times are whole picoseconds.
"""

import heapq
import math
import tomllib
from collections import defaultdict

ENDS, STRANDS, ASKS = 1, 2, 3  # the order at one instant


class Strand:
    """A program of a rank, or what it has started, as a generator of times and conditions."""
    def __init__(self, rank, number, steps):
        self.rank, self.key, self.steps = rank, (rank, number), steps
        self.until, self.combined, self.ended = None, 0, False


class Message:
    def __init__(self, key, source, target, size):
        self.key, self.source, self.target, self.bytes = key, source, target, size
        self.left = self.has_port = False


class Receive:
    """A message at its receiver, known from the arrival or the posting on."""
    def __init__(self):
        self.bytes = self.strand = None
        self.is_combined = self.done = False


class Replay:
    def __init__(self, machine, recording):
        self.machine, self.recording = machine, recording
        self.now, self.events, self.count = 0, [], 0
        self.receives = defaultdict(Receive)
        ranks = range(len(recording["ranks"]))
        self.strands = [[] for _ in ranks]
        self.port, self.port_queue = [None for _ in ranks], [[] for _ in ranks]
        self.received, self.sent, self.ends = ([0 for _ in ranks] for _ in range(3))
        self.arrived, self.receiving = [[] for _ in ranks], [[] for _ in ranks]
        self.network = machine.network(self)
        for rank in ranks:
            self.start(rank, self.program(rank))
        while self.events:
            self.now, _, _, _, action = heapq.heappop(self.events)
            action()
        for strand in (strand for strands in self.strands for strand in strands):
            assert strand.ended, f"strand {strand.key} waits for ever"

    def at(self, time, kind, key, action):
        self.count += 1
        heapq.heappush(self.events, (time, kind, key, self.count, action))

    # Strands

    def start(self, rank, steps):
        strand = Strand(rank, len(self.strands[rank]), steps)
        self.strands[rank].append(strand)
        self.at(0, STRANDS, strand.key, lambda: self.go_on(strand))

    def go_on(self, strand):
        """Lets a strand work until it must wait for a time, or until a condition holds."""
        if strand.ended or strand.until and not strand.until():
            return
        strand.until = None
        while not strand.ended:
            wish = next(strand.steps, None)
            if wish is None:
                strand.ended = True
                self.ends[strand.rank] = self.now
                self.wake(strand.rank)
            elif callable(wish):
                if not wish():
                    strand.until = wish
                    return
            elif wish:
                time = self.now + wish
                strand.until = lambda: self.now >= time
                self.at(time, STRANDS, strand.key, lambda: self.go_on(strand))
                return

    def wake(self, rank):
        for strand in self.strands[rank]:
            if strand.until and strand.until():
                self.at(self.now, STRANDS, strand.key, lambda strand=strand: self.go_on(strand))

    # Programs of ranks

    def program(self, rank):
        recorded, requests, messages, runs = self.recording["ranks"][rank], {}, {}, {}
        yield 0
        for item in recorded["items"]:
            yield 1000 * item.get("after", 0)
            if "run" in item:
                part = recorded["bound"][item["run"]]
                number = runs[part["group"]] = runs.get(part["group"], -1) + 1
                yield from self.perform(rank, item, requests,
                                        lambda strand: self.operation(strand, part, number))
            elif "send" in item:
                target = item["send"]
                number = messages[target] = messages.get(target, -1) + 1
                yield from self.perform(rank, item, requests, lambda strand: self.send(
                    strand, [(target, item["bytes"], (rank, target, number))]))
            elif "receive" in item or "post" in item:
                source = item.get("receive", item.get("post"))
                receive = self.post((source, rank, item["message"]), None)
                if "post" in item:
                    requests[item["request"]] = lambda receive=receive: receive.done
                else:
                    yield lambda: receive.done
            elif "probe" in item:
                receive = self.receives[item["probe"], rank, item["message"]]
                yield lambda: receive.bytes is not None
            elif "wait" in item:
                yield requests[item["wait"]]

    def perform(self, rank, item, requests, steps):
        """Executes steps in the program's own strand, or in a new one if the item is started."""
        if "request" in item:
            strand = Strand(rank, len(self.strands[rank]), None)
            strand.steps = steps(strand)
            self.strands[rank].append(strand)
            requests[item["request"]] = lambda: strand.ended
            strand.until = next(strand.steps, lambda: True)
            self.at(self.now, STRANDS, strand.key, lambda: self.go_on(strand))
        else:
            yield from steps(self.strands[rank][0])

    def operation(self, strand, part, number):
        machine, rank = self.machine, strand.rank
        group = self.recording["groups"][part["group"]]
        for step, todo in enumerate(part["rounds"]):
            if not any(todo.get(part) for part in ("sends", "receives", "copies", "combines")):
                continue
            name = (part["group"], number, step)
            posted = [self.post((*name, group[receive["from"]], rank, k), strand,
                                receive.get("combined", False))
                      for k, receive in numbered(todo.get("receives", []), "from")]
            yield from self.send(strand, [
                (group[send["to"]], send["bytes"], (*name, rank, group[send["to"]], k))
                for k, send in numbered(todo.get("sends", []), "to")])
            yield lambda: all(receive.done for receive in posted)
            for size in todo.get("copies", []):
                yield machine.copy_alpha + machine.copy(size)
            for combine in todo.get("combines", []):
                once = machine.gamma_alpha + machine.gamma(combine["bytes"])
                yield (combine["operands"] - 1) * once

    # Ports of senders

    def send(self, strand, sends):
        rank, begun = strand.rank, []
        for target, size, key in sends:
            if self.machine.ports != "unlimited":
                self.port_queue[rank].append(strand)
                strand.asked = self.now
                yield lambda: self.may_begin(strand)
                self.port_queue[rank].pop(0)
            begun.append(self.begin(rank, target, size, key))
            if self.machine.ports != "unlimited":
                yield lambda: begun[-1].left
        yield lambda: all(message.left for message in begun)

    def may_begin(self, strand):
        rank = strand.rank
        return (self.port[rank] is None and self.port_queue[rank][0] is strand
                and not any(begun <= strand.asked and done > self.now
                            for begun, done in self.receiving[rank]))

    def begin(self, rank, target, size, key):
        message, machine = Message((rank, self.sent[rank]), rank, target, size), self.machine
        message.name = key
        self.sent[rank] += 1
        self.port[rank] = message
        message.own = machine.send_alpha + machine.send(size) + self.network.extra_port
        message.asked = self.now + machine.alpha - self.network.held
        message.own += self.now
        if message.own <= message.asked:
            self.leave_at(message, message.own)
        self.at(message.asked, ASKS, message.key, lambda: self.network.ask(message))
        return message

    def leave_at(self, message, time):
        self.at(time, ENDS, message.key, lambda: self.leave(message))

    def leave(self, message):
        message.left, rank = True, message.source
        if self.port[rank] is message:
            self.port[rank] = None
        if self.network.is_half:
            self.received[rank] = max(self.received[rank], self.now)
        for waiting in self.arrived[rank]:
            self.take(waiting)
        self.arrived[rank].clear()
        self.network.left(message)
        self.wake(rank)

    # Receivers

    def post(self, key, strand, is_combined=False):
        receive = self.receives[key]
        receive.strand, receive.is_combined, receive.posted = strand, is_combined, True
        receive.rank = key[-2] if strand else key[1]
        if receive.bytes is not None:
            self.meet(receive)
        return receive

    def arrive(self, message):
        if self.network.is_half and self.port[message.target] is not None:
            self.arrived[message.target].append(message)
        else:
            self.take(message)

    def take(self, message):
        machine, rank, time = self.machine, message.target, self.now
        if machine.ports != "unlimited":
            cost = machine.receive_alpha + machine.receive(message.bytes)
            time = self.received[rank] = max(time, self.received[rank] + cost)
            if self.network.is_half:
                self.receiving[rank] = [one for one in self.receiving[rank] if one[1] > self.now]
                self.receiving[rank].append((self.now, time))
        self.at(time, ENDS, message.key, lambda: self.come(message))

    def come(self, message):
        receive = self.receives[message.name]
        receive.bytes = message.bytes
        if hasattr(receive, "posted"):
            self.meet(receive)
        self.wake(message.target)

    def meet(self, receive):
        def done():
            receive.done = True
            self.wake(receive.strand.rank)
        if not receive.is_combined:
            receive.done = True
            self.ends[receive.rank] = max(self.ends[receive.rank], self.now)
            return
        strand, machine = receive.strand, self.machine
        begin = max(self.now, strand.combined)
        strand.combined = begin + machine.gamma_alpha + machine.gamma(receive.bytes)
        self.at(strand.combined, ENDS, strand.key, done)


def numbered(entries, peer):
    """Tells which of the messages between two members in one round an entry is."""
    counts = defaultdict(int)
    for entry in entries:
        yield counts[entry[peer]], entry
        counts[entry[peer]] += 1


class Packets:
    """store_and_forward and bus."""
    held = extra_port = 0

    def __init__(self, replay):
        self.replay, self.machine = replay, replay.machine
        self.is_half = self.machine.ports == "half"
        self.free = defaultdict(int)

    def left(self, message):
        pass

    def ask(self, message):
        message.arrival = message.asked + self.machine.beta(message.bytes)
        self.ask_first(message, 0)

    def serve(self, link, size):
        """Returns when a link begins and ends to serve a packet that comes now."""
        begin = max(self.replay.now, self.free[link])
        end = begin + self.machine.link(size)
        self.free[link] = end + self.machine.gap
        return begin, end

    def ask_first(self, message, before):
        replay, machine = self.replay, self.machine
        route = machine.route(message)
        size = min(machine.packet, message.bytes - before)
        begin, end = self.serve(route[0], size)
        after = before + size
        if after < message.bytes:
            time = max(end + machine.gap, message.asked + machine.beta(after))
            replay.at(time, ASKS, message.key, lambda: self.ask_first(message, after))
        elif message.own > message.asked:
            late = begin - message.asked - machine.beta(before)
            replay.leave_at(message, max(message.own + late, replay.now))
        self.pass_on(message, route[1:], end, size, after)

    def pass_on(self, message, route, end, size, after):
        replay, hop = self.replay, self.machine.hop
        if route:
            replay.at(end + hop, ASKS, message.key, lambda: self.pass_on(
                message, route[1:], self.serve(route[0], size)[1], size, after))
        elif after == message.bytes:
            least = message.arrival + hop * len(self.machine.route(message))
            replay.at(max(end + hop, least), ENDS, message.key, lambda: replay.arrive(message))


class Circuits:
    """circuit, with ports that are unlimited, duplex or half."""
    is_half = False

    def __init__(self, replay):
        self.replay, self.machine = replay, replay.machine
        self.held = self.machine.held
        self.hops = self.extra_port = self.machine.hop * len(self.machine.route(None))
        self.taken, self.waiting = {}, defaultdict(list)

    def ask(self, message):
        replay, machine, ports = self.replay, self.machine, []
        if machine.ports == "duplex":
            ports = [("receiver", message.target)]
        elif machine.ports == "half":
            ports = [("port", message.target)]
            if message.own > message.asked:
                ports = [("port", message.source)] + ports
        for part in machine.route(message) + ports:
            if self.taken.get(part, message) is not message:
                self.waiting[part].append(message)
                return
        for part in machine.route(message) + ports:
            self.taken[part] = message
        if message.own > message.asked:
            replay.leave_at(message, message.own + replay.now - message.asked)
        given = self.held + self.hops
        links = replay.now + max(1, given + machine.link(message.bytes))
        arrival = replay.now + max(1, given + machine.beta(message.bytes))
        replay.at(links, ENDS, message.key, lambda: self.release(machine.route(message)))
        replay.at(arrival, ENDS, message.key, lambda: self.arrive(message, ports))

    def arrive(self, message, ports):
        self.release([port for port in ports if port[1] == message.target])
        self.replay.arrive(message)

    def left(self, message):
        if self.taken.get(("port", message.source)) is message:
            self.release([("port", message.source)])

    def release(self, parts):
        for part in parts:
            del self.taken[part]
            for message in self.waiting.pop(part, []):
                self.replay.at(self.replay.now, ASKS, message.key,
                               lambda message=message: self.ask(message))


class Machine:
    """The numbers of a machine file; those that are for a byte are functions of a size."""
    def __init__(self, path):
        with open(path, "rb") as file:
            read = tomllib.load(file)
        network, node = read["network"], read.get("node", {})
        alpha, beta = read["alpha"], read["beta"]
        self.kind, self.is_bus = network["switching"], network["topology"].startswith("bus")
        self.network = Circuits if self.kind == "circuit" else Packets
        self.ports, self.packet = node.get("ports", "duplex"), network.get("packet", 1024)
        self.alpha, self.beta = picoseconds(alpha), byte(beta)
        self.gamma, self.gamma_alpha = byte(read["gamma"]), picoseconds(node.get("gamma_alpha", 0))
        self.copy = byte(node.get("copy", 0))
        self.copy_alpha = picoseconds(node.get("copy_alpha", 0))
        self.send = byte(node.get("send_beta", beta))
        self.send_alpha = picoseconds(node.get("send_alpha", alpha))
        self.receive = byte(node.get("receive_beta", beta))
        self.receive_alpha = picoseconds(node.get("receive_alpha", alpha))
        self.hop = picoseconds(network.get("hop", 0))
        self.link = byte(network.get("link_beta", beta))
        self.held = picoseconds(network.get("held", 0))
        self.gap = picoseconds(network.get("gap", 0))

    def route(self, message):
        if self.is_bus:
            return ["bus"]
        return [("from", message.source), ("to", message.target)] if message else ["", ""]


def picoseconds(microseconds):
    """Rounds to whole picoseconds, and halves upwards."""
    return math.floor(microseconds * 1e6 + 0.5)


def byte(microseconds):
    return lambda size: picoseconds(microseconds * size)


def ends_of(machine, recording):
    """Returns when each rank of a recorded run ends."""
    return Replay(machine, recording).ends
