// SPDX-License-Identifier: BSD-3-Clause
// A broadcast for a root with better things to do: it hands its data to the next rank, and that one
// serves everybody else. Page 8 of the guide has it in C++. The data are output(0).
({
  name: "relay",
  operation: "broadcast",
  rounds(p) {
    return p > 2 ? 2 : p - 1;
  },
  emit(round, { p, root }, rank, t) {
    const relay = (root + 1) % p;
    if (t === 0) {
      if (rank === root) round.send(relay, output(0));
      if (rank === relay) round.receive(root, output(0));
    } else if (rank === relay) {
      for (let r = 0; r < p; ++r)
        if (r !== root && r !== relay) round.send(r, output(0));
    } else if (rank !== root) {
      round.receive(relay, output(0));
    }
  },
})
