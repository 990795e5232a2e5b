// SPDX-License-Identifier: BSD-3-Clause
// Operators with location (the BLACS' amx and amn) around the rounds of a plan. Values become wire
// elements that carry the distance of their rank, the rounds combine these, and the winners become
// values and ranks again. Plans use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tuning.hpp"
#include "engine/arguments.hpp"
#include "engine/run.hpp"

namespace tutti::engine {

class Maxloc {
 public:
  Maxloc(const Caller& caller, const base::Tuning& tuning) : caller_(caller), tuning_(&tuning) {}

  // Carries out the call by runs of the plan. All ranks cut a long vector into the same parts,
  // whose messages arrive in order.
  void run(Run& run, std::uint32_t number, const Arguments& arguments);
  void release() { std::vector<std::byte>().swap(wire_); }

 private:
  // Elements [first, first + count) of a call.
  struct Part {
    const Arguments& arguments;
    std::int64_t first, count;
  };
  void collect(const Part& part);
  void deliver(const Part& whole);
  void deliver_values(const Part& part, std::int64_t of_wire) const;
  void deliver_ranks(const Part& part, std::int64_t of_wire) const;
  void distances_to_ranks(std::int32_t* ranks, std::int64_t count, int root) const;

  Caller caller_;
  const base::Tuning* tuning_;
  std::vector<std::byte> wire_;  // wire elements of one part
};

}  // namespace tutti::engine
