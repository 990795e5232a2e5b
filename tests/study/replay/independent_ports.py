# SPDX-License-Identifier: BSD-3-Clause
"""The ports of the second simulator's ranks: how messages begin, leave, arrive and are taken."""

from collections import deque

from independent_machines import ASKS, ENDS, STRANDS


class Lost(Exception):
    """A forced message has come before its receive was posted."""


class Message:
    """A message that has asked for its port. Its name tells which receive it meets."""
    def __init__(self, key, name, size, strand=None):
        self.key, self.name, self.bytes, self.strand = key, name, size, strand
        self.context, self.source, self.target, _ = name
        self.asks = self.leaves = 0  # when it asks for its path, and when it leaves its port alone
        self.after = None  # of requests and answers: what happens when they arrive


class Ports:
    def __init__(self, replay, ranks):
        self.replay, self.machine = replay, replay.machine
        self.sending, self.held_back = ([[] for _ in range(ranks)] for _ in range(2))
        self.numbers, self.taken_until = ([0] * ranks for _ in range(2))
        self.unposted = []  # messages that begin when their receives are posted
        self.network = self.machine.network(self)
        self.is_limited = self.machine.ports != "unlimited"
        self.receives_or_sends = self.machine.ports == "half" and not self.network.has_ports

    # Senders

    def send(self, strand, sends):
        """Sends the messages of a round, which have a name and a size."""
        strand.unsent, strand.unleft = deque(sends), len(sends)
        for _ in sends[:1] if self.is_limited else sends:
            self.send_next(strand)
        yield lambda: strand.unleft == 0

    def send_next(self, strand):
        until = self.taken_until[strand.rank]
        if self.receives_or_sends and until > self.replay.now:
            self.replay.at(until, STRANDS, strand.key, self.send_next, strand)
            return
        message = Message(self.new_key(strand.rank), *strand.unsent.popleft(), strand)
        if message.bytes <= self.machine.threshold or self.machine.handover in ("eager", "forced"):
            self.ask_for_port(message)
        elif self.machine.handover == "reserve":
            self.reserve(message)
        elif self.replay.is_posted(message):
            self.ask_for_port(message)
        else:
            self.unposted.append(message)

    def new_key(self, rank):
        self.numbers[rank] += 1
        return rank, self.numbers[rank]

    def reserve(self, message):
        """Sends a request, then the answer, and then the message."""
        here, there = message.source, message.target
        self.control(here, there,
                     lambda: self.control(there, here, lambda: self.ask_for_port(message)))

    def control(self, source, target, after):
        message, machine = Message(self.new_key(source), (None, source, target, 0), 0), self.machine
        message.after = after
        message.asks = self.replay.now + machine.request_alpha - machine.request_held
        self.replay.at(message.asks, ASKS, message.key, self.network.ask, message)

    def posted(self):
        """A receive has been posted, so messages may begin that have waited for this."""
        ready = [message for message in self.unposted if self.replay.is_posted(message)]
        self.unposted = [message for message in self.unposted if message not in ready]
        for message in ready:
            self.ask_for_port(message)

    def ask_for_port(self, message):
        port = self.sending[message.source]
        if self.is_limited:
            port.append(message)
        if len(port) <= 1:
            self.begin(message)

    def begin(self, message):
        now, machine = self.replay.now, self.machine
        message.asks = now + machine.alpha - machine.held
        message.leaves = (now + machine.send_alpha + machine.send(message.bytes)
                          + self.network.sends_longer)
        if message.leaves <= message.asks:
            self.replay.at(message.leaves, ENDS, message.key, self.leave, message)
        self.replay.at(message.asks, ASKS, message.key, self.network.ask, message)

    def leave(self, message):
        """The receiver of a rank is next, then messages that wait, then the strand itself."""
        rank, strand, port = message.source, message.strand, self.sending[message.source]
        self.network.leave(message)
        if port:
            port.pop(0)
        if self.receives_or_sends:
            self.taken_until[rank] = max(self.taken_until[rank], self.replay.now)
        while self.held_back[rank]:
            self.take(self.held_back[rank].pop(0))
        if port:
            self.begin(port[0])
        strand.unleft -= 1
        if strand.unsent:
            self.send_next(strand)
        self.replay.end(rank)

    # Receivers

    def arrive(self, message):
        if message.after:
            message.after()
            return
        if self.machine.handover == "forced" and not self.replay.is_posted(message):
            raise Lost()
        if self.receives_or_sends and self.sending[message.target]:
            self.held_back[message.target].append(message)
        else:
            self.take(message)

    def take(self, message):
        rank, time = message.target, self.replay.now
        if self.is_limited:
            cost = self.machine.receive_alpha + self.machine.receive(message.bytes)
            time = self.taken_until[rank] = max(time, self.taken_until[rank] + cost)
        self.replay.at(time, ENDS, message.key, self.replay.come, message)
