// SPDX-License-Identifier: BSD-3-Clause
// The bound calls that a group keeps: some places for each operation, where a call is found by its
// signature. Calls that take turns have a place each, as long as there are places.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <vector>

#include "engine/bound_call.hpp"

namespace tutti::engine {

class BoundCalls {
 public:
  explicit BoundCalls(const base::Tuning& tuning)
      : first_places_(std::bit_floor(static_cast<std::uint64_t>(tuning.calls_kept))) {}

  // Returns the bound call that this call repeats; nullptr if there is none. Always
  // inlined as BoundCall::repeats() is.
  [[nodiscard, gnu::always_inline]] BoundCall* find(schedule::Operation operation,
                                                    const Signature& call) const {
    const std::vector<Place>& places = of_operation_[static_cast<std::size_t>(operation)];
    if (places.empty()) return nullptr;
    const std::uint64_t hash = call.hash();
    for (std::uint64_t i = 0; i < places.size(); ++i) {
      const Place& place = places[at(places, hash, i)];
      if (place.hash == hash && place.call != nullptr && place.call->repeats(call))
        return place.call.get();
    }
    return nullptr;
  }
  // Returns true if each place of this operation has a call.
  [[nodiscard]] bool is_full(schedule::Operation operation) const;
  // Returns a bound call of the plan that is not in use, out of its place; nullptr if there is
  // none.
  [[nodiscard]] std::unique_ptr<BoundCall> take(const Plan& plan, Mode mode, std::uint64_t hash);
  // Puts the call into a place: a free one, or that of another call of a plan that has several.
  void put(std::unique_ptr<BoundCall> call, std::uint64_t hash);
  // Ends a call that an error has stopped in the middle of its run.
  void end(const BoundCall& call);
  // Frees the memory that calls keep from one run to the next.
  void release();

 private:
  struct Place {
    std::uint64_t hash = 0;
    std::unique_ptr<BoundCall> call;
  };
  // Returns the number of a place: that of the hash first, then those behind it.
  [[nodiscard]] static std::size_t at(const std::vector<Place>& places, std::uint64_t hash,
                                      std::uint64_t distance) {
    return static_cast<std::size_t>(((hash >> upper_half) + distance) & (places.size() - 1));
  }
  [[nodiscard]] static bool may_end(const std::vector<Place>& places, const BoundCall& one);
  static constexpr int upper_half = 32;

  std::uint64_t first_places_;  // of each operation; a power of two, as all numbers of places
  // Made at the first call: a program may have many thousand groups of which it uses few.
  std::array<std::vector<Place>, schedule::operation_kinds> of_operation_;
};

}  // namespace tutti::engine
