// SPDX-License-Identifier: BSD-3-Clause
// Names of operations. Those of the papers: iCC's (001), the BLACS' (000), NX's, and of 004 the complete exchange.
#include "selection/names.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "schedule/printer.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;

// Whether `name` is one of the words.
bool has_word(std::string_view words, std::string_view name) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == name) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

const char* aliases_of(Operation operation) {
  switch (operation) {
    case Operation::barrier:
      return "sync gsync";
    case Operation::broadcast:
      return "bcast";
    case Operation::reduce:
      return "combine combine_to_one combine-to-one";
    case Operation::allreduce:
      return "combine_to_all combine-to-all sum sum_to_all sum-to-all gdsum";
    case Operation::scatter:
    case Operation::gather:
      return "";
    case Operation::allgather:
      return "collect";
    case Operation::reduce_scatter:
      return "distributed_combine distributed-combine";
    case Operation::alltoall:
      return "exchange complete_exchange complete-exchange";
    case Operation::scan:
      return "prefix inclusive_scan";
    case Operation::exscan:
      return "exclusive_scan";
  }
  return "";
}

Operation operation_named(std::string_view name) {
  std::string known;
  for (int i = 0; i < operations; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (schedule::to_text(operation) == name || has_word(aliases_of(operation), name)) return operation;
    known += (known.empty() ? "" : ", ") + std::string(schedule::to_text(operation));
  }
  base::fail(base::Status::invalid_argument, "there is no operation '{}'; there are: {}", name, known);
}

}  // namespace tutti::selection
