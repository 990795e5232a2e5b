// SPDX-License-Identifier: BSD-3-Clause
// Registers and calls message handlers (handlers.hpp).
#include "handlers.hpp"

#include <tutti-pvm/pvm3.h>

#include <algorithm>

namespace tutti::pvm {

int Handlers::add(int tid, int tag, int context, Function function) {
  const auto same = [&](const Handler& one) {
    return one.tid == tid && one.tag == tag && one.context == context;
  };
  if (std::any_of(all_.begin(), all_.end(), same)) return PvmExists;
  all_.push_back({next_, tid, tag, context, function});
  return next_++;
}

int Handlers::remove(int number) {
  return std::erase_if(all_, [&](const Handler& one) { return one.number == number; }) > 0
             ? PvmOk
             : PvmNotFound;
}

bool Handlers::take(MessageBuffers& buffers, int number) const {
  const Origin origin = buffers.find(number)->origin;
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Handler& one) {
    return (one.tid == -1 || one.tid == origin.tid) && (one.tag == -1 || one.tag == origin.tag) &&
           (one.context == -1 || one.context == origin.context);
  });
  if (found == all_.end()) return false;
  const int sending = buffers.set_sending(0), receiving = buffers.set_receiving(number);
  found->function(number);  // the function may add and remove handlers
  buffers.free(number);
  buffers.set_sending(sending);
  buffers.set_receiving(receiving);
  return true;
}

}  // namespace tutti::pvm
