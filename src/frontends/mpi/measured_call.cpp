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
  bytes_ = block * members;
  if (block / unit * members > std::numeric_limits<int>::max()) return;
  count_ = static_cast<int>(block / unit);
  for (OwnMemory* memory : {&input_, &output_, &pattern_}) {
    *memory = allocate(std::max<Count>(bytes_, 1));
    if (*memory == nullptr) return;
    std::memset(memory->get(), 0, static_cast<std::size_t>(bytes_));
  }
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
  // A block for each member where this rank gives something to each of them.
  const bool all = operation_ == MpiOperation::scatter || operation_ == MpiOperation::scatterv ||
                   operation_ == MpiOperation::alltoall || operation_ == MpiOperation::alltoallv ||
                   operation_ == MpiOperation::alltoallw ||
                   operation_ == MpiOperation::reduce_scatter ||
                   operation_ == MpiOperation::reduce_scatter_block;
  const auto members = static_cast<Count>(counts_.size());
  std::memcpy(input_.get(), pattern_.get(),
              static_cast<std::size_t>(all ? bytes_ : bytes_ / members));
}

}  // namespace tutti::mpi
