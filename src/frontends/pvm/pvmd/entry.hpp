// SPDX-License-Identifier: BSD-3-Clause
// A list of numbers that the pvmd keeps under a name (the message mailbox of PVM 3.4), and a lock
// beside it. What the program has active in libpvm is as it was after every call.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::pvm {

// All throw std::runtime_error when the pvmd cannot be reached.
class Entry {
 public:
  explicit Entry(std::string_view name);

  // nullopt: there is none.
  [[nodiscard]] std::optional<std::vector<int>> read() const;
  // Takes the place of what was there, in one step.
  void write(const std::vector<int>& words) const;
  void erase() const;

  // One task at a time has it. It is a note that belongs to its writer, so the pvmd takes it away
  // when that task ends. Who has to wait for it gives up when `needless` (if there is one) says so;
  // it is asked after each try.
  class Lock {
   public:
    explicit Lock(const Entry& entry, const std::function<bool()>& needless = nullptr);
    ~Lock();
    [[nodiscard]] bool held() const { return held_; }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    const Entry* entry_;
    bool held_ = false;
  };

 private:
  std::string name_, lock_;
};

}  // namespace tutti::pvm
