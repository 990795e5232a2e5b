# SPDX-License-Identifier: BSD-3-Clause
"""Simulates programs of random_scripts.py. It decides which message a receive gets, by the rules of
docs/internals/virtual-time.md, where a replay is told. It is written from that page.
"""

import math
from collections import defaultdict

from independent import Replay
from independent_mail import Letter, Mail, Selection
from independent_machines import STRANDS
from independent_ports import Message

LOOK = 1_000_000  # picoseconds of a look that finds nothing


class Request:
    """Something that was started. It is gone when the program knows that it is done."""
    def __init__(self, is_done, wish=None):
        self.is_done, self.wish, self.is_gone = is_done, wish, False


class Live(Replay):
    """Runs one program. `parts` has the rounds of its collectives for each rank in turn."""
    def __init__(self, machine, program, parts, groups):
        ranks = program.items
        self.mail, self.parts = [Mail() for _ in ranks], [list(part) for part in parts]
        self.letters, self.output = {}, [[] for _ in ranks]
        self.clocks = [0 for _ in ranks]
        self.actions = {
            "s": self.send, "S": self.start_send, "m": self.multicast, "M": self.start_multicast,
            "u": self.receive_unless, "A": self.wait_any_for, "e": self.wait_all_for,
            "C": self.finish_receive, "r": self.receive, "R": self.post_receive,
            "p": self.probe, "l": self.look, "f": self.probe_for, "t": self.test, "w": self.wait,
            "W": self.wait_for, "a": self.wait_any, "c": self.cancel, "d": self.spend,
            "k": self.clock, "g": self.run, "G": self.start_run}
        super().__init__(machine, {"ranks": ranks, "groups": groups})

    # Programs

    def program(self, strand):
        rank = strand.rank
        strand.has_begun = False
        strand.requests, strand.sent, strand.runs = {}, defaultdict(int), defaultdict(int)
        self.at(self.now, STRANDS, strand.key, self.begin, strand)
        yield lambda: strand.has_begun
        for index, (letter, *numbers) in enumerate(self.recording["ranks"][rank]):
            result = yield from self.actions[letter](strand, *numbers)
            if letter in "dg":
                yield from self.pause(strand)
            if result is not None:
                self.output[rank].append([index, result])
        self.clocks[rank] = self.now // 1000

    def begin(self, strand):
        strand.has_begun = True
        self.go_on(strand)

    def pause(self, strand):
        """Other strands that go on at this instant come first when a wait is done."""
        def others_first():
            return self.events and self.events[0][:3] < (self.now, STRANDS, strand.key)
        if others_first():
            self.at(self.now, STRANDS, strand.key, self.go_on, strand)
            yield lambda: not others_first()

    def spend(self, strand, nanoseconds):
        yield 1000 * nanoseconds

    def clock(self, strand):
        yield 0
        return [self.now // 1000]

    def until(self, strand, is_done, date=math.inf):
        yield from self.until_date(strand, is_done, date)
        if is_done():
            yield from self.pause(strand)

    def until_date(self, strand, is_done, date):
        """Waits until something is done, or until a date."""
        if self.now < date < math.inf:
            self.at(date, STRANDS, strand.key, self.go_on, strand)
        yield lambda: is_done() or self.now >= date

    # Sends

    def new_letter(self, strand, target, key, size, number):
        name = (None, strand.rank, target, strand.sent[target])
        strand.sent[target] += 1
        letter = self.letters[name] = Letter(name, key, size, number)
        mail = self.mail[target]
        mail.sent[strand.rank].append(letter)
        self.settle(target)
        return letter

    def transfer(self, strand, letter):
        """A message to oneself takes no time."""
        if letter.name[1] == letter.name[2]:
            self.come(Message((), letter.name, letter.bytes))
        else:
            yield from self.ports.send(strand, [(letter.name, letter.bytes)])

    def posted_or_waits(self, letter):
        """A message that waits for its receive is there."""
        machine = self.machine
        if (machine.handover == "rendezvous" and letter.bytes > machine.threshold
                and not letter.is_got and not letter.has_come):
            self.is_there(letter)
            self.end(letter.name[2])

    def send(self, strand, *numbers):
        letter = self.new_letter(strand, *numbers)
        yield from self.transfer(strand, letter)

    def start(self, program, steps):
        strand = self.new_strand(program.rank, steps)
        strand.is_ready = next(strand.steps, lambda: True)
        self.at(self.now, STRANDS, strand.key, self.go_on, strand)
        return strand

    def start_send(self, program, slot, *numbers):
        letter = self.new_letter(program, *numbers)
        strand = self.start(program, lambda strand: self.transfer(strand, letter))
        program.requests[slot] = Request(lambda: strand.has_ended)
        if letter.name[1] == letter.name[2]:
            program.requests[slot].is_done = lambda: True
        self.posted_or_waits(letter)
        yield 0

    def multicast(self, strand, key, size, number, *targets):
        """Sends a message to one receiver after the other."""
        for target in targets:
            yield from self.send(strand, target, key, size, number)

    def start_multicast(self, program, slot, *numbers):
        strands = self.several(program, *numbers)
        program.requests[slot] = Request(lambda: all(strand.has_ended for strand in strands))
        yield 0

    def several(self, program, key, size, number, *targets):
        """A multicast that is started starts a send to each receiver."""
        strands = []
        for target in targets:
            letter = self.new_letter(program, target, key, size, number)
            strands.append(self.start(program, lambda strand: self.transfer(strand, letter)))
            self.posted_or_waits(letter)
        return strands

    # Collectives

    def run(self, strand, *_):
        part = self.parts[strand.rank].pop(0)
        yield from self.operation(strand, part, self.number_of(strand, part))

    def start_run(self, program, slot, *_):
        part = self.parts[program.rank].pop(0)
        number = self.number_of(program, part)
        strand = self.start(program, lambda strand: self.operation(strand, part, number))
        program.requests[slot] = Request(lambda: strand.has_ended)
        yield 0

    def number_of(self, strand, part):
        strand.runs[part["group"]] += 1
        return strand.runs[part["group"]] - 1

    # Which message a receive gets

    def is_there(self, letter):
        rank = letter.name[2]
        if letter.order is None:
            letter.order = self.mail[rank].number()
        self.settle(rank)
        is_selected = any(wish.selects(letter) for wish in self.mail[rank].posted)
        if letter.may_be_lost and not letter.is_got and not is_selected:
            letter.is_got = True
            self.mail[rank].sent[letter.source].remove(letter)
            self.post(letter.name, self.strands[rank][0])

    def settle(self, rank):
        """Gives messages to posted receives. The one that was posted first comes first."""
        posted = self.mail[rank].posted
        while True:
            pairs = ((wish, self.message_for(rank, wish)) for wish in posted)
            wish, letter = next((pair for pair in pairs if pair[1]), (None, None))
            if not wish:
                return
            posted.remove(wish)
            self.give(rank, wish, letter)

    def give(self, rank, wish, letter):
        wish.letter, letter.is_got = letter, True
        self.mail[rank].sent[letter.source].remove(letter)
        self.post(letter.name, wish.strand)

    def message_for(self, rank, wish):
        mail = self.mail[rank]
        letter = next(filter(wish.selects, mail.sent[wish.source]), None)
        if wish.names_all and letter and not any(
                other.selects(letter) and not other.names_all
                for other in mail.posted[:mail.posted.index(wish)]):
            return letter
        return mail.first(wish.selects)

    def ask(self, strand, selection, letter=None):
        """Posts a receive, or one of a message that a function has accepted."""
        wish, mail = Selection(*selection), self.mail[strand.rank]
        wish.strand = strand
        if letter:
            self.give(strand.rank, wish, letter)
            return wish
        mail.posted.append(wish)
        self.settle(strand.rank)
        return wish

    def come(self, message):
        letter = self.letters.get(message.name)
        if letter:
            letter.has_come = True
            self.receives[message.name].bytes = message.bytes
            self.meet(self.receives[message.name])
            self.is_there(letter)
        super().come(message)

    # Receives and looks

    def is_done(self, wish):
        return wish.letter is not None and wish.letter.has_come

    def received(self, wish):
        return [*wish.letter.found(), wish.letter.number]

    def receive(self, strand, *selection):
        letter = None
        if Selection(*selection).accepts:
            letter = yield from self.seen(strand, Selection(*selection))
        found = yield from self.take(strand, selection, letter)
        return found

    def take(self, strand, selection, letter):
        wish = self.ask(strand, selection, letter)
        if not letter:
            yield from self.until(strand, lambda: self.is_done(wish))
        return self.received(wish)

    def receive_unless(self, strand, *numbers):
        """If the time passes, another receive has no limit."""
        *selection, nanoseconds = numbers
        date = self.now + 1000 * nanoseconds
        letter = yield from self.seen(strand, Selection(*selection), date)
        if letter is None and nanoseconds == 0:
            yield LOOK
        found = yield from (self.take(strand, selection, letter) if letter else
                            self.receive(strand, *selection))
        return [int(letter is not None), *found]

    def post_receive(self, strand, slot, *selection):
        wish = self.ask(strand, selection)
        wish.selection = selection
        strand.requests[slot] = Request(lambda: self.is_done(wish), wish)
        yield 0

    def seen(self, strand, selection, date=math.inf):
        """Returns the first message that a look finds until a date, or None. If a message is looked
        at that waits for its receive, it is received, also if the function then does not accept
        it."""
        refused = []
        while True:
            yield from self.until_date(
                strand, lambda: self.next_of(strand, selection, refused), date)
            letter = self.next_of(strand, selection, refused)
            if letter is None:
                return None
            self.post(letter.name, strand)
            if not letter.is_seen:
                yield from self.until(strand, lambda letter=letter: letter.has_come)
            letter.is_seen = True
            if selection.selects(letter):
                return letter
            refused.append(letter)

    def next_of(self, strand, selection, refused):
        """Returns the message about which a look asks next."""
        return self.mail[strand.rank].first(
            lambda letter: letter not in refused and selection.shows(letter))

    def probe(self, strand, *numbers):
        letter = yield from self.seen(strand, Selection(*numbers))
        return [1, *letter.found()]

    def look(self, strand, *numbers):
        return self.probe_for(strand, *numbers, 0)

    def probe_for(self, strand, *numbers):
        """A limit of 0 is a look, which takes a microsecond in vain."""
        date = self.now + 1000 * numbers[-1]
        letter = yield from self.seen(strand, Selection(*numbers[:-1]), date)
        if letter:
            return [1, *letter.found()]
        yield 0 if numbers[-1] else LOOK
        return [0]

    # Requests

    def over(self, request):
        """Returns what is told of a request that is done, once."""
        request.is_gone = True
        return self.received(request.wish) if request.wish else []

    def wait(self, strand, slot):
        request = strand.requests[slot]
        if request.is_gone:
            return []
        yield from self.until(strand, request.is_done)
        return self.over(request)

    def test(self, strand, slot):
        return self.wait_for(strand, slot, 0)

    def wait_for(self, strand, slot, nanoseconds):
        """A limit of 0 is a test, which takes a microsecond in vain."""
        request = strand.requests[slot]
        if request.is_gone:
            return [1]
        yield from self.until(strand, request.is_done, self.now + 1000 * nanoseconds)
        if request.is_done():
            return [1, *self.over(request)]
        yield 0 if nanoseconds else LOOK
        return [0]

    def wait_any(self, strand, *slots):
        return self.wait_any_for(strand, math.inf, *slots)

    def wait_any_for(self, strand, nanoseconds, *slots):
        requests = [strand.requests[slot] for slot in slots]
        there = [request for request in requests if not request.is_gone]
        if not there:
            return [-1]
        yield from self.until(strand, lambda: any(request.is_done() for request in there),
                              self.now + 1000 * nanoseconds)
        done = next((request for request in there if request.is_done()), None)
        if done:
            return [requests.index(done), *self.over(done)]
        yield 0 if nanoseconds else LOOK
        return [-2]

    def wait_all_for(self, strand, nanoseconds, *slots):
        there = [strand.requests[slot] for slot in slots if not strand.requests[slot].is_gone]
        if not there:
            return [1]
        yield from self.until(strand, lambda: all(request.is_done() for request in there),
                              self.now + 1000 * nanoseconds)
        if all(request.is_done() for request in there):
            return [1, *(number for request in there for number in self.over(request))]
        yield 0 if nanoseconds else LOOK
        return [0]

    def cancel(self, strand, slot):
        request = strand.requests[slot]
        if request.is_gone:
            return [0]
        if request.wish.letter is None:
            self.mail[strand.rank].posted.remove(request.wish)
            self.settle(strand.rank)
            request.is_gone = True
            received = yield from self.receive(strand, *request.wish.selection)
            return [1, *received]
        _, *more = yield from self.test(strand, slot)
        return [0, *more]

    def finish_receive(self, strand, slot):
        request = strand.requests[slot]
        if request.is_gone:
            return [0]
        if request.wish.letter is None:
            self.mail[strand.rank].posted.remove(request.wish)
            self.settle(strand.rank)
            request.is_gone = True
            return [1]
        _, *more = yield from self.test(strand, slot)
        if not request.is_gone:
            more = yield from self.wait(strand, slot)
        return [0, *more]
