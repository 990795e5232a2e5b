// SPDX-License-Identifier: BSD-3-Clause
// Groups and communicators of the group interface. The functions throw Refusal.
#pragma once

#include "state.hpp"

namespace tutti::icc {

void initialize_groups();

[[nodiscard]] const Communicator& communicator_of(iCC_g_Comm comm);
[[nodiscard]] const iCC_g_group& group_of(iCC_g_Group group);

[[nodiscard]] iCC_g_Group group_of_members(iCC_g_Comm comm);
[[nodiscard]] iCC_g_Group group_of_ranks(iCC_g_Group group, long n, const long* ranks);
void free_group(iCC_g_Group* group);
// Returns iCC_g_COMM_NULL if this process is not in the group.
[[nodiscard]] iCC_g_Comm create_communicator(iCC_g_Comm comm, iCC_g_Group group);
void free_communicator(iCC_g_Comm* comm);

}  // namespace tutti::icc
