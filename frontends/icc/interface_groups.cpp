// SPDX-License-Identifier: BSD-3-Clause
// The C names of the group interface. Lengths are checked here as far as one process can see them.
#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <new>

#include "collectives.hpp"
#include "communicators.hpp"
#include "datatypes.hpp"
#include "errors.hpp"
#include "parts.hpp"

using namespace tutti;
using icc::Communicator;
using icc::Parts;
using icc::require;

namespace {

// Runs a call and returns its code.
template <class Body>
long coded(const char* call, const Body& body) noexcept {
  const icc::NamedCall named(call);
  try {
    body();
    return iCC_g_OK;
  } catch (const icc::Refusal& refusal) {
    return refusal.code;
  } catch (const std::bad_alloc&) {
    return iCC_g_ERROR_MALLOC;
  }
}

// Runs a call that iCC_g_Group_init must precede, and returns its code.
template <class Body>
long guarded(const char* call, const Body& body) noexcept {
  return coded(call, [&] {
    require(icc::state().has_groups, iCC_g_ERROR_NO_INITIALIZATION);
    body();
  });
}

// Returns true if the call has failed because this rank has found that another one has given a
// count that does not fit to its own.
bool counts_differ() {
  tutti_error_subject subject{};
  subject.struct_size = sizeof subject;
  tutti_error_about(&subject);
  return subject.unequal_sizes != 0;
}

// Ends the job if a call fails for a reason that the group interface has no code for.
void finish(const char* call, tutti_status status) {
  if (status == TUTTI_OK) [[likely]]
    return;
  require(status != TUTTI_OUT_OF_MEMORY, iCC_g_ERROR_MALLOC);
  require(!counts_differ(), iCC_g_ERROR_UNEQUAL_COUNTS);
  icc::check(call, status);
}

int root_of(const Communicator& communicator, long root) {
  require(root >= 0 && root < communicator.size, iCC_g_ERROR_ROOT);
  return static_cast<int>(root);
}

void require_buffer(const void* buffer, std::int64_t count) {
  require(count >= 0, iCC_g_ERROR_UNEQUAL_COUNTS);
  require(buffer != nullptr || count == 0, iCC_g_ERROR_NULL);
}

std::int64_t checked_bytes(const void* buffer, long count, iCC_g_Datatype type) {
  std::int64_t bytes = 0;
  const long size = icc::size_of(type);
  require_buffer(buffer, count);
  require(!__builtin_mul_overflow(count, size, &bytes), iCC_g_ERROR_UNEQUAL_COUNTS);
  return bytes;
}

// The vectors of a reduction. On ranks that get no result, rbuf may be NULL.
struct Reduction {
  const char* call;
  tutti_operation operation;
  void *sbuf, *rbuf;
  long count;
  iCC_g_Datatype type;
  iCC_g_Op op;
};

constexpr int everyone = -1;

// Combines for the rank `to`, or for everyone.
void reduce(const Communicator& communicator, const Reduction& given, int to) {
  const bool gets_result = to == everyone || communicator.source == to;
  const tutti_op op = icc::operator_of(given.op, given.type);
  const std::int64_t bytes = checked_bytes(given.sbuf, given.count, given.type);
  if (gets_result) require_buffer(given.rbuf, given.count);
  const tutti_type type = icc::type_of(given.type);
  const tutti_data input = tutti_array(given.sbuf, given.count, type);
  const tutti_data output = tutti_array(given.rbuf, given.count, type);
  finish(given.call, icc::run(communicator, {.operation = given.operation,
                                             .input = &input,
                                             .output = gets_result ? &output : nullptr,
                                             .op = op,
                                             .root = to == everyone ? 0 : to,
                                             .bytes = bytes}));
}

// The part that one rank gives to a gather, or gets from a scatter.
struct OwnPart {
  void* buffer;
  std::int64_t bytes;
};

tutti_data bytes_at(void* address, std::int64_t bytes) {
  return tutti_array(address, bytes, TUTTI_BYTE);
}

// Only the root uses the lists. A forced algorithm passes parts on, so it needs them everywhere.
void gather(const Communicator& communicator, const OwnPart& own, Parts* parts, int root) {
  const char* const call = "iCC_g_Gatherv";
  const bool at_root = communicator.source == root;
  const tutti_data input = bytes_at(own.buffer, own.bytes);
  const tutti_data output =
      at_root ? bytes_at(parts->packed(), parts->bytes()) : bytes_at(nullptr, 0);
  if (communicator.forced) {
    finish(call, icc::run(communicator, {.operation = TUTTI_OP_GATHER,
                                         .input = &input,
                                         .output = at_root ? &output : nullptr,
                                         .root = root,
                                         .counts = parts->counts(),
                                         .bytes = parts->bytes()}));
  } else {
    finish(call, tutti_gatherv(communicator.group, &input, at_root ? &output : nullptr,
                               at_root ? parts->counts() : nullptr, root));
  }
  if (at_root) parts->unpack();
}

void scatter(const Communicator& communicator, const OwnPart& own, Parts* parts, int root) {
  const char* const call = "iCC_g_Scatterv";
  const bool at_root = communicator.source == root;
  if (at_root) parts->pack();
  const tutti_data input =
      at_root ? bytes_at(parts->packed(), parts->bytes()) : bytes_at(nullptr, 0);
  const tutti_data output = bytes_at(own.buffer, own.bytes);
  if (communicator.forced) {
    finish(call, icc::run(communicator, {.operation = TUTTI_OP_SCATTER,
                                         .input = at_root ? &input : nullptr,
                                         .output = &output,
                                         .root = root,
                                         .counts = parts->counts(),
                                         .bytes = parts->bytes()}));
  } else {
    finish(call, tutti_scatterv(communicator.group, at_root ? &input : nullptr, &output,
                                at_root ? parts->counts() : nullptr, root));
  }
}

// Returns the parts of the lists in the buffer. Without a buffer there are only their lengths.
Parts lengths_of(const Communicator& communicator, const icc::PartLists& lists, const OwnPart& own,
                 void* buffer = nullptr) {
  Parts parts(communicator.size, lists, buffer);
  require(parts.count(communicator.source) == own.bytes, iCC_g_ERROR_UNEQUAL_COUNTS);
  return parts;
}
Parts parts_of(const Communicator& communicator, const icc::PartLists& lists, const OwnPart& own,
               void* buffer) {
  Parts parts = lengths_of(communicator, lists, own, buffer);
  parts.require_buffer();
  return parts;
}

}  // namespace

extern "C" {

long iCC_g_Group_init(void) {
  return coded("iCC_g_Group_init", [] { icc::initialize_groups(); });
}

long iCC_g_Comm_group(iCC_g_Comm comm, iCC_g_Group* group) {
  return guarded("iCC_g_Comm_group", [&] {
    require(group != nullptr, iCC_g_ERROR_NULL);
    *group = icc::group_of_members(comm);
  });
}

long iCC_g_Group_incl(iCC_g_Group group, long n, long* ranks, iCC_g_Group* newgroup) {
  return guarded("iCC_g_Group_incl", [&] {
    require(newgroup != nullptr, iCC_g_ERROR_NULL);
    *newgroup = icc::group_of_ranks(group, n, ranks);
  });
}

long iCC_g_Group_free(iCC_g_Group* group) {
  return guarded("iCC_g_Group_free", [&] { icc::free_group(group); });
}

long iCC_g_Comm_create(iCC_g_Comm comm, iCC_g_Group group, iCC_g_Comm* newcomm) {
  return guarded("iCC_g_Comm_create", [&] {
    require(newcomm != nullptr, iCC_g_ERROR_NULL);
    *newcomm = icc::create_communicator(comm, group);
  });
}

long iCC_g_Comm_free(iCC_g_Comm* comm) {
  return guarded("iCC_g_Comm_free", [&] { icc::free_communicator(comm); });
}

long iCC_g_Barrier(iCC_g_Comm comm) {
  constexpr const char* call = "iCC_g_Barrier";
  return guarded(call, [&] { finish(call, tutti_barrier(icc::communicator_of(comm).group)); });
}

long iCC_g_Bcast(void* buffer, long count, iCC_g_Datatype type, long root, iCC_g_Comm comm) {
  constexpr const char* call = "iCC_g_Bcast";
  return guarded(call, [&] {
    const Communicator& communicator = icc::communicator_of(comm);
    const std::int64_t bytes = checked_bytes(buffer, count, type);
    const tutti_data data = bytes_at(buffer, bytes);
    finish(call, icc::run(communicator, {.operation = TUTTI_OP_BROADCAST,
                                         .output = &data,
                                         .root = root_of(communicator, root),
                                         .bytes = bytes}));
  });
}

long iCC_g_Reduce(void* sbuf, void* rbuf, long count, iCC_g_Datatype type, iCC_g_Op op, long root,
                  iCC_g_Comm comm) {
  constexpr const char* call = "iCC_g_Reduce";
  return guarded(call, [&] {
    const Communicator& communicator = icc::communicator_of(comm);
    reduce(communicator, {call, TUTTI_OP_REDUCE, sbuf, rbuf, count, type, op},
           root_of(communicator, root));
  });
}

long iCC_g_Allreduce(void* sbuf, void* rbuf, long count, iCC_g_Datatype type, iCC_g_Op op,
                     iCC_g_Comm comm) {
  constexpr const char* call = "iCC_g_Allreduce";
  return guarded(call, [&] {
    reduce(icc::communicator_of(comm), {call, TUTTI_OP_ALLREDUCE, sbuf, rbuf, count, type, op},
           everyone);
  });
}

long iCC_g_Reduce_scatter(void* sbuf, void* rbuf, long* counts, iCC_g_Datatype type, iCC_g_Op op,
                          iCC_g_Comm comm) {
  constexpr const char* call = "iCC_g_Reduce_scatter";
  return guarded(call, [&] {
    const Communicator& communicator = icc::communicator_of(comm);
    const tutti_op combine = icc::operator_of(op, type);
    const Parts parts(communicator.size, {counts, nullptr, icc::size_of(type)}, sbuf);
    parts.require_buffer();
    require_buffer(rbuf, counts[communicator.source]);
    const tutti_data input =
        tutti_array(sbuf, parts.bytes() / icc::size_of(type), icc::type_of(type));
    const tutti_data output = tutti_array(rbuf, counts[communicator.source], icc::type_of(type));
    finish(call, icc::run(communicator, {.operation = TUTTI_OP_REDUCE_SCATTER,
                                         .input = &input,
                                         .output = &output,
                                         .op = combine,
                                         .counts = counts,
                                         .bytes = parts.bytes()}));
  });
}

long iCC_g_Gatherv(void* sbuf, long scount, iCC_g_Datatype stype, void* rbuf, long* rcounts,
                   long* displs, iCC_g_Datatype rtype, long root, iCC_g_Comm comm) {
  return guarded("iCC_g_Gatherv", [&] {
    const Communicator& communicator = icc::communicator_of(comm);
    const int to = root_of(communicator, root);
    const OwnPart own{sbuf, checked_bytes(sbuf, scount, stype)};
    if (communicator.source == to) {
      Parts parts = parts_of(communicator, {rcounts, displs, icc::size_of(rtype)}, own, rbuf);
      return gather(communicator, own, &parts, to);
    }
    if (!communicator.forced) return gather(communicator, own, nullptr, to);
    Parts parts = lengths_of(communicator, {rcounts, nullptr, icc::size_of(rtype)}, own);
    gather(communicator, own, &parts, to);
  });
}

long iCC_g_Scatterv(void* sbuf, long* scounts, long* displs, iCC_g_Datatype stype, void* rbuf,
                    long rcount, iCC_g_Datatype rtype, long root, iCC_g_Comm comm) {
  return guarded("iCC_g_Scatterv", [&] {
    const Communicator& communicator = icc::communicator_of(comm);
    const int from = root_of(communicator, root);
    const OwnPart own{rbuf, checked_bytes(rbuf, rcount, rtype)};
    if (communicator.source == from) {
      Parts parts = parts_of(communicator, {scounts, displs, icc::size_of(stype)}, own, sbuf);
      return scatter(communicator, own, &parts, from);
    }
    if (!communicator.forced) return scatter(communicator, own, nullptr, from);
    Parts parts = lengths_of(communicator, {scounts, nullptr, icc::size_of(stype)}, own);
    scatter(communicator, own, &parts, from);
  });
}

long iCC_g_Allgatherv(void* sbuf, long scount, iCC_g_Datatype stype, void* rbuf, long* rcounts,
                      long* displs, iCC_g_Datatype rtype, iCC_g_Comm comm) {
  constexpr const char* call = "iCC_g_Allgatherv";
  return guarded(call, [&] {
    const Communicator& communicator = icc::communicator_of(comm);
    const OwnPart own{sbuf, checked_bytes(sbuf, scount, stype)};
    Parts parts = parts_of(communicator, {rcounts, displs, icc::size_of(rtype)}, own, rbuf);
    const tutti_data input = bytes_at(sbuf, own.bytes);
    const tutti_data output = bytes_at(parts.packed(), parts.bytes());
    finish(call, icc::run(communicator, {.operation = TUTTI_OP_ALLGATHER,
                                         .input = &input,
                                         .output = &output,
                                         .counts = parts.counts(),
                                         .bytes = parts.bytes()}));
    parts.unpack();
  });
}

}  // extern "C"
