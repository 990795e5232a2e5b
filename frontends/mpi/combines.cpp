// SPDX-License-Identifier: BSD-3-Clause
// Collectives that combine. Operators of the MPI see elements at the distance of the type's extent.
// So data with holes are copied into memory that has the same holes, and back without them.
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "collectives.hpp"
#include "operators.hpp"
#include "perform.hpp"

namespace tutti::mpi {
namespace {

constexpr const char* outside_extent = "the type has data outside of its extent";
constexpr const char* divided_and_whole =
    "the result is divided, and the operator takes whole vectors";
constexpr const char* unknown_operator = "tutti does not know this operator for this type";

// The elements of a send or receive buffer: where they lie if they have no holes, else in memory of
// their own. MPI_DOUBLE_INT has holes, too, and a program may keep data of its own in them.
class Operand {
 public:
  Operand(void* address, Count count, MPI_Datatype handle, const Type& type)
      : elements_{static_cast<std::byte*>(address), count, handle, &type},
        begin_(elements_.address) {}

  [[nodiscard]] bool make_room() { return elements_.type->dense || make_own_room(); }
  // Makes room for a result that the program does not get, for which it may give no address.
  [[nodiscard]] bool make_room_unseen() {
    return begin_ != nullptr ? make_room() : make_own_room();
  }
  [[nodiscard]] bool fill() {
    return make_room() && (memory_ == nullptr || copy(elements_, in_memory()));
  }
  [[nodiscard]] bool deliver() const { return memory_ == nullptr || copy(in_memory(), elements_); }
  [[nodiscard]] tutti_data data(const Combination& by) const {
    return by.data(begin_, elements_.count);
  }
  [[nodiscard]] std::byte* begin() const { return begin_; }

 private:
  [[nodiscard]] bool make_own_room() {
    memory_ = allocate(elements_.count * elements_.type->extent);
    begin_ = memory_.get();
    return begin_ != nullptr;
  }
  [[nodiscard]] Elements in_memory() const {
    return {begin_, elements_.count, elements_.handle, elements_.type};
  }
  static bool copy(const Elements& from, const Elements& to) {
    const OwnMemory packed = allocate(from.bytes());
    return packed != nullptr && from.pack(packed.get()) && to.unpack(packed.get());
  }

  Elements elements_;
  std::byte* begin_;
  OwnMemory memory_;
};

// The arguments of a reduction, understood.
struct Understood {
  const Type* type = nullptr;
  std::optional<Combination> combination;
  bool in_place = false;
  CallOutcome outcome = refused_by_mpi();

  [[nodiscard]] bool served() const { return outcome.by_mpi == nullptr; }
  // Returns the outcome of the call. The MPI may have failed to apply its operator, or to unpack.
  [[nodiscard]] CallOutcome finished(tutti_status status, bool delivered) const {
    if (status != TUTTI_OK) return {status};
    if (combination->has_failed())
      return {TUTTI_SYSTEM_ERROR, nullptr, "the MPI could not apply its operator"};
    return delivered ? CallOutcome{} : not_delivered;
  }
  // See Servers::judge().
  [[nodiscard]] const char* judged(const KnownCommunicator& with, MpiOperation operation,
                                   Count elements) const {
    return with.servers->judge(operation, elements * type->extent, combination->applier());
  }
};

// The receive buffer of this rank: the call does not use it, leaves it as it is, or fills it.
enum class Result : std::uint8_t { none, unchanged, filled };

// The elements that this rank gives, and those that it gets.
struct ElementCounts {
  Count given = 0;
  Count received = 0;
};

bool lacks(const void* address, Count count) {
  return count > 0 && refused_without_address(address);
}

// `result` says who receives one. Some MPIs take it for a call in place if both buffers are the
// same memory, others refuse it. A call that an MPI might accept is served, because the other ranks
// are served, too.
Understood understand(MpiOperation operation, const Reduction& what, const ElementCounts& elements,
                      Result result) {
  const bool gives_result = result != Result::none;
  Understood found;
  found.type = find_type(what.type);
  if (found.type == nullptr || elements.given < 0) return found;
  const Pieces pieces = job.takes_whole(operation) ? Pieces::one : Pieces::any;
  if (auto made = Combination::of(what.op, what.type, *found.type, pieces))
    found.combination.emplace(std::move(*made));
  found.in_place = gives_result && what.send == MPI_IN_PLACE;
  const bool misused = what.receive == MPI_IN_PLACE && gives_result;
  if (misused || (what.send == MPI_IN_PLACE && !gives_result)) return found;
  if (!found.combination) {
    if (what.op != MPI_OP_NULL) found.outcome = by_mpi(unknown_operator);
    return found;
  }
  const Count received = found.in_place ? elements.given : elements.received;
  if (found.type->dense && lacks(what.send, found.in_place ? 0 : elements.given)) return found;
  if (found.type->dense && gives_result && lacks(what.receive, received)) return found;
  if (gives_result && !found.in_place && what.send == what.receive && received > 0) {
#if defined(OPEN_MPI)
    found.in_place = true;
#else
    return found;
#endif
  }
  found.outcome = found.combination->served() ? CallOutcome{} : by_mpi(outside_extent);
  return found;
}

// Makes memory ready for a result. Returns false if there is none.
bool prepare(Operand& output, bool in_place, Result result) {
  if (in_place) return output.fill();
  return result == Result::filled ? output.make_room() : output.make_room_unseen();
}

void* unchanged(const void* address) {
  return const_cast<void*>(address);
}

// Reductions with as many elements in both buffers: call(input, output) calls tutti. A rank that
// gets nothing back gives no output.
template <class Call>
CallOutcome combine(const KnownCommunicator& with, MpiOperation operation, const Reduction& what,
                    Result result, const Call& call) {
  const bool gives_result = result != Result::none;
  const Understood found = understand(operation, what, {what.count, what.count}, result);
  if (!found.served()) return found.outcome;
  if (what.count == 0) return {};
  if (const char* why = found.judged(with, operation, what.count)) return by_mpi(why);
  Operand output(what.receive, what.count, what.type, *found.type);
  Operand input(unchanged(what.send), what.count, what.type, *found.type);
  if (gives_result && !prepare(output, found.in_place, result)) return no_memory;
  if (!found.in_place && !input.fill()) return no_memory;
  const Combination& by = *found.combination;
  const tutti_data to = output.data(by), from = found.in_place ? to : input.data(by);
  const tutti_status status = call(&from, gives_result ? &to : nullptr, by.op());
  return found.finished(status, result != Result::filled || output.deliver());
}

// Reductions whose result is divided. In place, the input of all parts lies where MPI wants the
// result to begin, and tutti wants it at the part's place. So the result goes into other memory.
template <class Call>
CallOutcome divide(const KnownCommunicator& with, MpiOperation operation, const Reduction& what,
                   Count all, Count mine, const Call& call) {
  const Understood found = understand(operation, what, {all, mine}, Result::filled);
  if (!found.served()) return found.outcome;
  if (found.combination->takes_whole_vectors()) return by_mpi(divided_and_whole);
  if (all == 0) return {};
  if (const char* why = found.judged(with, operation, all)) return by_mpi(why);
  const void* const send = found.in_place ? what.receive : what.send;
  Operand input(unchanged(send), all, what.type, *found.type);
  Operand output(what.receive, mine, what.type, *found.type);
  if (!input.fill() || !output.make_room()) return no_memory;
  const tutti_data from = input.data(*found.combination);
  tutti_data to = output.data(*found.combination);
  const Count bytes = mine * found.type->extent;
  OwnMemory apart;
  if (found.in_place && to.address == what.receive) {
    apart = allocate(bytes);
    if (apart == nullptr) return no_memory;
    to.address = apart.get();
  }
  const tutti_status status = call(&from, &to, found.combination->op());
  if (status == TUTTI_OK && apart != nullptr)
    std::memcpy(what.receive, apart.get(), static_cast<std::size_t>(bytes));
  return found.finished(status, output.deliver());
}

}  // namespace

CallOutcome reduce(const KnownCommunicator& with, const Reduction& what, int root) {
  if (!with.has(root)) return refused_by_mpi();
  const bool at_root = with.rank == root;
#if defined(OPEN_MPI)
  // It takes two buffers in the same memory for a call in place elsewhere, but not here.
  if (at_root && what.send == what.receive && what.count > 0) return refused_by_mpi();
#endif
  return combine(with, MpiOperation::reduce, what, at_root ? Result::filled : Result::none,
                 [&](const tutti_data* from, const tutti_data* to, tutti_op op) {
                   return perform("MPI_Reduce", library.reduce, library.ireduce, with.group, from,
                                  to, op, root);
                 });
}

CallOutcome allreduce(const KnownCommunicator& with, const Reduction& what) {
  return combine(with, MpiOperation::allreduce, what, Result::filled,
                 [&](const tutti_data* from, const tutti_data* to, tutti_op op) {
                   return perform("MPI_Allreduce", library.allreduce, library.iallreduce,
                                  with.group, from, to, op);
                 });
}

CallOutcome scan(const KnownCommunicator& with, const Reduction& what) {
  return combine(with, MpiOperation::scan, what, Result::filled,
                 [&](const tutti_data* from, const tutti_data* to, tutti_op op) {
                   return perform("MPI_Scan", library.scan, library.iscan, with.group, from, to,
                                  op);
                 });
}

// Rank 0 gets nothing.
CallOutcome exscan(const KnownCommunicator& with, const Reduction& what) {
  return combine(
      with, MpiOperation::exscan, what, with.rank > 0 ? Result::filled : Result::unchanged,
      [&](const tutti_data* from, const tutti_data* to, tutti_op op) {
        return perform("MPI_Exscan", library.exscan, library.iexscan, with.group, from, to, op);
      });
}

CallOutcome reduce_scatter_block(const KnownCommunicator& with, const Reduction& what) {
  const Count all = what.count < 0 ? what.count : what.count * with.size;
  return divide(with, MpiOperation::reduce_scatter_block, what, all, what.count,
                [&](const tutti_data* from, const tutti_data* to, tutti_op op) {
                  return perform("MPI_Reduce_scatter_block", library.reduce_scatter,
                                 library.ireduce_scatter, with.group, from, to, op);
                });
}

CallOutcome reduce_scatter(const KnownCommunicator& with, const Reduction& what,
                           const Numbers& counts) {
  if (!counts.given()) return refused_by_mpi();
  std::vector<std::int64_t> elements(static_cast<std::size_t>(with.size));
  for (int rank = 0; rank < with.size; ++rank) {
    elements[static_cast<std::size_t>(rank)] = counts[rank];
    if (counts[rank] < 0) return refused_by_mpi();
  }
  const Count all = std::accumulate(elements.begin(), elements.end(), Count{0});
  return divide(with, MpiOperation::reduce_scatter, what, all, counts[with.rank],
                [&](const tutti_data* from, const tutti_data* to, tutti_op op) {
                  const std::int64_t* const list = elements.data();
                  return perform("MPI_Reduce_scatter", library.reduce_scatterv,
                                 library.ireduce_scatterv, with.group, from, to, list, op);
                });
}

}  // namespace tutti::mpi
