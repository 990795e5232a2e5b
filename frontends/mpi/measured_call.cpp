// SPDX-License-Identifier: BSD-3-Clause
// Makes calls with data of their own (measured_call.hpp).
#include "measured_call.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#define TUTTI_MPI_EITHER(Name, ...) \
  static_cast<void>(by == By::program ? ::MPI_##Name(__VA_ARGS__) : plain.Name(__VA_ARGS__))

namespace tutti::mpi {
namespace {

bool divides_a_vector(MpiOperation operation) {
  return operation == MpiOperation::allgatherv || operation == MpiOperation::reduce_scatter ||
         operation == MpiOperation::reduce_scatter_block;
}

bool combines(MpiOperation operation) {
  switch (operation) {
    case MpiOperation::reduce:
    case MpiOperation::allreduce:
    case MpiOperation::reduce_scatter:
    case MpiOperation::reduce_scatter_block:
    case MpiOperation::scan:
    case MpiOperation::exscan:
      return true;
    default:
      return false;
  }
}

// Returns true if a rank, or the root, gives something else to each member.
bool gives_to_each(MpiOperation operation) {
  switch (operation) {
    case MpiOperation::scatter:
    case MpiOperation::scatterv:
    case MpiOperation::alltoall:
    case MpiOperation::alltoallv:
    case MpiOperation::alltoallw:
    case MpiOperation::reduce_scatter:
    case MpiOperation::reduce_scatter_block:
      return true;
    default:
      return false;
  }
}

// Returns true if a rank, or the root, gets something from each member.
bool gets_from_each(MpiOperation operation) {
  switch (operation) {
    case MpiOperation::gather:
    case MpiOperation::gatherv:
    case MpiOperation::allgather:
    case MpiOperation::allgatherv:
    case MpiOperation::alltoall:
    case MpiOperation::alltoallv:
    case MpiOperation::alltoallw:
      return true;
    default:
      return false;
  }
}

// A call whose data take more memory than this on a rank is not made again: the ranks of a host
// need that much each, beside the data of the program.
constexpr Count most_memory = Count{256} << 20;

}  // namespace

RepeatedCall::RepeatedCall(const MeasuredCall& what, MPI_Comm comm, int members, int rank)
    : operation_(what.operation), comm_(comm), rank_(rank), type_(MPI_BYTE), op_(MPI_SUM) {
  Count unit = 1;
  if (combines(operation_)) {
    unit = sizeof(double);
    type_ = what.applier == Applier::mpi ? MPI_2INT : MPI_DOUBLE;
    if (what.applier == Applier::mpi) op_ = MPI_MAXLOC;
  }
  const Count parts = divides_a_vector(operation_) ? members : 1;
  const Count block =
      operation_ == MpiOperation::barrier ? 0 : std::max(unit, what.bytes / parts / unit * unit);
  input_bytes_ = block * (gives_to_each(operation_) ? members : 1);
  const Count output_bytes = block * (gets_from_each(operation_) ? members : 1);
  if (block / unit * members > std::numeric_limits<int>::max() ||
      2 * input_bytes_ + output_bytes > most_memory)
    return;
  count_ = static_cast<int>(block / unit);
  const auto zeros = [](Count bytes) {
    OwnMemory memory = allocate(std::max<Count>(bytes, 1));
    if (memory != nullptr) std::memset(memory.get(), 0, static_cast<std::size_t>(bytes));
    return memory;
  };
  input_ = zeros(input_bytes_);
  output_ = zeros(output_bytes);
  pattern_ = zeros(input_bytes_);
  if (input_ == nullptr || output_ == nullptr || pattern_ == nullptr) return;
  for (int member = 0; member < members; ++member) {
    counts_.push_back(count_);
    places_.push_back(count_ * member);
    types_.push_back(type_);
  }
  possible_ = true;
}

void RepeatedCall::make(By by, int root) const {
  switch (operation_) {
    case MpiOperation::barrier:
      return TUTTI_MPI_EITHER(Barrier, comm_);
    case MpiOperation::gatherv:
    case MpiOperation::scatterv:
    case MpiOperation::allgatherv:
    case MpiOperation::alltoallv:
    case MpiOperation::alltoallw:
      return make_irregular(by, root);
    default:
      return combines(operation_) ? make_reduction(by, root) : make_move(by, root);
  }
}

void RepeatedCall::make_move(By by, int root) const {
  std::byte* const in = input_.get();
  std::byte* const out = output_.get();
  switch (operation_) {
    case MpiOperation::bcast:
      return TUTTI_MPI_EITHER(Bcast, in, count_, type_, root, comm_);
    case MpiOperation::gather:
      return TUTTI_MPI_EITHER(Gather, in, count_, type_, out, count_, type_, root, comm_);
    case MpiOperation::scatter:
      return TUTTI_MPI_EITHER(Scatter, in, count_, type_, out, count_, type_, root, comm_);
    case MpiOperation::allgather:
      return TUTTI_MPI_EITHER(Allgather, in, count_, type_, out, count_, type_, comm_);
    default:
      return TUTTI_MPI_EITHER(Alltoall, in, count_, type_, out, count_, type_, comm_);
  }
}

void RepeatedCall::make_irregular(By by, int root) const {
  std::byte* const in = input_.get();
  std::byte* const out = output_.get();
  const int* const counts = counts_.data();
  const int* const places = places_.data();
  const MPI_Datatype* const types = types_.data();
  switch (operation_) {
    case MpiOperation::gatherv:
      return TUTTI_MPI_EITHER(Gatherv, in, count_, type_, out, counts, places, type_, root, comm_);
    case MpiOperation::scatterv:
      return TUTTI_MPI_EITHER(Scatterv, in, counts, places, type_, out, count_, type_, root, comm_);
    case MpiOperation::allgatherv:
      return TUTTI_MPI_EITHER(Allgatherv, in, count_, type_, out, counts, places, type_, comm_);
    case MpiOperation::alltoallv:
      return TUTTI_MPI_EITHER(Alltoallv, in, counts, places, type_, out, counts, places, type_,
                              comm_);
    default:
      return TUTTI_MPI_EITHER(Alltoallw, in, counts, places, types, out, counts, places, types,
                              comm_);
  }
}

void RepeatedCall::make_reduction(By by, int root) const {
  std::byte* const in = input_.get();
  std::byte* const out = output_.get();
  switch (operation_) {
    case MpiOperation::reduce:
      return TUTTI_MPI_EITHER(Reduce, in, out, count_, type_, op_, root, comm_);
    case MpiOperation::allreduce:
      return TUTTI_MPI_EITHER(Allreduce, in, out, count_, type_, op_, comm_);
    case MpiOperation::reduce_scatter:
      return TUTTI_MPI_EITHER(Reduce_scatter, in, out, counts_.data(), type_, op_, comm_);
    case MpiOperation::reduce_scatter_block:
      return TUTTI_MPI_EITHER(Reduce_scatter_block, in, out, count_, type_, op_, comm_);
    case MpiOperation::scan:
      return TUTTI_MPI_EITHER(Scan, in, out, count_, type_, op_, comm_);
    default:
      return TUTTI_MPI_EITHER(Exscan, in, out, count_, type_, op_, comm_);
  }
}

bool RepeatedCall::root_writes() const {
  return operation_ == MpiOperation::bcast || operation_ == MpiOperation::scatter ||
         operation_ == MpiOperation::scatterv;
}

void RepeatedCall::rewrite(int root) const {
  if (root_writes() && rank_ != root) return;
  std::memcpy(input_.get(), pattern_.get(), static_cast<std::size_t>(input_bytes_));
}

}  // namespace tutti::mpi
