// SPDX-License-Identifier: BSD-3-Clause
// The names of operations. The papers' names are those of iCC (001), of the BLACS (000), of NX, and
// of the complete exchange (004).
#include "selection/names.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "schedule/printer.hpp"

namespace tutti::selection {

using schedule::Operation;

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
  std::string all;
  std::vector<base::KnownWord> known;
  for (int i = 0; i < operations; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (schedule::to_text(operation) == name || algorithms::is_word_of(name, aliases_of(operation)))
      return operation;
    all += (all.empty() ? "" : ", ") + std::string(schedule::to_text(operation));
    known.push_back({schedule::to_text(operation), schedule::to_text(operation)});
    for (const std::string_view alias : algorithms::words_of(aliases_of(operation)))
      known.push_back({alias, schedule::to_text(operation)});
  }
  const std::string hint = base::did_you_mean(name, known);
  base::fail(base::Status::invalid_argument, "there is no operation '{}'{}", name,
             hint.empty() ? "; there are: " + all : hint);
}

}  // namespace tutti::selection
