// SPDX-License-Identifier: BSD-3-Clause
// Gives calls their places.
#include "engine/bound_calls.hpp"

#include <algorithm>

namespace tutti::engine {

bool BoundCalls::is_full(schedule::Operation operation) const {
  const std::vector<Place>& places = of_operation_[static_cast<std::size_t>(operation)];
  return !places.empty() &&
         std::ranges::all_of(places, [](const Place& place) { return place.call != nullptr; });
}

// One that is not known again under another signature is taken first.
std::unique_ptr<BoundCall> BoundCalls::take(const Plan& plan, Mode mode, std::uint64_t hash) {
  Place* found = nullptr;
  for (Place& place : of_operation_[static_cast<std::size_t>(plan.operation())]) {
    const bool suits = place.call != nullptr && &place.call->plan() == &plan &&
                       place.call->mode() == mode && !place.call->in_use();
    if (suits && (found == nullptr || place.hash == hash)) found = &place;
  }
  return found == nullptr ? nullptr : std::move(found->call);
}

void BoundCalls::put(std::unique_ptr<BoundCall> call, std::uint64_t hash) {
  std::vector<Place>& places = of_operation_[static_cast<std::size_t>(call->plan().operation())];
  if (places.empty()) places.resize(first_places_);
  Place* place = nullptr;
  for (const bool free_ones : {true, false}) {
    for (std::uint64_t i = 0; place == nullptr && i < places.size(); ++i) {
      Place& next = places[at(places, hash, i)];
      if (free_ones ? next.call == nullptr : may_end(places, *next.call)) place = &next;
    }
  }
  if (place == nullptr) {
    places.resize(2 * places.size());
    place = &places.back();
  }
  *place = {hash, std::move(call)};
}

// A plan keeps one bound call, so that a program that has made all its kinds of calls once
// allocates nothing any more.
bool BoundCalls::may_end(const std::vector<Place>& places, const BoundCall& one) {
  const auto of_its_plan = std::ranges::count_if(places, [&](const Place& place) {
    return place.call != nullptr && &place.call->plan() == &one.plan() &&
           place.call->mode() == one.mode();
  });
  return of_its_plan > 1 && !one.in_use();
}

void BoundCalls::end(const BoundCall& call) {
  for (Place& place : of_operation_[static_cast<std::size_t>(call.plan().operation())]) {
    if (place.call.get() == &call) place = {};
  }
}

void BoundCalls::release() {
  for (const std::vector<Place>& places : of_operation_) {
    for (const Place& place : places)
      if (place.call != nullptr && !place.call->in_use()) place.call->release();
  }
}

}  // namespace tutti::engine
