// SPDX-License-Identifier: BSD-3-Clause
// Texts to begin with: a right algorithm, two wrong ones, and a machine.
const ring = `// An allgather on a ring. In round 0 a rank copies its own block, then it hands on
// the block that has come last. Blocks are input(i) and output(i).
({
  name: "my_ring",
  operation: "allgather",
  rounds(p) {
    return p;
  },
  emit(round, { p }, rank, t) {
    if (t === 0) {
      round.copy(output(rank), input(0));
    } else {
      round.send((rank + 1) % p, output((rank - t + 1 + p) % p));
      round.receive((rank - 1 + p) % p, output((rank - t + p) % p));
    }
  },
})
`;
const note = "// An allgather on a ring. In round 0";
const deadlock = ring.replace(note, `// This one is wrong: rank 0 waits for a message that nobody
// sends.
${note}`)
  .replace('"my_ring"', '"waiting_ring"')
  .replace("      round.send(", "      if (rank !== p - 1) round.send(");
const missing = ring.replace(note, `// This one is wrong: the last round is missing, so a block is.
${note}`)
  .replace('"my_ring"', '"short_ring"').replace("return p;", "return Math.max(1, p - 1);");

const lesson = `// A broadcast. The data are output(0): the root has them, all others want them.
({
  name: "my_broadcast",
  operation: "broadcast",
  rounds(p) {
    return p > 1 ? 1 : 0;
  },
  emit(round, { p, root }, rank, t) {
    const next = (root + 1) % p;
    if (rank === root) round.send(next, output(0));
    if (rank === next) round.receive(root, output(0));
  },
})
`;

export const algorithms = {
  ring: { title: "allgather on a ring: right", text: ring },
  deadlock: { title: "a ring that deadlocks", text: deadlock },
  lesson: { title: "a broadcast to one rank, to be completed", text: lesson },
  missing: { title: "a ring that misses a block", text: missing },
};

export const machineFile = `name = "pair"
about = "two computers and a cable"
alpha = 30.0     # microseconds, the order of magnitude of TCP
beta = 0.0085    # microseconds a byte, 94 % of 1 Gbit/s
gamma = 0.0002   # 5 GB/s

[network]
topology = "line:2"
switching = "share_max_min"
link_beta = {value = 0.008, status = "derived", source = "1 Gbit/s"}
`;
