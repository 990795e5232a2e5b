# SPDX-License-Identifier: BSD-3-Clause
"""Makes random programs for script.c. They end, because they follow one order of all ranks.

Each message to a rank is of a class, and all receives of a class select exactly its messages,
though in different ways. A rank waits for a receive only when that order has as many messages of
the class as receives.

An operation is a letter and numbers. SELECTION is: source or -1, key, kind (0 any key, 1 all keys
of a class, 2 one key), 1 if a function selects, and the bytes that a receive of tutti.h needs.
    s TARGET KEY BYTES NUMBER         sends     r SELECTION       receives
    S SLOT TARGET KEY BYTES NUMBER    starts    R SLOT SELECTION  posts
    m KEY BYTES NUMBER TARGET...      sends     u SELECTION NS    receives; if NS pass, anew
    M SLOT KEY BYTES NUMBER TARGET... starts
    p SELECTION     waits for a message         l SELECTION       looks for one
    f SELECTION NS  waits so long for one       d NS              spends time
    t SLOT          tests a request             k                 reads the clock
    w SLOT          waits for it                W SLOT NS         waits so long for it
    a SLOT...       waits for any               A NS SLOT...      waits so long for any
    e NS SLOT...    waits so long for all       c SLOT            cancels a receive, or looks at it;
                                                                  one that is cancelled is made anew
    C SLOT          cancels a receive, or waits for it
    g OPERATION ALGORITHM BYTES RANK...         runs a collective
    G SLOT OPERATION ALGORITHM BYTES RANK...    starts it
"""

import random

SIZES = (0, 1, 2, 7, 63, 64, 65, 100, 128, 129, 200, 777, 5000)
# A send of 0 or 100 bytes takes 4000 or 34000. Looks in vain end at whole microseconds.
TIMES = (1, 1000, 4000, 5000, 17000, 20000, 33333, 34000, 50000, 100000)
LIMITS = (0, *TIMES)
KINDS = "sssssSSSmMrrrrruuRRRRplllltttwwWWffaaAAeecddkgGxxXX"
WITHOUT_LOOKS = "".join(letter for letter in KINDS if letter not in "plfu")
ANY_KEY, CLASS, ONE_KEY = 0, 1, 2
ALL_SOURCES = -1
LOST_CLASS = 7  # its messages are lost unless a posted receive takes them


class Class:
    """Messages to one rank that all receives of the class select."""
    def __init__(self, program, rank, number):
        self.random, self.uses_mail, self.number = program.random, program.uses_mail, number
        self.rank = rank
        self.sources = [source for source in range(program.p)
                        if source != rank or self.random.random() < 0.1]
        if self.random.random() < 0.5:
            self.sources = [self.random.choice(self.sources)]
        self.is_masked = self.uses_mail and self.random.random() < 0.4
        self.bytes = self.random.choice(SIZES)
        self.sent = self.asked = 0  # messages, and receives

    def key(self):
        return 16 * self.number + (self.random.randrange(3) if self.is_masked else 0)

    def size(self):
        return self.random.choice(SIZES) if self.uses_mail else self.bytes

    def selection(self, may_accept):
        """Selects all messages of the class in one of several ways."""
        source = self.sources[0] if len(self.sources) == 1 else ALL_SOURCES
        if self.random.random() < 0.5:
            source = ALL_SOURCES
        kind = CLASS if self.is_masked or (self.uses_mail and self.random.random() < 0.3) \
            else ONE_KEY
        accepts = self.uses_mail and may_accept and self.random.random() < 0.2
        if self.number == 0:
            kind = ANY_KEY
        return [source, 16 * self.number, kind, int(accepts), self.bytes]


class Program:
    """One random program of 2 to 6 ranks. With rendezvous, sends are waited for at the end."""
    def __init__(self, seed, is_rendezvous=False, looks=True):
        self.random, self.is_rendezvous = random.Random(seed), is_rendezvous
        self.p = self.random.randint(2, 6)
        self.uses_mail = self.random.random() < 0.6
        self.items = [[] for _ in range(self.p)]
        self.slots = [{} for _ in range(self.p)]  # the class of a receive, or None
        self.lost = [[] for _ in range(self.p)]  # slots whose receives may get no message
        self.numbers = [0] * self.p
        self.count = 0
        self.classes = [self.classes_of(rank) for rank in range(self.p)]
        for _ in range(self.random.randint(1, 60)):
            self.add(self.random.choice(KINDS if looks else WITHOUT_LOOKS),
                     self.random.randrange(self.p))
        self.finish()

    def classes_of(self, rank):
        if self.random.random() < 0.3:
            return [Class(self, rank, 0)]
        return [Class(self, rank, number) for number in range(1, self.random.randint(2, 4))]

    def do(self, rank, letter, *numbers):
        self.items[rank].append([letter, *numbers])

    def add(self, letter, rank):
        actions = {"s": self.send, "S": self.send, "r": self.receive, "R": self.post,
                   "m": self.multicast, "M": self.multicast, "u": self.receive, "x": self.send_lost,
                   "X": self.post_lost, "A": self.wait_any_for, "e": self.wait_any_for,
                   "p": self.probe, "l": self.look, "f": self.look, "t": self.test,
                   "w": self.wait, "W": self.test, "a": self.wait_any, "c": self.cancel,
                   "d": self.spend, "k": self.clock, "g": self.run, "G": self.run}
        actions[letter](letter, rank)

    def new_slot(self, rank, of):
        self.numbers[rank] += 1
        self.slots[rank][self.numbers[rank] - 1] = of
        return self.numbers[rank] - 1

    def send(self, letter, target, of=None):
        of = of or self.random.choice(self.classes[target])
        source = self.random.choice(of.sources)
        of.sent += 1
        self.count += 1
        message = [target, of.key(), of.size(), self.count]
        if letter == "s" and not self.is_rendezvous:
            self.do(source, "s", *message)
        else:
            self.do(source, "S", self.new_slot(source, None), *message)

    def open_class(self, rank):
        """Returns a class with more messages than receives."""
        classes = [of for of in self.classes[rank] if of.sent > of.asked]
        return self.random.choice(classes) if classes else None

    def multicast(self, letter, source):
        """All receivers get the same key, as far as they have the class."""
        number = self.random.randrange(4)
        classes = [of for rank in range(self.p) for of in self.classes[rank]
                   if of.number == number and source in of.sources and of.rank != source]
        self.random.shuffle(classes)
        if not self.uses_mail or not classes:
            return
        key = 16 * number
        for of in classes:
            of.sent += 1
        self.count += 1
        is_started = letter == "M" or self.is_rendezvous
        slot = [self.new_slot(source, None)] if is_started else []
        self.do(source, "M" if is_started else "m", *slot, key, classes[0].size(), self.count,
                *(of.rank for of in classes))

    def may_lose(self, rank):
        return self.uses_mail and self.classes[rank][0].number != 0

    def send_lost(self, letter, target):
        if self.may_lose(target):
            source = self.random.choice([rank for rank in range(self.p) if rank != target])
            self.count += 1
            sizes = [size for size in SIZES if size <= 64] if self.is_rendezvous else SIZES
            message = [target, self.lost_key(), self.random.choice(sizes), self.count]
            if self.random.random() < 0.5 and not self.is_rendezvous:
                self.do(source, "s", *message)
            else:
                self.do(source, "S", self.new_slot(source, None), *message)

    def lost_key(self):
        return 16 * LOST_CLASS + self.random.randrange(2)

    def post_lost(self, letter, rank):
        if self.may_lose(rank):
            slot = self.new_slot(rank, None)
            del self.slots[rank][slot]
            self.lost[rank].append(slot)
            source = self.random.randrange(-1, self.p)
            kind = self.random.choice((CLASS, ONE_KEY))
            key = 16 * LOST_CLASS if kind == CLASS else self.lost_key()
            self.do(rank, "R", slot, source, key, kind, 0, 0)

    def receive(self, letter, rank):
        of = self.open_class(rank)
        if of:
            of.asked += 1
            selection = of.selection(True)
            if letter == "u" and self.uses_mail:
                self.do(rank, "u", *selection, self.random.choice(LIMITS))
            else:
                self.do(rank, "r", *selection)

    def post(self, letter, rank):
        of = self.random.choice(self.classes[rank])
        of.asked += 1
        self.do(rank, "R", self.new_slot(rank, of), *of.selection(False))

    def probe(self, letter, rank):
        of = self.open_class(rank)
        if of:
            self.do(rank, "p", *of.selection(True))

    def look(self, letter, rank):
        more = [self.random.choice(LIMITS)] if letter == "f" else []
        selection = self.random.choice(self.classes[rank]).selection(True)
        if self.random.random() < 0.3:
            selection[0], selection[2] = self.random.choice((ALL_SOURCES, selection[0])), ANY_KEY
        self.do(rank, letter, *selection, *more)

    def spend(self, letter, rank):
        self.do(rank, "d", self.random.choice(TIMES))

    def clock(self, letter, rank):
        self.do(rank, "k")

    def test(self, letter, rank):
        if self.lost[rank] and self.random.random() < 0.3:
            more = [self.random.choice(LIMITS)] if letter == "W" else []
            self.do(rank, letter, self.random.choice(self.lost[rank]), *more)
        elif self.slots[rank]:
            more = [self.random.choice(LIMITS)] if letter == "W" else []
            self.do(rank, letter, self.random.choice(list(self.slots[rank])), *more)

    def safe(self, rank):
        """Returns the requests that end, whatever comes later in the order of all ranks."""
        return [slot for slot, of in self.slots[rank].items()
                if (of is None and not self.is_rendezvous) or (of and of.sent >= of.asked)]

    def wait(self, letter, rank):
        if self.safe(rank):
            slot = self.random.choice(self.safe(rank))
            self.do(rank, "w", slot)
            del self.slots[rank][slot]

    def wait_any(self, letter, rank):
        """One of the requests is there and ends: it was never waited for or tested before."""
        if self.safe(rank) and len(self.slots[rank]) > 1:
            some = self.random.sample(list(self.slots[rank]), min(4, len(self.slots[rank])))
            last = self.random.choice(self.safe(rank))
            others = [slot for slot in some if slot in self.safe(rank) and slot != last]
            self.do(rank, "a", *others, last)

    def wait_any_for(self, letter, rank):
        slots = list(self.slots[rank]) + self.lost[rank]
        if slots:
            some = self.random.sample(slots, self.random.randint(1, min(4, len(slots))))
            self.do(rank, letter, self.random.choice(LIMITS), *some)

    def cancel(self, letter, rank):
        slots = [slot for slot in self.safe(rank) if self.slots[rank][slot]]
        if slots:
            self.do(rank, "c", self.random.choice(slots))

    def run(self, letter, _):
        group = self.random.sample(range(self.p), self.random.randint(1, self.p))
        call = [self.random.choice((0, 1, 3)), self.random.randrange(4), self.random.choice(SIZES)]
        for rank in group:
            slot = [self.new_slot(rank, None)] if letter == "G" else []
            self.do(rank, letter, *slot, *call, *group)

    def finish(self):
        for rank, classes in enumerate(self.classes):
            for of in classes:
                while of.sent < of.asked:
                    self.send("S", rank, of)
        for rank, classes in enumerate(self.classes):
            for of in classes:
                while of.asked < of.sent:
                    of.asked += 1
                    self.do(rank, "r", *of.selection(True))
        for rank in range(self.p):
            slots = [*(("w", slot) for slot in self.slots[rank]),
                     *(("C", slot) for slot in self.lost[rank])]
            self.random.shuffle(slots)
            for letter, slot in slots:
                self.do(rank, letter, slot)


def script_of(programs):
    """Returns the text of a script that does programs one after the other, the first as number
    1."""
    lines = []
    for number, program in enumerate(programs, 1):
        lines.append(f"{number} -1 B 1 {int(program.uses_mail)}")
        for rank, items in enumerate(program.items):
            for letter, *numbers in items:
                text = " ".join(map(str, numbers))
                lines.append(f"{number} {rank} {letter} {len(numbers)} {text}")
        lines.append(f"{number} -1 E 1 {program.p}")
    return "\n".join(lines) + "\n"
