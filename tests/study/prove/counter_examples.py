# SPDX-License-Identifier: BSD-3-Clause
"""Wrong generators and false claims that a prover could believe, and some that ours once did.

Each is an edit of sources for source_mutants.py: generator, what stands there, what is to stand
there, and more of such pairs.
"""

WRONG_BLOCK = ("mod(me - 1 - t, p)}}, Rank{mod(me - 1, p)});\n  }",
               "p > 5 ? mod(me - t, p) : mod(me - 1 - t, p)}}, Rank{mod(me - 1, p)});\n  }")
FALSE_FACT = ("Int pairs_rounds(", "Truth small(const Shape& s, Int) { return s.p <= 5; }\n"
              "Int pairs_rounds(")
COPY = "if (t == 0) out.copy({{Buffer::output, me}}, {{Buffer::input, 0}});"
SECOND_COPY = "out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});"
BUFFERS = ("rounds, allgather_buffers, collect_emit",
           "rounds, [](const Shape& s) { Buffers b = allgather_buffers(s); EDIT; return b; }, "
           "collect_emit")
COLLECTED = "\"bucket bucket_collect\"},\n                  {collected})"

# Rank 3 sends its part to ranks 1 and 2, which both add it.
SUM_SENT_TWICE = """
Int two_rounds(const Shape&) { return 2; }
bool four(const Shape& s) { return s.p == 4 && s.root == 0; }
Buffers one_scratch(const Shape&) { return {1, 1, 1, 1}; }
void twice_emit(Round& out, const Shape&, Rank rank, Int t) {
  const Int me = num(rank);
  if (t == 0) {
    if (me == 3) out.send({{Buffer::input, 0}}, Ranks{1, 2, 1, -1});
    if (me == 1 || me == 2)
      out.receive_combine({{Buffer::scratch, 0}}, {remote(Rank{3}), local({{Buffer::input, 0}})});
    return;
  }
  if (me == 1 || me == 2) out.send({{Buffer::scratch, 0}}, Rank{0});
  if (me == 0)
    out.receive_combine({{Buffer::output, 0}},
                        {local({{Buffer::input, 0}}), remote(Rank{1}), remote(Rank{2})});
}
Held twice_held(const Shape&, Rank rank, Int t, Int part) {
  const Int me = num(rank);
  if (me == 0) return held(t == 2 ? Buffer::output : Buffer::input, part);
  if (me == 3) return t == 0 ? held(Buffer::input, part) : nothing_held();
  return t == 2 ? nothing_held() : held(t == 0 ? Buffer::input : Buffer::scratch, part);
}
"""

# A second round adds each input once more for each rank, from a loop of local operands.
OPERANDS_OF_A_LOOP = """Int two_rounds(const Shape&) { return 2; }
void direct_emit(Round& out, const Shape& s, Rank me, Int t) {
  if (t == 1) {
    std::vector<Operand> operands{local({{Buffer::output, 0}})};
    for_each(0, s.p, [&](Int) { operands.push_back(local({{Buffer::input, 0}})); });
    return out.combine({{Buffer::output, 0}}, std::move(operands));
  }
"""

# The second loop has no operand and only one step. The operands of rank 0 are in a wrong order.
ORDER_OF_THE_FIRST_LOOP = (
    "  operands.push_back(rank == num(me) ? local({{Buffer::input, block}}) : "
    "remote(Rank{rank}));\n  });\n",
    "  const Int from = num(me) == 0 && rank > 1 && rank < p - 1 ? p - rank : rank;\n"
    "  operands.push_back(from == num(me) ? local({{Buffer::input, block}}) : "
    "remote(Rank{from}));\n  });\n  for_each(num(me), num(me) + 1, [](Int) {});\n")

# In the second round the root overwrites the second block of its result. The number of runs is the
# round, which is 1 then, so that their distance means nothing.
RUNS_OF_A_ROUND = """
Int two_rounds(const Shape&) { return 2; }
Buffers two_parts(const Shape&) { return {2, 2, 0, 2}; }
void runs_emit(Round& out, const Shape& s, Rank me, Int t) {
  if (t == 0) {
    if (num(me) != s.root) return out.send({{Buffer::input, 0, 2}}, Rank{s.root});
    if (s.p == 1) return out.copy({{Buffer::output, 0, 2}}, {{Buffer::input, 0, 2}});
    std::vector<Operand> operands;
    for_each(0, s.p, [&](Int rank) {
      operands.push_back(rank == num(me) ? local({{Buffer::input, 0, 2}}) : remote(Rank{rank}));
    });
    return out.receive_combine({{Buffer::output, 0, 2}}, std::move(operands));
  }
  if (num(me) == s.root)
    out.combine({Block{Buffer::output, 0, 2, 1, t}},
                {local({{Buffer::output, 0}, {Buffer::input, 1}})});
}
Held runs_held(const Shape& s, Rank me, Int t, Int part) {
  if (t == 0) return held_sum(Buffer::input, part, num(me), num(me) + 1);
  return num(me) == s.root ? held_sum(Buffer::output, part, 0, s.p) : nothing_held();
}
"""

COUNTER_EXAMPLES = {
    "bucket": [
        # A fact that nobody has proved, without a lemma and with the name of another one.
        ("allgather/ring", *WRONG_BLOCK, *FALSE_FACT, COLLECTED,
         COLLECTED.replace("{collected}", "{collected, small, \"\"}")),
        ("allgather/ring", *WRONG_BLOCK, *FALSE_FACT, COLLECTED,
         COLLECTED.replace("{collected}",
                           "{collected, small, \"the distances of the circulant graph\"}")),
        # One rank in one round, where p is no power of two; and where p is 37.
        ("allgather/ring", "mod(me - 1 - t, p)}}, Rank{mod(me - 1, p)});\n  }",
         "mod(me - 1 - t + (t == 2 && me == p - 1 && bit_floor(p) != p ? 1 : 0), p)}}, "
         "Rank{mod(me - 1, p)});\n  }"),
        ("reduce_scatter/ring", "const Int next = mod(me - 2 - t, p);",
         "const Int next = p == 37 && t == 20 && me == 3 ? mod(me - 1 - t, p) "
         ": mod(me - 2 - t, p);"),
        # A copy comes one round late.
        ("allgather/ring", COPY,
         "if (t == (bit_floor(p) == p || p < 3 ? 0 : 1)) "
         "out.copy({{Buffer::output, me}}, {{Buffer::input, 0}});"),
        # C++ rounds the shift of a negative number down.
        ("allgather/ring", COPY,
         "const Int mine = ((2 * me - 1) >> 1) + (me == 0 ? 0 : 1);\n"
         "  if (t == 0) out.copy({{Buffer::output, mine}}, {{Buffer::input, 0}});"),
        # A message to nobody.
        ("allgather/ring", "Rank{mod(me + 1, p)});\n    out.receive",
         "Ranks{mod(me + 1, p), 1, 1, mod(me + 1, p)});\n    out.receive"),
        # It serves no number of ranks, so nothing is wrong with it.
        ("allgather/ring",
         "any_shape,\n                   Operators::any, Parameter::none, \"bucket "
         "bucket_collect\"",
         "[](const Shape& s) { return bool(s.p < 0); }, Operators::any, Parameter::none, "
         "\"bucket bucket_collect\""),
        # Output is said to be larger than in any call.
        ("allgather/ring", BUFFERS[0], BUFFERS[1].replace("EDIT", "++b.output")),
        # It reads settings that it does not name: with three branches, five rings or two factors,
        # rank 0 gets a second block, or output is too large.
        ("allgather/ring", COPY, COPY + "\n  if (s.branches >= 3 && t == 0) " + SECOND_COPY),
        ("allgather/ring", COPY, COPY + "\n  if (s.factors.size() > 1 && t == 0) " + SECOND_COPY),
        ("allgather/ring", BUFFERS[0], BUFFERS[1].replace("EDIT", "if (s.rings > 4) ++b.output")),
        # With one rank there is no copy: C++ finds no power of two in 0, and its int ends below
        # 2^40. C++ gives no meaning to a shift by -1.
        ("allgather/ring", COPY, "if (p > 1 || bit_floor(p - 1) != 0) " + COPY),
        ("allgather/ring", COPY, "if (p > 1 || Int(1 << 20) * Int(1 << 20) != 0) " + COPY),
        ("allgather/ring", COPY, "if (p > 1 || (1 << (ceil_log2(p) - 1)) != 0) " + COPY),
        # C++'s int ends below the power of two that is at least p + p / 2 where p is near 2^30.
        ("allgather/ring", COPY,
         COPY.replace("t == 0", "t == 0 && (p == 1 || ceil_log2(p + p / 2) >= 1)")),
    ],
    "compositions": [
        # The parts add in any order, and the whole denies it.
        ("reduce/circulant_gather", "\"circulant_gather\", Operation::reduce, "
         "Operators::commutative", "\"circulant_gather\", Operation::reduce, Operators::any"),
        # The second part adds the results of the first.
        ("allreduce/ring", "compose<reduce_scatter_ring, allgather_ring>(\n",
         "compose<allreduce_direct, allreduce_direct>(\n"),
    ],
    "barrier": [
        ("barrier/direct", "without_data<allreduce_direct>", "without_data<broadcast_mst>"),
    ],
    "direct": [
        ("reduce/fully_connected", *ORDER_OF_THE_FIRST_LOOP),
        ("reduce/fully_connected", "Int one_round(const Shape&)",
         RUNS_OF_A_ROUND + "Int one_round(const Shape&)",
         "one_round, input_and_output, reduce_emit,\n                    any_shape, "
         "Operators::any, Parameter::none, \"linear flat\"},\n                   {reduce_held}",
         "two_rounds, two_parts, runs_emit,\n                    any_shape, Operators::any, "
         "Parameter::none, \"linear flat\"},\n                   {runs_held}"),
        ("reduce/fully_connected", "Int one_round(const Shape&)",
         SUM_SENT_TWICE + "Int one_round(const Shape&)",
         "one_round, input_and_output, reduce_emit,\n                    any_shape, "
         "Operators::any, Parameter::none, \"linear flat\"},\n                   {reduce_held}",
         "two_rounds, one_scratch, twice_emit,\n                    four, Operators::commutative, "
         "Parameter::none, \"linear flat\"},\n                   {twice_held}"),
        ("allreduce/direct", "void direct_emit(Round& out, const Shape& s, Rank me, Int) {\n",
         OPERANDS_OF_A_LOOP, "Operation::allreduce, one_round, input_and_output,\n",
         "Operation::allreduce, two_rounds, input_and_output,\n"),
    ],
    "mst": [
        # The last rank is forgotten, in the invariant, too.
        ("broadcast/mst", "const auto halving = halving_of(s, me, t, folded_half);",
         "const auto halving = halving_of_round(s.p - 1, s.root, num(me), t, folded_half);",
         "interval_of_round(s.p, s.root, num(me), t, folded_half);",
         "interval_of_round(s.p - 1, s.root, num(me), t, folded_half);"),
    ],
    "ring": [
        # The invariant is right for the default of its parameter only.
        ("broadcast/multiring", "constexpr Generator multi{\"multiring\"",
         "constexpr Generator multi = with_invariant({\"multiring\"",
         "Operators::any,       Parameter::rings};\nconstexpr Generator split",
         "Operators::any,       Parameter::rings}, {passed_up});\nconstexpr Generator split"),
        # It denies that it has a parameter.
        ("broadcast/multiring", "constexpr Generator multi{\"multiring\"",
         "constexpr Generator multi = with_invariant({\"multiring\"",
         "Operators::any,       Parameter::rings};\nconstexpr Generator split",
         "Operators::any,       Parameter::none}, {passed_up});\nconstexpr Generator split"),
    ],
}
