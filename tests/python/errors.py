# SPDX-License-Identifier: BSD-3-Clause
"""Wrong arguments that a rank sees itself: the class and the text of the exception. The job stays
usable."""

import threading

import numpy as np

import tutti
from tutti import _names
from dtypes import refused


def arguments(world):
    data = np.arange(4.0)
    frozen = np.arange(4.0)
    frozen.flags.writeable = False
    refused(tutti.InvalidArgument, f"root is {world.size}", world.bcast, data, root=world.size)
    refused(ValueError, "output", world.allreduce, data, np.zeros(3))
    refused(ValueError, "out is read-only", world.allreduce, data, frozen)
    refused(ValueError, "no operator 'add'", world.allreduce, data, op="add")
    refused(TypeError, "op must be", world.allreduce, data, op=1)
    refused(TypeError, "by tutti.op()", world.allreduce, data, op=np.hypot)
    refused(ValueError, "no mean of int64", world.allreduce, np.arange(3), op="mean")
    refused(ValueError, "no mean of int64", world.allreduce, 3, op=np.mean)
    refused(ValueError, "scan has no operator 'mean'", world.scan, data, op="mean")
    refused(ValueError, "out is a list", world.allreduce, data, [0.0] * 4)
    refused(TypeError, "input[1] is no number", world.allreduce, [1, "2"])
    refused(TypeError, "input[0] is a list: make an array", world.allreduce, [[1, 2]])
    refused(TypeError, "out has float64", world.allreduce, [1, 2, 3, 4], data)
    refused(TypeError, "no argument 'output'", world.allreduce, data, output=data)
    refused(TypeError, "needs the argument 'input'", world.allreduce)
    refused(TypeError, "two values for 'out'", world.allreduce, data, data, out=data)
    refused(TypeError, "at most 3", world.allreduce, data, data, "sum", 0)
    refused(TypeError, "root must be an integer", world.bcast, data, root="0")
    refused(OverflowError, f"input is {10**30}, but an integer of a call has 64 bits",
            world.allreduce, 10**30)
    refused(OverflowError, "input is", world.allreduce, [1, 10**30])
    refused(OverflowError, "root is", world.bcast, data, root=2**64)
    refused(ValueError, "counts has", world.allgather, data, counts=[1] * (world.size + 1))
    refused(TypeError, "tuple of two lists", world.alltoall, data, counts=[1])
    refused(ValueError, "color is -1", world.split, -1)
    refused(ValueError, "tag", world.send, data, 0, tag=-3)
    refused(ValueError, "destination", world.send, data, world.size)
    if world.size > 1:
        refused(ValueError, "cannot share equally", world.reduce_scatter, 1.0)
    assert world.allreduce(1) == world.size


def handles(world):
    refused(LookupError, "no_such", world.plan, "allreduce", "no_such")
    refused(ValueError, "no operation 'sort'", world.plan, "sort")
    group = world.dup()
    group.free()
    refused(tutti.StaleHandle, "", group.barrier)
    refused(TypeError, "world", tutti.Group)
    request = world.iallreduce(1)
    refused(ValueError, "cannot be started", request.start)
    assert request.wait() == request.wait() == world.size
    assert issubclass(tutti.PeerLeft, ConnectionError) and issubclass(tutti.Error, RuntimeError)
    assert world.allreduce(1) == world.size


def names(world):
    """Names of mpi4py, and names with a mistake, get a suggestion."""
    for owner, table in ((world, _names.OF_A_GROUP), (tutti, _names.OF_THE_MODULE)):
        for name, ours in table.items():
            place = tutti if ours.startswith("tutti.") else owner
            assert hasattr(place, ours.removeprefix("tutti.")), ours
            refused(AttributeError, f"Did you mean: '{ours}'?", getattr, owner, name)
    refused(AttributeError, "Did you mean: 'allreduce'?", getattr, world, "Allreduce")
    refused(AttributeError, "Did you mean: 'bcast'?", getattr, world, "bcst")
    refused(AttributeError, "Did you mean: 'simulate'?", getattr, tutti, "simlate")
    try:
        world.nothing_like_it
    except AttributeError as error:
        assert str(error) == "'Group' object has no attribute 'nothing_like_it'", error


@tutti.op("int64")
def calls_tutti(left, right):
    tutti.world.barrier()
    return left + right


@tutti.op("int64")
def wrong_type(left, right):
    return (left + right).astype("float64")


def operators(world):
    """In a group of one nothing is combined. A group of each rank alone would not do either, so
    that the operators are called on the whole group, where each rank that combines raises."""
    if world.size != 2:
        return
    plan = world.plan("allreduce", "direct")
    refused(RuntimeError, "in progress", plan, np.array([1]), op=calls_tutti)
    refused(TypeError, "must return 8 bytes", plan, np.array([1]), op=wrong_type)


def threads(world):
    """A second thread is refused while the first one waits."""
    seen = []

    def second():
        try:
            world.rank_of_nothing = world.barrier()
        except RuntimeError as error:
            seen.append(str(error))
        finally:
            ready[0] = 1

    ready = np.zeros(1, np.int64)

    @tutti.op("int64")
    def slow(left, right):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
        return left + right

    if world.size == 2:
        world.plan("allreduce", "direct")(np.array([1]), op=slow)
        assert len(seen) == 1 and "another thread" in seen[0], seen


def main():
    for part in (arguments, handles, names, operators, threads):
        part(tutti.world)


if __name__ == "__main__":
    main()
    print("OK")
