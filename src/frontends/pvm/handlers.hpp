// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program that get certain messages before anybody can receive them (pvm_addmhf).
#pragma once

#include <vector>

#include "buffer.hpp"

namespace tutti::pvm {

class Handlers {
 public:
  using Function = int (*)(int buffer);

  // -1 for tid, tag or context fits all. Returns the handler's number, or PvmExists.
  int add(int tid, int tag, int context, Function function);
  // PvmOk or PvmNotFound.
  int remove(int number);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  // Gives the message to the handler it fits, if there is one; the buffer is gone then.
  [[nodiscard]] bool take(MessageBuffers& buffers, int number) const;

 private:
  struct Handler {
    int number, tid, tag, context;
    Function function;
  };

  std::vector<Handler> all_;
  int next_ = 0;
};

}  // namespace tutti::pvm
