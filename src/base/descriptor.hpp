// SPDX-License-Identifier: BSD-3-Clause
// File descriptors of tutti's own. A descriptor has an owner, which closes it, and is never one of
// 0, 1 and 2. A program may have closed these, and what it then reads or prints would meet a file
// or a socket of the library. Code that opens something gives the result to raised().
#pragma once

#include <unistd.h>

#include <utility>
#include <vector>

namespace tutti::base {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  void reset() noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

// Returns this descriptor if it is 3 or above, or else a copy that is, and closes the lower one.
// The copy closes on exec. Returns -1, with errno, for -1 or if there is no copy. It may be called
// between fork and exec.
[[nodiscard]] int raised(int number) noexcept;
// Raises both ends of a pipe or of a pair of sockets. If that fails, both are closed, and errno
// tells why.
[[nodiscard]] bool raise_both(int (&ends)[2]) noexcept;

// Makes a descriptor lead nowhere: to /dev/null, or, where that is missing, it is closed. May be
// called between fork and exec.
void let_go_of(int number) noexcept;

// Opens a file with a foreseeable name in a folder where other users may write, such as /tmp. A
// file that is made can be read and written by this user alone. Returns -1, with errno EACCES, if
// another user may have put there what is there: a file, a link, a queue, a folder. It never waits.
[[nodiscard]] int open_in_shared_folder(const char* path, int flags) noexcept;

// Closes all descriptors from 3 on but these; negative numbers stand for none.
void close_all_but(std::vector<int> kept);

// Opens those of 0, 1 and 2 that are closed, so that no file of this program gets such a number.
// Reads and writes of them still fail, as those of a closed one do: lost output is an error. The
// main functions of tutti's own programs call it first. A library does not.
void open_missing_stdio() noexcept;

}  // namespace tutti::base
