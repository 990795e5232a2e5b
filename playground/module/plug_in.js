// SPDX-License-Identifier: BSD-3-Clause
// Writes an algorithm that is typed in JavaScript as a plug-in in C (docs/guide, page 11). The C
// code has what each rank does in each round as a table, for a range of numbers of ranks.
import { TypedError, kinds } from "./typed.js";

// In the order of tutti_operation.
const operations = ["BARRIER", "BROADCAST", "REDUCE", "ALLREDUCE", "SCATTER", "GATHER", "ALLGATHER",
                    "REDUCE_SCATTER", "ALLTOALL", "SCAN", "EXSCAN"];
const rooted = ["BROADCAST", "REDUCE", "SCATTER", "GATHER"];
const mostNumbers = 4000000;

// The numbers of all shapes. A row is what one rank does in one round: its length and its words.
// Equal rows stand once.
class Tables {
  shapes = [];
  rows = [];
  words = [];
  #known = new Map();

  constructor(typed, from, to, hasRoot) {
    this.typed = typed;
    for (let p = from; p <= to; ++p)
      for (let root = 0; root < (hasRoot ? p : 1); ++root) this.#addShape(p, root);
  }

  #addShape(p, root) {
    const { typed } = this;
    if (typed.number(0, p, root) === 0) {
      this.shapes.push([0, 0, 0, 0, 0]);
      return;
    }
    const rounds = typed.number(1, p, root);
    this.shapes.push([1, rounds, typed.number(2, p, root), typed.number(3, p, root),
                      this.rows.length]);
    for (let rank = 0; rank < p; ++rank)
      for (let t = 0; t < rounds; ++t) this.rows.push(this.#row(typed.round(p, root, rank, t)));
    if (this.words.length + this.rows.length > mostNumbers)
      throw new TypedError(
        `the tables of the plug-in are too large at p = ${p}: give a range that ends before it`);
  }

  #row(words) {
    if (words[0] === kinds.fail)
      throw new TypedError("a plug-in cannot be written, because the algorithm calls fail()");
    const key = words.join();
    if (!this.#known.has(key)) {
      this.#known.set(key, this.words.length);
      this.words.push(words.length);
      for (const word of words) this.words.push(word);
    }
    return this.#known.get(key);
  }
}

function lines(numbers) {
  const all = [];
  let line = " ";
  for (const number of numbers) {
    const next = ` ${number},`;
    if (line.length + next.length > 100) {
      all.push(line);
      line = " ";
    }
    line += next;
  }
  return [...all, line].join("\n");
}

const reader = `/* Reads a list of blocks: its length, then the members of each. */
static const int* read_blocks(const int* at, tutti_blocks* blocks, int* count) {
  int i;
  *count = *at++;
  for (i = 0; i < *count; ++i, at += 5) {
    blocks[i].buffer = (tutti_buffer)at[0];
    blocks[i].first = at[1];
    blocks[i].count = at[2];
    blocks[i].stride = at[3];
    blocks[i].times = at[4];
  }
  return at;
}

/* Reads an operation, which is its kind and its arguments. */
static const int* read_operation(const int* at, tutti_round* round) {
  static tutti_blocks first[MOST_BLOCKS], others[MOST_OPERANDS][MOST_BLOCKS];
  static tutti_operand operands[MOST_OPERANDS];
  const int kind = *at++;
  const int other = kind < 2 ? *at++ : 0;
  int n, m, i;
  at = read_blocks(at, first, &n);
  if (kind == 0) round->send(round, other, first, n);
  if (kind == 1) round->receive(round, other, first, n);
  if (kind == 4) {
    at = read_blocks(at, others[0], &m);
    round->copy(round, first, n, others[0], m);
  }
  if (kind != 2 && kind != 3) return at;
  m = *at++;
  for (i = 0; i < m; ++i) {
    operands[i].from = *at++;
    operands[i].blocks = others[i];
    at = read_blocks(at, others[i], &operands[i].count);
  }
  (kind == 2 ? round->receive_combine : round->combine)(round, first, n, operands, m);
  return at;
}

static const struct shape* shape_of(const tutti_schedule_shape* s) {
  if (s->p < LEAST_RANKS || s->p > MOST_RANKS) return NULL;
  return shapes + INDEX(s->p, s->root);
}

static int applies(const tutti_schedule_shape* s, void* data) {
  (void)data;
  return shape_of(s) != NULL && shape_of(s)->applies;
}

static int rounds(const tutti_schedule_shape* s, void* data) {
  (void)data;
  return shape_of(s)->rounds;
}

static int parts(const tutti_schedule_shape* s, void* data) {
  (void)data;
  return shape_of(s)->parts;
}

static int scratch(const tutti_schedule_shape* s, void* data) {
  (void)data;
  return shape_of(s)->scratch;
}

static void emit(tutti_round* round, const tutti_schedule_shape* s, int rank, int t, void* data) {
  const struct shape* shape = shape_of(s);
  const int* at = words + rows[shape->first_row + rank * shape->rounds + t];
  const int* const end = at + 1 + *at;
  (void)data;
  for (++at; at < end;) at = read_operation(at, round);
}
`;

// Returns the longest list of blocks and the largest number of operands in the rows.
function sizes(tables) {
  let blocks = 1;
  let operands = 1;
  const { words } = tables;
  for (let at = 0; at < words.length;) {
    const end = at + 1 + words[at];
    const skip = () => {
      blocks = Math.max(blocks, words[at]);
      at += 1 + 5 * words[at];
    };
    for (++at; at < end;) {
      const kind = words[at++];
      if (kind < 2) ++at;
      skip();
      if (kind === 4) skip();
      if (kind !== 2 && kind !== 3) continue;
      const count = words[at++];
      operands = Math.max(operands, count);
      for (let i = 0; i < count; ++i) {
        ++at;
        skip();
      }
    }
  }
  return { blocks, operands };
}

// Returns the C source of a plug-in with a typed algorithm for `from` to `to` ranks. `operation` is
// the number of its operation.
export function plugInSource(typed, operation, from, to) {
  const name = operations[operation];
  const hasRoot = rooted.includes(name);
  const tables = new Tables(typed, from, to, hasRoot);
  const { blocks, operands } = sizes(tables);
  const index = hasRoot
    ? `((p) * ((p) - 1) / 2 - ${(from * (from - 1)) / 2} + (root))`
    : `((p) - ${from} + 0 * (root))`;
  const source = typed.source.trim().replaceAll("*/", "* /").split("\n");
  return `/* The algorithm ${typed.name} for ${from} to ${to} ranks, as tables. The playground of tutti has
 * written them from this JavaScript:
 *
${source.map((line) => ` * ${line}`.trimEnd()).join("\n")}
 *
 * gcc -shared -fPIC ${typed.name}.c -o ${typed.name}.so $(pkg-config --cflags tutti)
 * TUTTI_GENERATORS=$PWD/${typed.name}.so tutti verify ${name.toLowerCase()} --algorithm ${typed.name} -n ${from}..${to}
 */
#include <stddef.h>
#include <tutti/tutti_generator.h>

#define LEAST_RANKS ${from}
#define MOST_RANKS ${to}
#define MOST_BLOCKS ${blocks}
#define MOST_OPERANDS ${operands}
#define INDEX(p, root) ${index}

/* For each number of ranks${hasRoot ? " and each root" : ""}. */
static const struct shape {
  int applies, rounds, parts, scratch, first_row;
} shapes[] = {
${tables.shapes.map((shape) => `  {${shape.join(", ")}},`).join("\n")}
};

/* For each rank and each of its rounds: where its operations stand among the words. */
static const int rows[] = {
${lines([...tables.rows, 0])}
};

/* The length of a row, then its operations. */
static const int words[] = {
${lines([...tables.words, 0])}
};

${reader}
void tutti_generators(tutti_registrar* registrar) {
  tutti_generator own = {0};
  own.struct_size = sizeof own;
  own.name = "${typed.name}";
  own.operation = TUTTI_OP_${name};
  own.about = "An algorithm that was typed into the playground.";
  own.needs = "${from} to ${to} ranks";
  own.flags = ${typed.flags};
  own.applies = applies;
  own.rounds = rounds;
  own.parts = parts;
  own.scratch = scratch;
  own.emit = emit;
  registrar->add(registrar, &own);
}
`;
}
