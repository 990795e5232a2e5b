// SPDX-License-Identifier: BSD-3-Clause
// Handles of plans, their requests as the C interface has them, and the user's run hook. Plans,
// collectives and requests use them.
#pragma once

#include <cstddef>

#include "api/state.hpp"

namespace tutti::api {

// The size of the first version of the structure; the fields behind it are there if its size says
// so.
inline constexpr std::size_t first_request_size = offsetof(tutti_plan_request, rows);

// Throws Error(stale_handle) if the handle names no plan.
[[nodiscard]] engine::Plan& plan_of(ApiState& mine, tutti_plan handle);
// Returns the request for which a plan serves. Its pointers are valid as long as the plan.
[[nodiscard]] tutti_plan_request request_of(const engine::Plan& plan);
// Tells the user's hook which plan has just been run.
void call_hook(ApiState& mine, tutti_group group, engine::Plan& plan);

}  // namespace tutti::api
