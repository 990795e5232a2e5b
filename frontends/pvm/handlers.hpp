// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program that receive certain messages before the program can receive them
// (pvm_addmhf). The inbox calls them.
#pragma once

#include <vector>

#include "buffer.hpp"

namespace tutti::pvm {

class Handlers {
 public:
  using Function = int (*)(int buffer);

  // Returns the handler's number, or PvmExists. A tid, tag or context of -1 matches all.
  int add(int tid, int tag, int context, Function function);
  // Returns PvmOk or PvmNotFound.
  int remove(int number);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  // Gives the message to the handler that matches it and frees the buffer. Returns false if there
  // is no such handler.
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
