# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms that tests describe in Python: three that the library has, too, and twenty mutants."""

import tutti


def ring(r, shape, me, t):
    """Each block travels around the ring twice."""
    p = shape.p
    right, left = (me + 1) % p, (me - 1) % p
    out, into = (me - t - 1) % p, (me - t - 2) % p
    if t < p - 1:
        r.send(r.input(out) if t == 0 else r.output(out), to=right)
        r.receive_combine(r.output(into), [left, r.input(into)])
    else:
        r.send(r.output(out), to=right)
        r.receive(r.output(into), source=left)


def doubling(r, shape, me, t):
    """In round t, ranks that differ in bit t exchange what they have."""
    other = me ^ (1 << t)
    mine = r.input(0) if t == 0 else r.output(0)
    r.send(mine, to=other)
    operands = [mine, other] if me < other else [other, mine]
    r.receive_combine(r.output(0), operands)


def binomial(r, shape, me, t):
    """In round t, each of the 2^t ranks that have the data sends it on."""
    place = (me - shape.root) % shape.p
    distance = 1 << t
    if place < distance and place + distance < shape.p:
        r.send(r.output(0), to=(me + distance) % shape.p)
    if distance <= place < 2 * distance:
        r.receive(r.output(0), source=(me - distance) % shape.p)


def log2(shape):
    return (shape.p - 1).bit_length()


def is_power(shape):
    return shape.p & (shape.p - 1) == 0


RING = tutti.generator("allreduce", rounds=lambda shape: 2 * (shape.p - 1),
                       blocks=lambda shape: shape.p, in_place=True, name="python_ring")(ring)
DOUBLING = tutti.generator("allreduce", rounds=log2, needs=lambda shape: is_power(shape),
                           commutative=False, name="python_doubling")(doubling)
BINOMIAL = tutti.generator("bcast", rounds=log2, name="python_binomial")(binomial)


class Edited:
    """A Round that changes one operation of all that go through it: number `place`."""

    def __init__(self, inner, counter, place, edit):
        self.inner, self.counter, self.place, self.edit = inner, counter, place, edit

    def __getattr__(self, name):
        made = getattr(self.inner, name)
        if name in ("input", "output", "scratch"):
            return made

        def call(blocks, *others, **named):
            number = self.counter[0]
            self.counter[0] += 1
            values = [blocks, *others, *named.values()]
            if number == self.place:
                values = self.edit(self.inner, name, values)
            if values is not None:
                made(*values)

        return call


def mutants(base, n):
    """Returns generators that are `base` but for one operation: it is left out, is made twice, or
    names another rank or block."""

    def other_rank(_, name, values):
        last = values[1]
        if isinstance(last, list):
            return [values[0], [(one + 1) % n if isinstance(one, int) else one for one in last]]
        return [values[0], (last + 1) % n]

    def other_block(inner, name, values):
        runs = [(buffer, (first + 1) % n, *rest) for buffer, first, *rest in values[0].runs]
        return [type(values[0])(runs), *values[1:]]

    def left_out(*_):
        return None

    def twice(inner, name, values):
        getattr(inner, name)(*values)
        return values

    made = []
    for place in (0, 3, 8, 14, 20):
        for edit in (other_rank, other_block, left_out, twice):
            counter = [0]

            def emit(r, shape, me, t, counter=counter, place=place, edit=edit):
                counter[0] = 0 if (me, t) == (0, 0) else counter[0]
                base.emit(Edited(r, counter, place, edit), shape, me, t)

            decorate = tutti.generator(base.operation, rounds=base.rounds(n), blocks=base.parts(n),
                                       name="mutant")
            made.append((f"{edit.__name__} {place}", decorate(emit)))
    return made
