# SPDX-License-Identifier: BSD-3-Clause
"""Runs algorithms in Python as a job: the bits of their results are those of the library's own."""

import numpy as np

import own_algorithms as own
import tutti


def refused(call, text, kind=tutti.NoSuchPlan):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"nothing was refused: {text}")


@tutti.generator("reduce", rounds=1)
def raises(r, shape, me, t):
    raise KeyError("no such thing")


@tutti.generator("reduce", rounds=lambda shape: 1 // 0)
def has_no_rounds(r, shape, me, t):
    pass


@tutti.generator("allreduce", rounds=1)
def wrong(r, shape, me, t):
    r.copy(r.output(0), r.input(0))


def run_the_ring(world):
    calls = []

    def counted(r, shape, me, t):
        calls.append(t)
        own.ring(r, shape, me, t)

    own.RING.emit = counted
    installed = own.RING.install(world)
    named = world.plan("allreduce", "python_ring")
    library = world.plan("allreduce", "ring")
    made = len(calls)
    for count in (1, 7, 1000):
        x = np.random.default_rng(world.rank).random(count).astype("float32")
        expected = library(x).tobytes()
        assert installed(x).tobytes() == expected
        assert named(x).tobytes() == expected
        y = x.copy()
        named(y, out=y)  # in place
        assert y.tobytes() == expected
        assert installed.start(x).wait().tobytes() == expected
    assert made > 0 and len(calls) == made, "a plan that runs calls no function of Python"


def main():
    for generator in (own.RING, own.DOUBLING, own.BINOMIAL, raises, has_no_rounds, wrong):
        generator.register()
    world = tutti.world
    run_the_ring(world)
    data = np.arange(5.0) if world.rank == world.size - 1 else np.zeros(5)
    own.BINOMIAL.install(world, root=world.size - 1)(data)
    assert np.array_equal(data, np.arange(5.0))
    if own.DOUBLING.serves(world.size):
        x = np.array([world.rank + 0.1])
        plan = world.plan("allreduce", "python_doubling")
        assert plan(x).tobytes() == world.plan("allreduce", "bidirectional_exchange")(x).tobytes()
    refused(lambda: world.plan("reduce", "raises"), "KeyError: 'no such thing'")
    refused(lambda: world.plan("reduce", "has_no_rounds"), "ZeroDivisionError")
    refused(lambda: world.plan("allreduce", "wrong"), "is not correct")
    refused(own.RING.register, "before tutti_init", tutti.InvalidArgument)
    refused(lambda: own.RING.schedule(world.size + 1).install(world), "the group has",
            tutti.InvalidArgument)
    assert world.allreduce(1) == world.size  # the job is usable
    if world.rank == 0:
        print("OK")


if __name__ == "__main__":
    main()
