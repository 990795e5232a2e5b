// SPDX-License-Identifier: BSD-3-Clause
// The operations that ranks are in, by group and number. Messages of an operation carry its
// context, so that they meet no receives of another one.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace tutti::simulate {

// Marks the messages that belong to no operation.
constexpr std::uint32_t no_operation = 0;

struct Instance {
  std::pair<std::uint64_t, std::uint64_t> name;  // group and number
  std::uint32_t context = no_operation;
  int inside = 0;  // members that have not left it, also those that are still to come
};

class Instances {
 public:
  // Returns the operation of that name, for one of its members.
  Instance& enter(std::uint64_t group, std::uint64_t number, int members) {
    const std::pair name(group, number);
    if (last_ != nullptr && last_->name == name) return *last_;
    const auto [found, added] = all_.try_emplace(name);
    last_ = &found->second;
    if (added) {
      last_->name = name;
      last_->context = ++contexts_;
      last_->inside = members;
    }
    return *last_;
  }
  void leave(Instance& instance) {
    if (--instance.inside > 0) return;
    if (last_ == &instance) last_ = nullptr;
    all_.erase(std::pair(instance.name));
  }

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, Instance> all_;
  Instance* last_ = nullptr;
  std::uint32_t contexts_ = no_operation;
};

}  // namespace tutti::simulate
