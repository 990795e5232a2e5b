# SPDX-License-Identifier: BSD-3-Clause
"""A small job in Python: a sum on all ranks, a broadcast of an object, and messages in a circle."""
import tutti

world = tutti.world
n = world.size
total = world.allreduce(world.rank)
root_says = world.bcast_object({"answer": 42} if world.rank == 0 else None, root=0)
print(f"rank {world.rank} of {n}: {total}, {root_says['answer']}", flush=True)
