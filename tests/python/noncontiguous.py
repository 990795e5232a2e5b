# SPDX-License-Identifier: BSD-3-Clause
"""Elements are numbered row by row, whatever lies in memory."""

import numpy as np

import tutti


def views(rank):
    """Yields views with equal elements: contiguous, and with several layouts."""
    plain = np.arange(24.0).reshape(4, 6) + rank
    yield plain.copy()
    yield np.asfortranarray(plain)
    wide = np.zeros((4, 9))
    wide[:, 2:8] = plain
    yield wide[:, 2:8]
    sparse = np.zeros((8, 12))
    sparse[::2, ::2] = plain
    yield sparse[::2, ::2]
    yield plain[::-1, ::-1].copy()[::-1, ::-1]


def main():
    world = tutti.world
    p, me = world.size, world.rank
    total = np.arange(24.0).reshape(4, 6) * p + p * (p - 1) / 2
    everyone = np.stack([np.arange(24.0).reshape(4, 6) + r for r in range(p)])
    for number, view in enumerate(views(me)):
        assert np.array_equal(world.allreduce(view), total)
        assert np.array_equal(world.allgather(view), everyone)
        # Ranks may have different layouts in one call.
        mine = list(views(me))[(number + me) % 5]
        assert world.allreduce(mine, out=view) is view and np.array_equal(view, total)
        view[...] = everyone[me]
        assert world.allreduce(view, out=view) is view and np.array_equal(view, total)
        view[...] = everyone[me]
        world.bcast(view, root=p - 1)
        assert np.array_equal(view, everyone[p - 1])
    line = np.zeros(20)
    line[::2] = me
    world.send(line[::2], (me + 1) % p)
    into = np.zeros(30)
    world.recv(into[::3], (me - 1) % p)
    assert np.all(into[::3] == (me - 1) % p) and into.sum() == 10 * ((me - 1) % p)
    for call in (world.iallreduce, world.allreduce_init):
        try:
            call(line[::2])
        except tutti.InvalidArgument as error:
            assert "not contiguous" in str(error)
        else:
            raise AssertionError("a request took an array that is not contiguous")
    rows = np.zeros((3, 8))[:, 1:5]
    rows[...] = me
    assert np.all(world.iallreduce(rows).wait() == p * (p - 1) / 2)


if __name__ == "__main__":
    main()
    print("OK")
