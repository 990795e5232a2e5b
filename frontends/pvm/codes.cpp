// SPDX-License-Identifier: BSD-3-Clause
// PVM's error codes for the statuses of the runtime, and the sizes of PVM's data types. Both group
// libraries and the message library use them.
#include <tutti-pvm/pvm3.h>

#include "core.hpp"

namespace {

// Tasks that have died are named by the message of the error itself.
void keep_reason() {
  tutti_error_subject subject{};
  subject.struct_size = sizeof subject;
  tutti_error_about(&subject);
  tutti_pvm_keep_reason(subject.departed < 0 ? tutti_error_text() : "");
}

}  // namespace

extern "C" {

int tutti_pvm_code(tutti_status status) {
  switch (status) {
    case TUTTI_OK:
      return PvmOk;
    case TUTTI_OUT_OF_MEMORY:
      return PvmNoMem;
    case TUTTI_NO_SLOT:
      return PvmOutOfRes;
    case TUTTI_INVALID_ARGUMENT:
      return PvmBadParam;
    case TUTTI_MISMATCH:
      return PvmMismatch;
    default:
      keep_reason();
      return PvmSysErr;
  }
}

int tutti_pvm_bytes_of(int type) {
  constexpr int bytes[] = {1, 1, 2, 4, 4, 8, 8, 16, 8, 2, 4, 8};
  return type < PVM_STR || type > PVM_ULONG ? 0 : bytes[type];
}

}  // extern "C"
