// SPDX-License-Identifier: BSD-3-Clause
// Shared by the plan functions and the collectives.
#pragma once

#include "api/state.hpp"

namespace tutti::api {

// Tells the user's hook which plan has just been executed.
void call_hook(ApiState& mine, tutti_group group, engine::Plan& plan);

}  // namespace tutti::api
