// SPDX-License-Identifier: BSD-3-Clause
// Groups and operators of the C interface.
#include "api/state.hpp"

using namespace tutti;
using api::guarded;
using api::state;

extern "C" {

tutti_group tutti_world(void) {
  api::State* const current = api::current;
  return {current == nullptr ? 0 : current->runtime.world()};
}

int tutti_rank(tutti_group group) {
  api::State* const current = api::current;
  const engine::Group* found = current == nullptr ? nullptr : current->runtime.group(group.id);
  return found == nullptr ? -1 : found->rank();
}

int tutti_size(tutti_group group) {
  api::State* const current = api::current;
  const engine::Group* found = current == nullptr ? nullptr : current->runtime.group(group.id);
  return found == nullptr ? -1 : found->size();
}

tutti_status tutti_group_create(tutti_group parent, int count, const int* ranks, tutti_group* group) {
  return guarded("tutti_group_create", [&] {
    if (count < 1 || ranks == nullptr || group == nullptr) {
      base::fail(base::Status::invalid_argument, "a group needs at least one rank and a place for its handle");
    }
    api::State& mine = state();
    group->id = mine.runtime.create_group(mine.group(parent), {ranks, static_cast<std::size_t>(count)});
  });
}

tutti_status tutti_group_free(tutti_group group) {
  return guarded("tutti_group_free", [&] {
    api::State& mine = state();
    if (group.id == mine.runtime.world()) base::fail(base::Status::invalid_argument, "the world cannot be freed");
    if (!mine.runtime.free_group(group.id)) base::fail(base::Status::stale_handle, "argument 'group' names no group");
  });
}

int tutti_endpoint(tutti_group group, int rank) {
  api::State* const current = api::current;
  const engine::Group* found = current == nullptr ? nullptr : current->runtime.group(group.id);
  return found == nullptr || rank < 0 || rank >= found->size() ? -1 : found->members().endpoint(rank);
}

tutti_status tutti_op_create(tutti_type type, tutti_combine_fn combine, int commutative, void* user, tutti_op* op) {
  return guarded("tutti_op_create", [&] {
    if (combine == nullptr || op == nullptr) {
      base::fail(base::Status::invalid_argument, "an operator needs a function and a place for its handle");
    }
    const auto commutes = commutative != 0 ? data::Commutes::yes : data::Commutes::no;
    op->id =
        state().add_op(type, data::Operator::from_user(data::size_of(api::element_of(type)), combine, user, commutes));
  });
}

tutti_status tutti_op_free(tutti_op op) {
  return guarded("tutti_op_free", [&] {
    if (!state().remove_op(op)) base::fail(base::Status::stale_handle, "argument 'op' is no operator made by the user");
  });
}

}  // extern "C"
