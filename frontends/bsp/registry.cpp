// SPDX-License-Identifier: BSD-3-Clause
// Builds the table of registrations from the lists of a superstep, equally in all processes
// (registry.hpp).
#include "registry.hpp"

#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>

namespace tutti::bsp {

void Registry::push(const void* address, std::size_t size) {
  const std::uint64_t window = peers_->reach_windows ? tutti_window_name(address) : 0;
  changes_.push_back({0, static_cast<std::int64_t>(size), 0, static_cast<std::int64_t>(window),
                      reinterpret_cast<std::int64_t>(address)});
  pending_.push_back(address);
  pending_ended_.push_back(false);
}

// Returns the number of the newest registration of an address that has not been deregistered.
std::optional<std::int64_t> Registry::newest(const void* address) const {
  for (std::size_t i = pending_.size(); i-- > 0;) {
    if (pending_[i] == address && !pending_ended_[i])
      return pushed_ + static_cast<std::int64_t>(i) + 1;
  }
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return std::nullopt;
  for (std::size_t i = found->second.size(); i-- > 0;) {
    const Slot& slot = slots_[found->second[i]];
    if (!slot.ending) return slot.number;
  }
  return std::nullopt;
}

bool Registry::pop(const void* address) {
  const auto number = newest(address);
  if (!number) return false;
  if (*number > pushed_) {
    pending_ended_[static_cast<std::size_t>(*number - pushed_ - 1)] = true;
  } else {
    slots_[by_number_.at(*number)].ending = true;
  }
  changes_.push_back({1, 0, address == nullptr ? 0 : *number, 0, 0});
  return true;
}

std::uint32_t Registry::look_up(const void* address) {
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return no_slot;
  known_[line_of(address)] = {address, found->second.back()};
  return found->second.back();
}

std::uint32_t Registry::take_slot() {
  if (!free_.empty()) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  slots_.emplace_back();
  remotes_.resize(slots_.size() * peers_->count());
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

std::optional<std::string> Registry::apply(std::span<const Change> all) {
  const std::size_t count = changes_.size();
  std::optional<std::string> wrong;
  ended_nulls_.clear();
  for (std::size_t k = 0; k < count && !wrong; ++k) {
    wrong = all[static_cast<std::size_t>(peers_->pid) * count + k].is_pop != 0 ? remove(all, k)
                                                                               : add(all, k);
  }
  for (Slot& slot : slots_) slot.ending = false;
  changes_.clear();
  pending_.clear();
  pending_ended_.clear();
  known_.fill({});
  return wrong;
}

std::optional<std::string> Registry::add(std::span<const Change> all, std::size_t k) {
  const std::size_t count = changes_.size();
  const std::uint32_t slot = take_slot();
  for (std::size_t other = 0; other < peers_->count(); ++other) {
    const Change& change = all[other * count + k];
    if (change.is_pop != 0) {
      return fmt::format(
          "process {} registers where process {} deregisters (number {} of this superstep)",
          peers_->pid, other, k + 1);
    }
    void* const window =
        tutti_window_address(peers_->endpoints[other], static_cast<std::uint64_t>(change.window));
    remotes_[slot * peers_->count() + other] = {static_cast<std::uint64_t>(change.size),
                                                static_cast<std::byte*>(window),
                                                static_cast<std::uint64_t>(change.address)};
  }
  const auto pushes_before =
      std::count_if(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(k),
                    [](const Change& change) { return change.is_pop == 0; });
  void* const address = const_cast<void*>(pending_[static_cast<std::size_t>(pushes_before)]);
  slots_[slot] = {static_cast<std::byte*>(address), static_cast<std::uint64_t>(changes_[k].size),
                  ++pushed_};
  by_number_[pushed_] = slot;
  by_address_[address].push_back(slot);
  return std::nullopt;
}

// A process that deregisters NULL may have registered it several times. The other processes tell
// which registration is meant.
std::optional<std::string> Registry::remove(std::span<const Change> all, std::size_t k) {
  const std::size_t count = changes_.size();
  std::int64_t number = 0;
  std::size_t who = 0;
  for (std::size_t other = 0; other < peers_->count(); ++other) {
    const Change& change = all[other * count + k];
    if (change.is_pop == 0) {
      return fmt::format(
          "process {} deregisters where process {} registers (number {} of this superstep)",
          peers_->pid, other, k + 1);
    }
    if (change.number == 0 || change.number == number) continue;
    if (number != 0) {
      return fmt::format(
          "processes {} and {} deregister memory that they registered as number {} and number {}",
          who, other, number, change.number);
    }
    number = change.number;
    who = other;
  }
  if (number == 0) {
    number = slots_[by_address_.at(nullptr).back()].number;
    ended_nulls_.push_back(number);
  }
  const auto found = by_number_.find(number);
  if (found == by_number_.end())
    return fmt::format("registration number {} has ended before", number);
  Slot& slot = slots_[found->second];
  if (changes_[k].number == 0 && slot.address != nullptr) {
    return fmt::format(
        "process {} deregisters NULL, process {} memory that was not registered as NULL there",
        peers_->pid, who);
  }
  auto& list = by_address_.at(slot.address);
  list.erase(std::find(list.begin(), list.end(), found->second));
  if (list.empty()) by_address_.erase(slot.address);
  slot = {};
  free_.push_back(found->second);
  by_number_.erase(found);
  return std::nullopt;
}

}  // namespace tutti::bsp
