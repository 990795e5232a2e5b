// SPDX-License-Identifier: BSD-3-Clause
// Implements the groups and operators of the C interface.
#include <algorithm>
#include <vector>

#include "api/call.hpp"
#include "api/state.hpp"

using namespace tutti;
using api::answered;
using api::guarded;
using api::state;

namespace {

struct Wish {
  int color, key;
};

std::vector<Wish> wishes_of_all(api::ApiState& mine, tutti_group parent, Wish own) {
  std::vector<Wish> all(static_cast<std::size_t>(mine.group(parent).size()));
  const tutti_data from = tutti_array(&own, 2, TUTTI_INT32);
  const tutti_data to =
      tutti_array(all.data(), 2 * static_cast<std::int64_t>(all.size()), TUTTI_INT32);
  api::run_first(mine, parent, {schedule::Operation::allgather, 0, {&from, &to}});
  return all;
}

std::vector<int> ranks_of_color(const std::vector<Wish>& wishes, int color) {
  std::vector<int> ranks;
  for (int rank = 0; rank < static_cast<int>(wishes.size()); ++rank) {
    if (wishes[static_cast<std::size_t>(rank)].color == color) ranks.push_back(rank);
  }
  std::stable_sort(ranks.begin(), ranks.end(), [&wishes](int a, int b) {
    return wishes[static_cast<std::size_t>(a)].key < wishes[static_cast<std::size_t>(b)].key;
  });
  return ranks;
}

// Makes the group of the ranks first, first + stride, and so on.
tutti_group every(api::ApiState& mine, tutti_group parent, int first, int count, int stride) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ranks[static_cast<std::size_t>(i)] = first + i * stride;
  return {mine.job.groups().create(mine.group(parent), ranks)};
}

void require_function(bool has_function, const tutti_op* op) {
  if (has_function && op != nullptr) return;
  base::fail(base::Status::invalid_argument,
             "an operator needs a function and a place for its handle");
}

data::Commutes commutes(int commutative) {
  return commutative != 0 ? data::Commutes::yes : data::Commutes::no;
}

// Returns nullptr after an error, and for the handle 0, which tutti_group_split gives to ranks
// without a color.
const engine::Group* group_or_none(const char* routine, tutti_group handle) {
  const engine::Group* found = api::process.current == nullptr
                                   ? nullptr
                                   : api::process.current->job.groups().find(handle.id);
  if (found != nullptr) [[likely]]
    return found;
  (void)guarded(routine, [&] {
    api::ApiState& mine = state();
    if (handle.id != 0) found = &mine.group(handle);
  });
  return found;
}

}  // namespace

extern "C" {

tutti_group tutti_world(void) {
  api::ApiState* const current = api::process.current;
  return {current == nullptr ? 0 : current->job.groups().world()};
}

int tutti_rank(tutti_group group) {
  const engine::Group* const found = group_or_none("tutti_rank", group);
  return found == nullptr ? -1 : found->rank();
}

int tutti_size(tutti_group group) {
  const engine::Group* const found = group_or_none("tutti_size", group);
  return found == nullptr ? -1 : found->size();
}

tutti_status tutti_group_create(tutti_group parent, int count, const int* ranks,
                                tutti_group* group) {
  return guarded("tutti_group_create", [&] {
    if (count < 1 || ranks == nullptr || group == nullptr) {
      base::fail(base::Status::invalid_argument,
                 "a group needs at least one rank and a place for its handle");
    }
    api::ApiState& mine = state();
    group->id =
        mine.job.groups().create(mine.group(parent), {ranks, static_cast<std::size_t>(count)});
  });
}

tutti_status tutti_group_split(tutti_group parent, int color, int key, tutti_group* group) {
  return guarded("tutti_group_split", [&] {
    if (group == nullptr) base::fail(base::Status::invalid_argument, "argument 'group' is NULL");
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_group_split");
    const api::CallName name(mine, words);
    const std::vector<Wish> wishes = wishes_of_all(mine, parent, {color, key});
    group->id =
        color < 0 ? 0 : mine.job.groups().create(mine.group(parent), ranks_of_color(wishes, color));
  });
}

tutti_status tutti_group_dup(tutti_group parent, tutti_group* group) {
  return guarded("tutti_group_dup", [&] {
    if (group == nullptr) base::fail(base::Status::invalid_argument, "argument 'group' is NULL");
    api::ApiState& mine = state();
    *group = every(mine, parent, 0, mine.group(parent).size(), 1);
  });
}

tutti_status tutti_group_mesh(tutti_group parent, int rows, int columns, tutti_group* row,
                              tutti_group* column) {
  return guarded("tutti_group_mesh", [&] {
    api::ApiState& mine = state();
    const engine::Group& whole = mine.group(parent);
    if (rows < 1 || columns < 1 || std::int64_t{rows} * columns != whole.size()) {
      base::fail(base::Status::invalid_argument,
                 "arguments 'rows' and 'columns' are {} and {} but the group has {} ranks", rows,
                 columns, whole.size());
    }
    const int rank = whole.rank();
    if (row != nullptr) *row = every(mine, parent, rank - rank % columns, columns, 1);
    if (column != nullptr) *column = every(mine, parent, rank % columns, rows, columns);
  });
}

tutti_status tutti_group_of_endpoints(int count, const int* endpoints, uint64_t label,
                                      tutti_group* group) {
  return answered("tutti_group_of_endpoints", [&] {
    if (count < 1 || endpoints == nullptr || group == nullptr) {
      base::fail(base::Status::invalid_argument,
                 "argument 'count' is {}, or 'endpoints' or 'group' is NULL", count);
    }
    *group = {state().job.groups().create_of({endpoints, endpoints + count}, label)};
  });
}

// The barrier shows in reports who waits for whom. In MPI nobody could see it.
tutti_status tutti_group_use_mpi(tutti_group group) {
  return answered("tutti_group_use_mpi", [&] {
    api::ApiState& mine = state();
    engine::Group& members = mine.group(group);
    job::GroupHandles::require_ranks_of_mpi(members);
    if (members.mpi_may_serve()) return;
    static constexpr api::CallWords words("tutti_group_use_mpi");
    const api::CallName name(mine, words);
    api::run_first(mine, group, {schedule::Operation::barrier, 0, {}});
    job::GroupHandles::use_mpi(members);
  });
}

tutti_status tutti_group_members(tutti_group group, tutti_group other, int* ranks) {
  return guarded("tutti_group_members", [&] {
    if (ranks == nullptr) base::fail(base::Status::invalid_argument, "argument 'ranks' is NULL");
    api::ApiState& mine = state();
    const auto members = mine.group(group).members().endpoints();
    const auto& among = mine.group(other).members();
    for (std::size_t rank = 0; rank < members.size(); ++rank)
      ranks[rank] = among.rank_of(members[rank]);
  });
}

tutti_status tutti_group_free(tutti_group group) {
  return guarded("tutti_group_free", [&] {
    api::ApiState& mine = state();
    if (group.id == mine.job.groups().world())
      base::fail(base::Status::invalid_argument, "the world cannot be freed");
    mine.forget_last_peers();
    if (!mine.job.groups().free(group.id))
      base::fail(base::Status::stale_handle, "argument 'group' names no group");
  });
}

int tutti_endpoint(tutti_group group, int rank) {
  api::ApiState* const current = api::process.current;
  const engine::Group* found = current == nullptr ? nullptr : current->job.groups().find(group.id);
  return found == nullptr || rank < 0 || rank >= found->size() ? -1
                                                               : found->members().endpoint(rank);
}

int tutti_hosts(void) {
  return api::process.current == nullptr ? 1 : api::process.current->job.hosts();
}

int tutti_host(tutti_group group, int rank) {
  const int endpoint = tutti_endpoint(group, rank);
  return endpoint < 0 ? -1 : api::process.current->job.host_of(endpoint);
}

tutti_status tutti_op_create(tutti_type type, tutti_combine_fn combine, int commutative, void* user,
                             tutti_op* op) {
  return guarded("tutti_op_create", [&] {
    require_function(combine != nullptr, op);
    const std::size_t bytes = data::size_of(api::element_of(type));
    op->id = state().add_op(
        {type, data::Operator::from_user(bytes, combine, user, commutes(commutative)), nullptr});
  });
}

tutti_status tutti_op_create_fallible(tutti_type type, tutti_fallible_fn combine, int how,
                                      void* user, tutti_op* op) {
  return guarded("tutti_op_create_fallible", [&] {
    require_function(combine != nullptr, op);
    if ((how & ~(TUTTI_COMMUTATIVE | TUTTI_WHOLE_VECTORS)) != 0) {
      base::fail(base::Status::invalid_argument,
                 "argument 'how' is {}, which is no sum of TUTTI_COMMUTATIVE and "
                 "TUTTI_WHOLE_VECTORS",
                 how);
    }
    const std::size_t bytes = data::size_of(api::element_of(type));
    const bool whole = (how & TUTTI_WHOLE_VECTORS) != 0;
    op->id = state().add_op(
        {type,
         data::Operator::fallible(bytes, combine, user, commutes(how & TUTTI_COMMUTATIVE),
                                  whole ? data::Grain::vector : data::Grain::elements),
         nullptr});
  });
}

tutti_status tutti_op_create_in_place(tutti_type type, tutti_in_place_fn combine, int commutative,
                                      void* user, tutti_op* op) {
  return answered("tutti_op_create_in_place", [&] {
    require_function(combine != nullptr, op);
    const std::size_t bytes = data::size_of(api::element_of(type));
    auto in_place = std::make_unique<api::InPlace>(combine, bytes, user);
    const data::Operator made = data::Operator::from_user(
        bytes, api::InPlace::combine, in_place.get(), commutes(commutative), data::Grain::vector);
    op->id = state().add_op({type, made, std::move(in_place)});
  });
}

tutti_status tutti_op_free(tutti_op op) {
  return guarded("tutti_op_free", [&] {
    if (!state().remove_op(op))
      base::fail(base::Status::stale_handle, "argument 'op' is no operator made by the user");
  });
}

}  // extern "C"

int tutti_mpi_serves(const char* mpi, const char* operation, int mpi_combines, int ranks,
                     int64_t bytes) {
  int serves = 0;
  const tutti_status status = answered("tutti_mpi_serves", [&] {
    if (mpi == nullptr || operation == nullptr)
      base::fail(base::Status::invalid_argument, "argument '{}' is NULL",
                 mpi == nullptr ? "mpi" : "operation");
    const auto* const row = state().job.row_for({mpi, operation, mpi_combines != 0, ranks, bytes});
    serves = row != nullptr && row->native ? 1 : 0;
  });
  return status == TUTTI_OK ? serves : 0;
}
