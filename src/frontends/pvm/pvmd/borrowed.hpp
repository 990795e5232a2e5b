// SPDX-License-Identifier: BSD-3-Clause
// Calls of libpvm between those of the program.
#pragma once

#include <tutti-pvm/pvm3.h>

namespace tutti::pvm {

// While it lives, libpvm is this library's: an answer that is no error here is none for the
// program, and the buffers that were active are so again afterwards.
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
