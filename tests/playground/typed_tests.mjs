// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that are typed: a right one, mutants of it, others that are wrong, and plug-ins.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ring = `{
  name: "typed_ring",
  operation: "allreduce",
  flags: COMMUTATIVE_ONLY,
  rounds: (p) => (p === 1 ? 1 : 2 * (p - 1)),
  parts: (p) => p,
  emit(round, { p }, rank, t) {
    const whole = [{ buffer: OUTPUT, first: 0, count: p }];
    if (p === 1) return round.copy(whole, [{ buffer: INPUT, first: 0, count: p }]);
    const next = (rank + 1) % p, before = (rank + p - 1) % p;
    const at = (buffer, i) => [{ buffer, first: ((i % p) + p) % p, count: 1 }];
    if (t < p - 1) {
      round.send(next, at(t === 0 ? INPUT : OUTPUT, rank - t));
      round.receive_combine(at(OUTPUT, rank - t - 1), [
        { from: before, blocks: [] },
        { from: LOCAL, blocks: at(INPUT, rank - t - 1) },
      ]);
    } else {
      round.send(next, at(OUTPUT, rank - t));
      round.receive(before, at(OUTPUT, rank - t - 1));
    }
  },
}`;

const tree = `{
  name: "typed_fan",
  operation: "bcast",
  rounds: (p) => Math.ceil(Math.log2(p)),
  emit(round, { p, root }, rank, t) {
    const all = [{ buffer: OUTPUT, first: 0, count: 1 }];
    const place = (rank - root + p) % p, step = 2 ** t;
    if (place < step && place + step < p) round.send((rank + step) % p, all);
    if (place >= step && place < 2 * step) round.receive((rank - step + p) % p, all);
  },
}`;

// Each replaces a part of the ring, and the answer has to match.
const mutants = [
  ["rank - t));\n      round.receive_combine", "rank - t + 1));\n      round.receive_combine",
   /NOT CORRECT: .* round \d+/],
  ["round.send(next, at(OUTPUT, rank - t));", "round.send(before, at(OUTPUT, rank - t));",
   /round \d+ \(t = \d+\)/],
  ["round.receive(before, at(OUTPUT, rank - t - 1));", "", /round \d+ \(t = \d+\)/],
  ["2 * (p - 1)", "2 * (p - 1) - 1", /NOT CORRECT/],
];

// The text, what the errors have to match.
const wrong = [
  [ring.replace("round.send(next, at(OUTPUT", "round.send(nxt, at(OUTPUT"), /line 19: nxt is not defined/],
  [ring.replace("rounds: (p) =>", "rounds: (p) ->"), /line 5: /],
  [ring.replace("parts: (p) => p", "parts: (p) => p / 2"), /parts\(1, 0\) of typed_ring.*0\.5/],
  [ring.replace("{ from: before, blocks: [] },", "7,"), /an operand of receive_combine is 7/],
  [ring.replace('"allreduce"', '"allredduce"'), /there is no operation 'allredduce'/],
  [ring.replace('"typed_ring"', '"ring"'), /already/],
  [ring.replace("emit(", "emitt("), /it has 'emitt'/],
  [ring.replace("parts: (p) => p", "parts: (p) => { throw 'no' }"), /parts\(1, 0\) of typed_ring: it throws no/],
  ["7", /it is 7 but must be an object/],
];

// A compiler makes a plug-in of the C code, and the command proves it.
function provePlugIn({ native, place, root }, source, name, operation) {
  const file = path.join(place, `${name}.c`);
  const library = path.join(place, `${name}.so`);
  fs.writeFileSync(file, source);
  execFileSync(process.env.CC ?? "cc", ["-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I",
                                       path.join(root, "../../include"), file, "-o", library]);
  const answer = native(["verify", operation, "--algorithm", name, "-n", "1..9"], {},
                        { TUTTI_GENERATORS: library });
  assert.equal(answer.code, 0, answer.output + answer.errors);
  assert.match(answer.output, new RegExp(`${name} .* yes `));
}

export async function typedTests(given) {
  const { playground } = given;
  const verify = (algorithm, operation, name, ranks) =>
    playground.run(["verify", operation, "--algorithm", name, "-n", ranks], { algorithm });
  const right = await verify(ring, "allreduce", "typed_ring", "1..32");
  assert.equal(right.code, 0, right.output + right.errors);
  for (const [part, instead, message] of mutants) {
    assert.ok(ring.includes(part));
    const answer = await verify(ring.replace(part, instead), "allreduce", "typed_ring", "2..32");
    assert.equal(answer.code, 1, answer.output + answer.errors);
    assert.match(answer.output, message);
  }
  const waiting = ring.replace("if (t < p - 1) {", "if (t === 0) return round.receive(next, whole);\n    if (t < p - 1) {");
  const deadlock = await verify(waiting, "allreduce", "typed_ring", "3");
  assert.equal(deadlock.code, 1);
  assert.match(deadlock.output, /NOT CORRECT.*round 1 \(t = 0\)/);
  for (const [text, message] of wrong) {
    const answer = await verify(text, "allreduce", "typed_ring", "1..4");
    assert.equal(answer.code, 2, answer.output);
    assert.match(answer.errors, message);
  }
  const lines = ["draw allreduce --algorithm typed_ring -n 4", "export allreduce --algorithm typed_ring -n 4",
    "explain allreduce --algorithm typed_ring --machine sp2 -n 4",
    "simulate allreduce --algorithm typed_ring,ring --machine sp2 -n 4"];
  for (const line of lines) {
    const answer = await playground.run(line.split(" "), { algorithm: ring });
    assert.equal(answer.code, 0, answer.errors);
    assert.match(answer.output, /typed_ring/);
  }
  assert.equal((await verify(tree, "bcast", "typed_fan", "1..16")).code, 0);
  provePlugIn(given, await playground.plugIn(ring, { from: 1, to: 9 }), "typed_ring", "allreduce");
  provePlugIn(given, await playground.plugIn(tree, { from: 1, to: 9 }), "typed_fan", "bcast");
  await assert.rejects(playground.plugIn(ring, { from: 1, to: 1000 }), /too large/);
  console.log("typed algorithms: passed");
}
