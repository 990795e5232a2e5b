// SPDX-License-Identifier: BSD-3-Clause
// Saves and restores the state of libpvm around calls that the group library makes.
#pragma once

#include <tutti-pvm/pvm3.h>

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

}  // namespace tutti::pvm
