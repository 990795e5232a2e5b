// SPDX-License-Identifier: BSD-3-Clause
// Calls the user's run hook. Plans, collectives and requests share it.
#pragma once

#include "api/state.hpp"

namespace tutti::api {

// Tells the user's hook which plan has just been run.
void call_hook(ApiState& mine, tutti_group group, engine::Plan& plan);

}  // namespace tutti::api
