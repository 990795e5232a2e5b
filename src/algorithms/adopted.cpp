// SPDX-License-Identifier: BSD-3-Clause
// Keeps the sources of adopted generators, and the functions of each slot.
#include "algorithms/adopted.hpp"

#include <array>
#include <mutex>
#include <utility>

#include "base/error.hpp"

namespace tutti::algorithms {
namespace {

using schedule::Buffers;
using schedule::Generator;
using schedule::Rank;
using schedule::Round;
using schedule::Shape;

constexpr std::size_t most = most_adopted;

struct Slot {
  std::string name;
  std::unique_ptr<Source> source;
  Generator generator;
};

struct Slots {
  std::mutex mutex;
  std::array<Slot, most> all;
  std::size_t used = 0;
};

Slots& slots() {
  static Slots kept;
  return kept;
}

template <std::size_t i>
struct Functions {
  static const Source& source() { return *slots().all[i].source; }
  static int rounds(const Shape& s) { return source().rounds(s); }
  static Buffers buffers(const Shape& s) { return source().buffers(s); }
  static void emit(Round& out, const Shape& s, Rank me, int t) { source().emit(out, s, me, t); }
  static bool applies(const Shape& s) { return source().applies(s); }
  static constexpr Generator generator() {
    return {"",      schedule::Operation::barrier, rounds, buffers, emit,
            applies, schedule::Operators::any};
  }
};

template <std::size_t... i>
constexpr std::array<Generator, most> generators_of(std::index_sequence<i...> /*slots*/) {
  return {Functions<i>::generator()...};
}
constexpr std::array<Generator, most> of_slots = generators_of(std::make_index_sequence<most>());

}  // namespace

const Generator& adopt(Adopted about, std::unique_ptr<Source> source) {
  Slots& kept = slots();
  const std::lock_guard lock(kept.mutex);
  if (kept.used == most)
    base::fail(base::Status::invalid_argument,
               "a program can use at most {} algorithms that are not built in", most);
  Slot& slot = kept.all[kept.used];
  slot.name = std::move(about.name);
  slot.source = std::move(source);
  slot.generator = of_slots[kept.used];
  slot.generator.name = slot.name.c_str();
  slot.generator.operation = about.operation;
  slot.generator.operators = about.operators;
  slot.generator.in_place = about.in_place;
  ++kept.used;
  return slot.generator;
}

const Source* source_of(const Generator& generator) {
  Slots& kept = slots();
  const std::lock_guard lock(kept.mutex);
  for (std::size_t i = 0; i < kept.used; ++i)
    if (&kept.all[i].generator == &generator) return kept.all[i].source.get();
  return nullptr;
}

bool is_candidate(const Generator& generator) {
  const Source* source = source_of(generator);
  return source == nullptr || source->candidate();
}

const Generator* adopted(schedule::Operation operation, const std::string& name) {
  Slots& kept = slots();
  const std::lock_guard lock(kept.mutex);
  for (std::size_t i = 0; i < kept.used; ++i) {
    const Slot& slot = kept.all[i];
    if (slot.generator.operation == operation && slot.name == name) return &slot.generator;
  }
  return nullptr;
}

}  // namespace tutti::algorithms
