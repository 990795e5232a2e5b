// SPDX-License-Identifier: BSD-3-Clause
// The three allreduces of MPICH that the VSS challenge asks to verify (Zhou, Latham, Raffenetti and
// others, arXiv 2510.13413, 2025): which rank sends which part to whom, and in which order sums are
// made. They were written down from MPICH's descriptions and its order of calls.
//
//   c++ -std=c++20 -shared -fPIC mpich_allreduce.cpp -o mpich.so $(pkg-config --cflags tutti)
//   TUTTI_GENERATORS=./mpich.so tutti verify allreduce --algorithm mpich_recursive_doubling
#include <bit>
#include <string>
#include <tutti/tutti_generator.hpp>

namespace {

using tutti::Blocks;
using tutti::from;
using tutti::output;
using tutti::Summand;
using Shape = tutti_schedule_shape;
using Round = tutti::ScheduleRound;

int whole_power(int base, int p) {
  int power = 1;
  while (power * base <= p) power *= base;
  return power;
}

// Ranks in excess of a power of two: of the first 2 * rem ranks, the even ones give their vector to
// the next rank and get the result in the end. The others have new numbers, 0 to pof2 - 1.
struct PowerOfTwo {
  int p, pof2, rem, steps;
  explicit PowerOfTwo(int ranks)
      : p(ranks),
        pof2(whole_power(2, ranks)),
        rem(ranks - pof2),
        steps(std::countr_zero(static_cast<unsigned>(pof2))) {}
  [[nodiscard]] bool gives(int rank) const { return rank < 2 * rem && rank % 2 == 0; }
  [[nodiscard]] bool takes(int rank) const { return rank < 2 * rem && rank % 2 == 1; }
  [[nodiscard]] int number(int rank) const { return rank < 2 * rem ? rank / 2 : rank - rem; }
  [[nodiscard]] int rank(int number) const { return number < rem ? 2 * number + 1 : number + rem; }
};

// The common beginning and end: round 0 copies the input, round 1 lets the ranks in excess give
// their vectors, and the last round gives them the result.
class OnPowerOfTwo : public tutti::Generator {
 public:
  int rounds(const Shape& shape) const override {
    const PowerOfTwo ranks(shape.p);
    return 1 + steps(ranks) + (ranks.rem > 0 ? 2 : 0);
  }
  int parts(const Shape& /*shape*/) const override { return 1; }
  void emit(Round& out, const Shape& shape, int me, int t) const override {
    const PowerOfTwo ranks(shape.p);
    const Blocks whole = output(0, parts(shape));
    if (t == 0) return out.copy(whole, tutti::input(0, parts(shape)));
    const int excess = ranks.rem > 0 ? 1 : 0;
    if (t == excess) {
      if (ranks.gives(me)) out.send(whole, me + 1);
      if (ranks.takes(me)) out.receive_combine(whole, {from(me - 1), whole});
    } else if (t <= steps(ranks) + excess) {
      if (!ranks.gives(me)) step(out, ranks, me, t - 1 - excess);
    } else {
      if (ranks.takes(me)) out.send(whole, me - 1);
      if (ranks.gives(me)) out.receive(whole, me + 1);
    }
  }

 private:
  [[nodiscard]] virtual int steps(const PowerOfTwo& ranks) const = 0;
  virtual void step(Round& out, const PowerOfTwo& ranks, int me, int i) const = 0;
};

// In step i, ranks whose numbers differ in bit i exchange their vectors and add, lower rank first.
class RecursiveDoubling : public OnPowerOfTwo {
  [[nodiscard]] int steps(const PowerOfTwo& ranks) const override { return ranks.steps; }
  void step(Round& out, const PowerOfTwo& ranks, int me, int i) const override {
    const int other = ranks.rank(ranks.number(me) ^ (1 << i));
    out.send(output(0), other);
    if (other < me)
      out.receive_combine(output(0), {from(other), output(0)});
    else
      out.receive_combine(output(0), {output(0), from(other)});
  }
};

// First, each step halves the part of the vector that a rank goes on with: it gets its half from
// the other rank, and gives that one the other half. Then the steps are undone, and halves of the
// result are exchanged.
class ReduceScatterAllgather : public OnPowerOfTwo {
  struct Part {
    int first, count;
  };
  int parts(const Shape& shape) const override { return PowerOfTwo(shape.p).pof2; }
  [[nodiscard]] int steps(const PowerOfTwo& ranks) const override { return 2 * ranks.steps; }

  // Returns the part with which the rank of this number goes on after so many halvings.
  static Part kept(const PowerOfTwo& ranks, int number, int halvings) {
    Part part{0, ranks.pof2};
    for (int i = 0; i < halvings; ++i) {
      part.count /= 2;
      if ((number & (1 << i)) != 0) part.first += part.count;
    }
    return part;
  }
  static Blocks blocks(const Part& part) { return output(part.first, part.count); }

  void step(Round& out, const PowerOfTwo& ranks, int me, int i) const override {
    const bool scatters = i < ranks.steps;
    const int bit = scatters ? i : 2 * ranks.steps - 1 - i;
    const int mine = ranks.number(me), theirs = mine ^ (1 << bit);
    const Blocks own = blocks(kept(ranks, mine, bit + 1)),
                 others = blocks(kept(ranks, theirs, bit + 1));
    out.send(scatters ? others : own, ranks.rank(theirs));
    if (scatters)
      out.receive_combine(own, {from(ranks.rank(theirs)), own});
    else
      out.receive(others, ranks.rank(theirs));
  }
};

// Ranks above the largest power of k give their vectors to lower ones. Then, groups of k ranks
// exchange all their vectors, at distances 1, k, k^2, ..., and each adds them in the order of
// ranks.
class RecursiveMultiplying : public tutti::Generator {
 public:
  explicit RecursiveMultiplying(int k) : k_(k) {}

  int rounds(const Shape& shape) const override {
    const int power = whole_power(k_, shape.p);
    int steps = 0;
    for (int distance = 1; distance < power; distance *= k_) ++steps;
    return 1 + steps + (power < shape.p ? 2 : 0);
  }
  int scratch(const Shape& /*shape*/) const override { return k_ - 1; }
  void emit(Round& out, const Shape& shape, int me, int t) const override {
    const int p = shape.p, power = whole_power(k_, p), excess = power < p ? 1 : 0;
    if (t == 0) return out.copy(output(0), tutti::input(0));
    if (excess == 1 && t == 1) return collapse(out, p, power, me);
    if (excess == 1 && t == rounds(shape) - 1) return disperse(out, p, power, me);
    int distance = 1;
    for (int i = 1 + excess; i < t; ++i) distance *= k_;
    if (me < power) exchange(out, me, distance);
  }

 private:
  // Receives a vector into a buffer of its own, as MPICH does: sums are made when all have come.
  static void take(Round& out, std::vector<Summand>& sum, int other) {
    int free = 0;
    for (const Summand& summand : sum) free += summand.given().blocks->buffer == TUTTI_SCRATCH;
    out.receive(tutti::scratch(free), other);
    sum.emplace_back(tutti::scratch(free));
  }
  static void collapse(Round& out, int p, int power, int me) {
    if (me >= power) return out.send(output(0), me % power);
    std::vector<Summand> sum;
    for (int other = me + power; other < p; other += power) take(out, sum, other);
    if (sum.empty()) return;
    sum.emplace_back(output(0));
    out.combine(output(0), sum);
  }
  static void disperse(Round& out, int p, int power, int me) {
    if (me >= power) return out.receive(output(0), me % power);
    for (int other = me + power; other < p; other += power) out.send(output(0), other);
  }
  void exchange(Round& out, int me, int distance) const {
    const int next = distance * k_, first = me / next * next + me % distance;
    std::vector<Summand> sum;
    for (int other = first; other < first + next; other += distance) {
      if (other == me) {
        sum.emplace_back(output(0));
      } else {
        out.send(output(0), other);
        take(out, sum, other);
      }
    }
    out.combine(output(0), sum);
  }
  int k_;
};

constexpr const char* source = "MPICH 4.3, arXiv 2510.13413";

}  // namespace

void tutti_generators(tutti_registrar* registrar) {
  static RecursiveDoubling doubling;
  static ReduceScatterAllgather scatter;
  static RecursiveMultiplying two(2), three(3), four(4), eight(8);
  tutti::add(registrar, doubling,
             {.name = "mpich_recursive_doubling",
              .operation = TUTTI_OP_ALLREDUCE,
              .about = "ranks whose numbers differ in one bit exchange vectors and add",
              .source = source});
  tutti::add(registrar, scatter,
             {.name = "mpich_reduce_scatter_allgather",
              .operation = TUTTI_OP_ALLREDUCE,
              .about = "halves of the vector are added step by step, and collected on the way back",
              .source = source,
              .flags = TUTTI_COMMUTATIVE_ONLY});
  for (auto& [name, generator] : std::initializer_list<std::pair<const char*, tutti::Generator&>>{
           {"mpich_recursive_multiplying_2", two},
           {"mpich_recursive_multiplying_3", three},
           {"mpich_recursive_multiplying_4", four},
           {"mpich_recursive_multiplying_8", eight}})
    tutti::add(
        registrar, generator,
        {.name = name,
         .operation = TUTTI_OP_ALLREDUCE,
         .about = "groups of k ranks exchange all their vectors, at distances 1, k, k^2, ...",
         .source = source,
         .flags = TUTTI_COMMUTATIVE_ONLY});
}
