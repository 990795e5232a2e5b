// SPDX-License-Identifier: BSD-3-Clause
// A list of numbers that the pvmd keeps under a name (the message mailbox of PVM 3.4), and a lock
// beside it. After every call the active buffers of the program are as before.
#pragma once

#include <tutti-pvm/pvm3.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::pvm {

// While an object of this class lives, libpvm serves the group library: errors are not printed.
// Afterwards pvm_errno and the active buffers are what they were before.
class Borrowed {
 public:
  Borrowed()
      : reaction_(pvm_setopt(PvmAutoErr, 0)),
        error_(pvm_errno),
        sending_(pvm_setsbuf(0)),
        receiving_(pvm_setrbuf(0)) {}
  ~Borrowed() {
    pvm_freebuf(pvm_setsbuf(sending_));
    pvm_freebuf(pvm_setrbuf(receiving_));
    pvm_errno = error_;
    pvm_setopt(PvmAutoErr, reaction_);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  int reaction_, error_, sending_, receiving_;
};

// All calls throw std::runtime_error if the pvmd cannot be reached.
class Entry {
 public:
  explicit Entry(std::string_view name);

  // Returns nullopt if there is no entry.
  [[nodiscard]] std::optional<std::vector<int>> read() const;
  // Replaces the entry in one step.
  void write(const std::vector<int>& words) const;
  void erase() const;

  // A lock that one task holds at a time. It is a mailbox entry that belongs to its writer, so the
  // pvmd removes it when that task ends. A task that waits for the lock asks `needless` (if given)
  // after each try, and gives up if it returns true.
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
