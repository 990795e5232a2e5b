# SPDX-License-Identifier: BSD-3-Clause
"""Makes recorded runs at random. They end, because they follow one order of all ranks."""

import random

SIZES = (0, 1, 2, 7, 63, 64, 65, 100, 128, 129, 200, 777, 5000)
TIMES = (1, 4000, 20000, 33333, 34000, 100000)  # a send of 0 or 100 bytes takes 4000 or 34000
KINDS = ("send", "send", "receive", "receive", "post", "wait", "probe", "run")
LABELS = {"operation": "allreduce", "algorithm": "random", "root": 0, "bytes": 8, "element": 1,
          "even": True}


class Program:
    """One random program of 2 to 6 ranks. If it posts ahead, all receives come before messages."""
    def __init__(self, seed, posts_ahead=False):
        self.random, self.posts_ahead = random.Random(seed), posts_ahead
        self.p = self.random.randint(2, 6)
        self.groups = {"world": list(range(self.p))}
        for number in range(self.random.randint(0, 2)):
            size = self.random.randint(1, self.p)
            self.groups[f"group{number}"] = self.random.sample(range(self.p), size)
        self.items, self.bound, self.unmet, self.waits = (
            [[] for _ in range(self.p)] for _ in range(4))
        self.requests, self.sent = [1] * self.p, {}
        for _ in range(self.random.randint(1, 25)):
            getattr(self, self.random.choice(KINDS))(self.random.randrange(self.p))
        for rank in range(self.p):
            while self.unmet[rank]:
                self.receive(rank)
            while self.waits[rank] and self.random.random() < 0.9:
                self.wait(rank)
            if posts_ahead:
                self.items[rank].sort(key=lambda item: "post" not in item and "run" not in item)

    def add(self, rank, **item):
        is_first = self.posts_ahead and ("post" in item or "run" in item)
        if self.random.random() < 0.3 and not is_first:
            item["after"] = self.random.choice(TIMES)
        self.items[rank].append(item)

    def request(self, rank):
        self.waits[rank].append(self.requests[rank])
        self.requests[rank] += 1
        return {"request": self.requests[rank] - 1}

    def perhaps_started(self, rank, share=0.4):
        return self.request(rank) if self.random.random() < share else {}

    def taken(self, entries):
        return entries.pop(self.random.randrange(len(entries)))

    def send(self, rank):
        target = self.random.choice([other for other in range(self.p) if other != rank])
        number = self.sent.get((rank, target), 0)
        self.sent[rank, target] = number + 1
        if self.random.random() < 0.3 or self.posts_ahead:
            self.add(target, post=rank, message=number, **self.request(target))
        else:
            self.unmet[target].append((rank, number))
        self.add(rank, send=target, bytes=self.random.choice(SIZES), **self.perhaps_started(rank))

    def receive(self, rank):
        if self.unmet[rank]:
            source, number = self.taken(self.unmet[rank])
            self.add(rank, receive=source, message=number)

    def post(self, rank):
        if self.unmet[rank]:
            source, number = self.taken(self.unmet[rank])
            self.add(rank, post=source, message=number, **self.request(rank))

    def probe(self, rank):
        if self.unmet[rank]:
            source, number = self.random.choice(self.unmet[rank])
            self.add(rank, probe=source, message=number)

    def wait(self, rank):
        if self.waits[rank]:
            self.add(rank, wait=self.taken(self.waits[rank]))

    def run(self, _):
        name = self.random.choice(list(self.groups))
        group = self.groups[name]
        parts = [[] for _ in group]
        for _ in range(self.random.randint(1, 4)):
            for part, todo in zip(parts, self.round_of(len(group))):
                part.append(todo)
        for member, rank in enumerate(group):
            self.bound[rank].append(
                {**LABELS, "group": name, "member": member, "rounds": parts[member]})
            started = self.perhaps_started(rank, 1 if self.posts_ahead else 0.4)
            self.add(rank, run=len(self.bound[rank]) - 1, **started)

    def round_of(self, p):
        todo = [{"sends": [], "receives": []} for _ in range(p)]
        pairs = [(a, b) for a in range(p) for b in range(p) if a != b]
        for a, b in self.random.sample(pairs, min(len(pairs), self.random.randint(0, 2 * p))):
            todo[a]["sends"].append({"to": b, "bytes": self.random.choice(SIZES)})
            todo[b]["receives"].append({"from": a, "combined": self.random.random() < 0.4})
        for part in todo:
            self.random.shuffle(part["receives"])
            part["passes_on"] = self.random.random() < 0.5
            if self.random.random() < 0.2:
                part["copies"] = self.random.choices(SIZES, k=self.random.randint(1, 2))
            if self.random.random() < 0.2:
                part["combines"] = [{"bytes": self.random.choice(SIZES),
                                     "operands": self.random.randint(2, 4)}]
        return todo


def moved(item, base, delay):
    """Returns an item for ranks from base on, and after further nanoseconds."""
    item = {key: value + base if key in ("send", "receive", "probe", "post") else value
            for key, value in item.items()}
    return {**item, "after": item.get("after", 0) + delay} if delay else item


def merged(programs, spacing):
    """Puts programs into one recording, each on ranks of its own and so much later."""
    groups, ranks = {}, []
    for n, program in enumerate(programs):
        base = len(ranks)
        for name, members in program.groups.items():
            groups[f"{n} {name}"] = [base + member for member in members]
        for items, bound in zip(program.items, program.bound):
            ranks.append({
                "process": len(ranks), "complete": True, "calls": [], "counters": [],
                "bound": [{**part, "group": f"{n} {part['group']}"} for part in bound],
                "items": [moved(item, base, n * spacing if k == 0 else 0)
                          for k, item in enumerate(items)]})
    return {"tutti_recording": 1, "groups": groups, "ranks": ranks}
