// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/names.hpp"

namespace tutti::schedule {

const char* to_text(Operation operation) {
  switch (operation) {
    case Operation::barrier:
      return "barrier";
    case Operation::broadcast:
      return "broadcast";
    case Operation::reduce:
      return "reduce";
    case Operation::allreduce:
      return "allreduce";
    case Operation::scatter:
      return "scatter";
    case Operation::gather:
      return "gather";
    case Operation::allgather:
      return "allgather";
    case Operation::reduce_scatter:
      return "reduce_scatter";
    case Operation::alltoall:
      return "alltoall";
    case Operation::scan:
      return "scan";
    case Operation::exscan:
      return "exscan";
  }
  return "?";
}

}  // namespace tutti::schedule
