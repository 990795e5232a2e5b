// SPDX-License-Identifier: BSD-3-Clause
// The registered memory of all processes (bsp_push_reg). Processes pair their registrations by
// order, so each pair has the same number, its slot, in every process. Registrations made and ended
// in a superstep change the table at its end, when all processes exchange their lists.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "delivery.hpp"

namespace tutti::bsp {

// Memory that another process has registered in a slot.
struct Remote {
  std::uint64_t size = 0;
  std::byte* window = nullptr;  // address in this process; nullptr: out of reach
  std::uint64_t address = 0;    // in the process that has registered it
};

// One entry of the list that a process sends: a registration that begins or ends.
struct Change {
  std::int64_t is_pop = 0;
  std::int64_t size = 0;    // size of the memory, if a registration begins
  std::int64_t number = 0;  // number of the registration that ends, from 1; 0: that of NULL
  std::int64_t window = 0;  // name of its window; 0: none
  std::int64_t address = 0;
};

class Registry {
 public:
  explicit Registry(const Peers& peers) : peers_(&peers) {}

  void push(const void* address, std::size_t size);
  // Returns false and changes nothing if the address is not registered.
  [[nodiscard]] bool pop(const void* address);

  // Tells whether an address has a registration that does not end in this superstep.
  [[nodiscard]] bool is_kept(const void* address) const { return newest(address).has_value(); }

  // Returns the slot of the newest registration in force, or no_slot. A std::optional would be
  // slower: the compiler writes it in two parts and reads them as one, so the processor waits until
  // both have left its store buffer.
  static constexpr std::uint32_t no_slot = UINT32_MAX;
  [[nodiscard]] std::uint32_t find(const void* address) {
    const Known& known = known_[line_of(address)];
    if (known.address == address && known.slot != no_slot) [[likely]]
      return known.slot;
    return look_up(address);
  }
  [[nodiscard]] const Remote& remote(std::uint32_t slot, int pid) const {
    return remotes_[slot * peers_->count() + static_cast<std::size_t>(pid)];
  }
  [[nodiscard]] std::byte* address(std::uint32_t slot) const { return slots_[slot].address; }

  [[nodiscard]] std::span<const Change> changes() const { return changes_; }
  // Applies the lists of all processes, one after the other. Returns what is wrong with them, if
  // anything. Where all processes deregister NULL, each takes its newest registration of NULL, and
  // ended_nulls() then has the numbers of these.
  [[nodiscard]] std::optional<std::string> apply(std::span<const Change> all);
  [[nodiscard]] const std::vector<std::int64_t>& ended_nulls() const { return ended_nulls_; }

 private:
  struct Slot {
    std::byte* address = nullptr;
    std::uint64_t size = 0;
    std::int64_t number = 0;  // 0: free
    bool ending = false;      // deregistered in this superstep
  };
  struct Known {
    const void* address = nullptr;
    std::uint32_t slot = no_slot;
  };
  static std::size_t line_of(const void* address) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    return (number >> 3 ^ number >> 9) % known_lines;
  }
  static constexpr std::size_t known_lines = 64;

  std::uint32_t look_up(const void* address);
  [[nodiscard]] std::optional<std::int64_t> newest(const void* address) const;
  [[nodiscard]] std::optional<std::string> add(std::span<const Change> all, std::size_t k);
  [[nodiscard]] std::optional<std::string> remove(std::span<const Change> all, std::size_t k);
  std::uint32_t take_slot();

  const Peers* peers_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<Remote> remotes_;                                             // [slot][process]
  std::unordered_map<const void*, std::vector<std::uint32_t>> by_address_;  // slots, oldest first
  std::unordered_map<std::int64_t, std::uint32_t> by_number_;
  std::array<Known, known_lines> known_{};
  std::int64_t pushed_ = 0;  // registrations so far, in force or ended
  std::vector<Change> changes_;
  std::vector<const void*> pending_;  // addresses of all registrations in changes_, ended or not
  std::vector<bool> pending_ended_;
  std::vector<std::int64_t> ended_nulls_;
};

}  // namespace tutti::bsp
