// SPDX-License-Identifier: BSD-3-Clause
// Handles that the C interface gives to users: an index and a generation. The generation tells a
// freed object from the one that now has its index.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tutti::job {

template <class T>
class Handles {
 public:
  // Handles start at `first`, so that lower numbers are free for predefined objects.
  explicit Handles(std::uint32_t first = 1) : first_(first) {}

  std::uint64_t insert(T object) {
    if (free_.empty()) {
      slots_.push_back({.object = std::move(object), .generation = 1, .used = true});
      return handle(slots_.size() - 1);
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    slots_[index].object = std::move(object);
    slots_[index].used = true;
    return handle(index);
  }

  // Returns nullptr for a handle that was freed or never given out.
  [[nodiscard]] T* find(std::uint64_t id) {
    const std::uint64_t index = (id & 0xffffffffU) - first_;
    if (index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    return slot.used && slot.generation == id >> 32 ? &slot.object : nullptr;
  }

  bool erase(std::uint64_t id) {
    if (find(id) == nullptr) return false;
    const std::size_t index = static_cast<std::size_t>((id & 0xffffffffU) - first_);
    slots_[index].object = T{};
    slots_[index].used = false;
    ++slots_[index].generation;
    free_.push_back(index);
    return true;
  }

  template <class Visit>
  void for_each(const Visit& visit) {
    for (Slot& slot : slots_) {
      if (slot.used) visit(slot.object);
    }
  }

 private:
  struct Slot {
    T object;
    std::uint32_t generation;
    bool used;
  };
  [[nodiscard]] std::uint64_t handle(std::size_t index) const {
    return std::uint64_t{slots_[index].generation} << 32 | (index + first_);
  }

  std::uint32_t first_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
};

}  // namespace tutti::job
