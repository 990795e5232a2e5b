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
        self.waiting, self.held_back = ([deque() for _ in range(ranks)] for _ in range(2))
        self.sending, self.numbers = [None] * ranks, [0] * ranks
        self.began, self.left = ([0] * ranks for _ in range(2))  # of what was sent last
        self.receives_since, self.taken_until = ([0] * ranks for _ in range(2))
        self.unposted = []  # messages that begin when their receives are posted
        self.network = self.machine.network(self)
        self.is_limited = self.machine.ports != "unlimited"
        self.alternates = (self.machine.ports in ("half", "windowed")
                           and not self.network.has_ports)

    # Senders

    def send(self, strand, sends):
        """Sends the messages of a round, which have a name and a size."""
        strand.unsent, strand.unleft = deque(sends), len(sends)
        for _ in sends[:1] if self.is_limited else sends:
            self.send_next(strand)
        yield lambda: strand.unleft == 0

    def send_next(self, strand):
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
        if not self.is_limited:
            self.begin(message)
            return
        waiting = self.waiting[message.source]
        waiting.append(message)
        if not self.sending[message.source] and len(waiting) == 1:
            self.serve(message.source)

    def serve(self, rank):
        """The message that has asked first gets the port, unless something is being received."""
        now, waiting, until = self.replay.now, self.waiting[rank], self.taken_until[rank]
        if not waiting:
            return
        if self.alternates and until > now and not self.are_near(now, self.receives_since[rank]):
            self.replay.at(until, STRANDS, waiting[0].strand.key, self.serve, rank)
            return
        self.sending[rank] = waiting.popleft()
        self.begin(self.sending[rank])

    def are_near(self, one, other):
        return self.machine.ports == "windowed" and abs(one - other) <= self.machine.window

    def begin(self, message):
        now, machine = self.replay.now, self.machine
        self.began[message.source] = now
        message.asks = now + machine.alpha - machine.held
        message.leaves = (now + machine.send_alpha + machine.send(message.bytes)
                          + self.network.sends_longer)
        if message.leaves <= message.asks:
            self.replay.at(message.leaves, ENDS, message.key, self.leave, message)
        self.replay.at(message.asks, ASKS, message.key, self.network.ask, message)

    def leave(self, message):
        """The receiver of a rank is next, then messages that wait, then the strand itself."""
        rank, strand = message.source, message.strand
        self.network.leave(message)
        self.sending[rank], self.left[rank] = None, self.replay.now
        while self.held_back[rank]:
            self.receive(self.held_back[rank].popleft())
        self.serve(rank)
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
        if self.is_limited:
            self.receive(message)
        else:
            self.replay.at(self.replay.now, ENDS, message.key, self.replay.come, message)

    def receive(self, message):
        rank, last = message.target, self.taken_until[message.target]
        time = self.machine.receive_alpha + self.machine.receive(message.bytes)
        begin = max(self.replay.now - time, last)
        if self.alternates and not self.are_near(begin, self.began[rank]):
            if self.sending[rank]:
                self.held_back[rank].append(message)
                return
            begin = max(begin, self.left[rank])
        if begin > last:
            self.receives_since[rank] = begin
        self.taken_until[rank] = begin + time
        self.replay.at(begin + time, ENDS, message.key, self.replay.come, message)
