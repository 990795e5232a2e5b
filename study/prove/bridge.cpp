// SPDX-License-Identifier: BSD-3-Clause
#include "bridge.hpp"

#include <iostream>

#include "path.hpp"
#include "round_hash.hpp"

namespace tutti::prove {
namespace {

using schedule::Generator;
using schedule::Rank;
using schedule::Round;
using schedule::Shape;

void compare_round(const Round& round) {
  const auto compare = [](const schedule::Blocks& blocks) {
    for (const schedule::Block& block : blocks)
      for (const Int& number : {block.first, block.count, block.stride, block.times})
        path().compare(number);
  };
  for (const schedule::Op& op : round.ops) {
    compare(op.blocks);
    path().compare(op.to.first);
    path().compare(op.to.count);
    for (const schedule::Operand& operand : op.operands) {
      path().compare(num(operand.from));
      compare(operand.local);
    }
  }
}

Int number_of(const std::function<Int()>& expression) {
  Int result;
  static_cast<void>(explore_numbers([&] { result = expression(); }));
  return result;
}

// Runs emit for one rank and round on unknowns with these numbers.
Report one_round(const Generator& generator, int p, int root, int rank, int t, Round& out) {
  return explore_numbers([&] {
    Shape shape;
    shape.p = path().unknown("p", p);
    shape.root = path().unknown("root", root);
    generator.emit(out, shape, Rank{path().unknown("rank", rank)}, path().unknown("round", t));
    compare_round(out);
  });
}

bool applies(const Generator& generator, int p) {
  Shape shape;
  shape.p = p;
  return generator.applies(shape);
}

// Adds the rounds of all ranks and roots for p to the hash. Returns why they are not all there, or
// an empty text.
template <class Hash>
std::string add_rounds(const Generator& generator, int p, Hash& hash) {
  Shape shape;
  shape.p = p;
  const auto rounds = number_of([&] { return generator.rounds(shape); }).number();
  for (const int root : compared_roots(p, has_root(generator.operation))) {
    for (int rank = 0; rank < p; ++rank) {
      for (int t = 0; t < rounds; ++t) {
        Round round;
        const Report report = one_round(generator, p, root, rank, t, round);
        if (!report.unsupported.empty()) return "MISSING: " + report.unsupported;
        if (!report.differences.empty()) return "DIFFERS: " + report.differences.front();
        if (!report.open.empty()) return "DIFFERS: " + report.open.front().obligation;
        hash.add(round);
      }
    }
  }
  return {};
}

std::int64_t number(const Int& a) {
  return a.number();
}

// Returns the hash of the same rounds on numbers, which is much faster than on unknowns.
std::uint64_t hash_of_numbers(const Generator& generator, int p) {
  RoundHash hash(number);
  Shape shape;
  shape.p = p;
  for (int root = 0; root < (has_root(generator.operation) ? p : 1); ++root) {
    shape.root = root;
    for (int rank = 0; rank < p; ++rank) {
      for (Int t = 0; t < generator.rounds(shape); ++t) {
        Round round;
        generator.emit(round, shape, Rank{rank}, t);
        hash.add(round);
      }
    }
  }
  return hash.value();
}

}  // namespace

void print_bridge(const Generator& generator, const std::string& name, int most) {
  for (const int p : compared_ranks(most)) {
    if (!applies(generator, p)) continue;
    RoundHash hash(number);
    if (const std::string problem = add_rounds(generator, p, hash); !problem.empty()) {
      std::cout << problem << " for " << name << ' ' << p << '\n';
      return;
    }
    std::cout << name << ' ' << p << ' ' << std::hex << hash.value() << std::dec << '\n';
  }
}

bool emit_the_same(const Generator& a, const Generator& b, int most) {
  bool same = true;
  const Report report = explore_numbers([&] {
    for (int p = 1; p <= most && same; ++p)
      same = !applies(a, p) || hash_of_numbers(a, p) == hash_of_numbers(b, p);
  });
  return same && report.proved();
}

}  // namespace tutti::prove
