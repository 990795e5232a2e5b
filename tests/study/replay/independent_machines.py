# SPDX-License-Identifier: BSD-3-Clause
"""Machines and networks of the second simulator, as independent.py uses them."""

import math
import tomllib
from collections import Counter, defaultdict
from fractions import Fraction

ENDS, STRANDS, ASKS, RATES = 1, 2, 3, 4  # the order at one instant


class Packets:
    """store_and_forward and bus."""
    has_ports = False
    sends_longer = 0

    def __init__(self, ports):
        self.ports, self.replay, self.machine = ports, ports.replay, ports.machine
        self.free = defaultdict(int)

    def leave(self, message):
        pass

    def ask(self, message, before=0):
        """The packet that follows some bytes of a message asks for the first link."""
        replay, machine, route = self.replay, self.machine, self.machine.route(message)
        begin, end = self.serve(message, before, route)
        after = before + machine.packet
        if after < message.bytes:
            time = max(end + machine.gap, message.asks + machine.beta(after))
            replay.at(time, ASKS, message.key, self.ask, message, after)
        elif message.leaves > message.asks:
            late = begin - message.asks - machine.beta(before)
            replay.at(max(message.leaves + late, replay.now), ENDS, message.key, self.ports.leave,
                      message)

    def serve(self, message, before, route):
        """Returns when a link begins and ends to serve a packet that comes now."""
        replay, machine = self.replay, self.machine
        begin = max(replay.now, self.free[route[0]])
        end = begin + machine.link(min(machine.packet, message.bytes - before))
        self.free[route[0]] = end + machine.gap
        if route[1:]:
            replay.at(end + machine.hop, ASKS, message.key, self.serve, message, before, route[1:])
        elif before + machine.packet >= message.bytes:
            hops = machine.hop * len(machine.route(message))
            least = message.asks + machine.beta(message.bytes) + hops
            replay.at(max(end + machine.hop, least), ENDS, message.key, self.ports.arrive, message)
        return begin, end


class Circuits:
    """circuit. Links and ports belong to one message each."""
    has_ports = True

    def __init__(self, ports):
        self.ports, self.replay, self.machine = ports, ports.replay, ports.machine
        self.sends_longer = self.machine.hop * self.machine.links
        self.taken, self.waiting = {}, defaultdict(list)

    def ask(self, message):
        if self.take(message, self.machine.route(message) + self.ports_of(message)):
            self.transfer(message, self.replay.now)

    def ports_of(self, message):
        ports, machine = [], self.machine
        if message.after:
            return []
        if machine.ports == "half" and message.leaves > message.asks:
            ports.append(("port", message.source))
        if machine.ports != "unlimited":
            ports.append(("port", message.target))
        return ports

    def take(self, message, parts):
        """Takes all parts of a path or none, and then waits for the first that is taken."""
        for part in parts:
            if part in self.taken:
                self.waiting[part].append(message)
                return False
        self.taken.update((part, message) for part in parts)
        return True

    def transfer(self, message, granted):
        """Moves a message as if it had got its path at some time."""
        replay, machine, key = self.replay, self.machine, message.key
        if message.leaves > message.asks:
            time = max(replay.now, message.leaves + granted - message.asks)
            replay.at(time, ENDS, key, self.ports.leave, message)
        held = machine.request_held if message.after else machine.held
        given = held + machine.hop * machine.links
        end = granted + max(1, given + machine.link(message.bytes))
        arrival = granted + max(1, given + machine.beta(message.bytes))
        replay.at(end, ENDS, key, self.release, machine.route(message))
        replay.at(arrival, ENDS, key, self.arrive, message)

    def arrive(self, message):
        self.release([port for port in self.ports_of(message) if port[1] == message.target])
        self.ports.arrive(message)

    def leave(self, message):
        if self.taken.get(("port", message.source)) is message:
            self.release([("port", message.source)])

    def release(self, parts):
        for part in parts:
            del self.taken[part]
            for message in self.waiting.pop(part, []):
                self.replay.at(self.replay.now, ASKS, message.key, self.ask, message)


class CircuitsByLinks(Circuits):
    """circuit_by_links."""
    def __init__(self, ports):
        super().__init__(ports)
        self.reached = Counter()  # links that the head of a message has taken

    def ask(self, message):
        replay, machine, route = self.replay, self.machine, self.machine.route(message)
        if self.reached[message] < len(route):
            if self.take(message, [route[self.reached[message]]]):
                self.reached[message] += 1
                replay.at(replay.now + machine.hop, ASKS, message.key, self.ask, message)
        elif self.take(message, self.ports_of(message)):
            self.transfer(message, replay.now - machine.hop * machine.links)


class Wormholes(CircuitsByLinks):
    """wormhole."""
    def __init__(self, ports):
        super().__init__(ports)
        self.sends_longer = 0


class Shares:
    """share_equal."""
    has_ports, sends_longer = False, 0

    def __init__(self, ports):
        self.ports, self.replay, self.machine = ports, ports.replay, ports.machine
        self.moving = []

    def ask(self, message):
        replay, message.cost = self.replay, self.machine.alone
        message.left, message.since = message.bytes, replay.now
        message.was_slowed = message.keeps_port = False
        if message.leaves > message.asks:
            replay.at(message.leaves, ENDS, message.key, self.end_send, message)
        if message.bytes == 0:
            self.end(message)
        else:
            self.moving.append(message)
            self.end_at(message, replay.now + picoseconds(message.cost * message.bytes))
            replay.at(replay.now, RATES, (), self.share)

    def share(self):
        for message, cost in self.costs().items():
            if abs(cost - message.cost) > 1e-12 * cost:
                self.change(message, cost)

    def costs(self):
        machine, flows = self.machine, self.flows_of(self.moving)
        return {message: max(machine.alone, machine.link_cost * max(
            flows[link] for link in machine.route(message))) for message in self.moving}

    def flows_of(self, messages):
        return Counter(link for message in messages for link in self.machine.route(message))

    def change(self, message, cost):
        now = self.replay.now
        message.left -= (now - message.since) / 1e6 / message.cost
        message.since, message.cost = now, cost
        message.was_slowed = message.was_slowed or cost > self.machine.alone
        end = now + max(0, picoseconds(message.left * cost))
        self.end_at(message, max(now, (end + 287) // 1000 * 1000))

    def end_at(self, message, time):
        message.end = time
        self.replay.at(time, ENDS, message.key, self.end_moving, message, time)

    def end_moving(self, message, time):
        if message in self.moving and message.end == time:
            self.moving.remove(message)
            self.replay.at(self.replay.now, RATES, (), self.share)
            self.end(message)

    def end(self, message):
        if message.keeps_port:
            self.ports.leave(message)
        arrival = self.replay.now + self.machine.hop * self.machine.links
        self.replay.at(arrival, ENDS, message.key, self.ports.arrive, message)

    def end_send(self, message):
        message.keeps_port = message in self.moving and message.was_slowed
        if not message.keeps_port:
            self.ports.leave(message)

    def leave(self, message):
        pass


class MaxMin(Shares):
    """share_max_min. Rates are parts of what a link can move."""
    def costs(self):
        route, alone, link_cost = self.machine.route, self.machine.alone, self.machine.link_cost
        growing, room, costs = list(self.moving), defaultdict(lambda: Fraction(1)), {}
        while growing:
            rates = {link: room[link] / flows for link, flows in self.flows_of(growing).items()}
            rate = min(Fraction(link_cost) / Fraction(alone), *rates.values())
            costs.update((message, max(alone, link_cost / float(rate))) for message in growing
                         if any(rates[link] == rate for link in route(message)))
            if min(rates.values()) > rate:
                costs.update((message, alone) for message in growing)
            for message in growing:
                for link in route(message) if message in costs else ():
                    room[link] -= rate
            growing = [message for message in growing if message not in costs]
        return costs


class Machine:
    """The numbers of a machine file; those that are for a byte are functions of a size."""
    def __init__(self, path):
        with open(path, "rb") as file:
            read = tomllib.load(file)
        network, node = read["network"], read.get("node", {})
        alpha, beta = read["alpha"], read["beta"]
        self.is_bus = network["topology"].startswith("bus")
        self.links = 1 if self.is_bus else 2
        self.network = NETWORKS[network["switching"]]
        protocol = read.get("protocol", {})
        self.handover = protocol.get("handover", "eager")
        self.posts_ahead, self.threshold = self.handover == "forced", protocol.get("threshold", 0)
        self.ports, self.packet = node.get("ports", "duplex"), network.get("packet", 1024)
        self.link_cost = network.get("link_beta", beta)
        self.alone = max(beta, self.link_cost)
        self.alpha, self.beta = picoseconds(alpha), byte(beta)
        self.gamma, self.gamma_alpha = byte(read["gamma"]), picoseconds(node.get("gamma_alpha", 0))
        self.copy = byte(node.get("copy", 0))
        self.copy_alpha = picoseconds(node.get("copy_alpha", 0))
        self.send = byte(node.get("send_beta", beta))
        self.send_alpha = picoseconds(node.get("send_alpha", alpha))
        self.receive = byte(node.get("receive_beta", beta))
        self.receive_alpha = picoseconds(node.get("receive_alpha", alpha))
        self.hop = picoseconds(network.get("hop", 0))
        self.link = byte(self.link_cost)
        self.held = picoseconds(network.get("held", 0))
        self.request_alpha = picoseconds(protocol.get("request_alpha", alpha))
        self.request_held = min(self.held, self.request_alpha)
        self.window = picoseconds(node.get("window", 0))
        self.gap = picoseconds(network.get("gap", 0))

    def combination(self, size):
        return self.gamma_alpha + self.gamma(size)

    def route(self, message):
        return ["bus"] if self.is_bus else [("from", message.source), ("to", message.target)]


NETWORKS = {"bus": Packets, "store_and_forward": Packets, "circuit": Circuits,
            "circuit_by_links": CircuitsByLinks, "wormhole": Wormholes,
            "share_equal": Shares, "share_max_min": MaxMin}


def picoseconds(microseconds):
    """Rounds to whole picoseconds, and halves upwards."""
    return math.floor(microseconds * 1e6 + 0.5)


def byte(microseconds):
    return lambda size: picoseconds(microseconds * size)
