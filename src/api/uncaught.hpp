// SPDX-License-Identifier: BSD-3-Clause
// Gives an end to a process that has no memory inside a call that has no status: a call of a front
// end whose standard has none, or a function that must not fail.
#pragma once

namespace tutti::api {

// From now on such a process ends its job with one sentence. Everything else that nobody catches
// goes to the handler of std::terminate that there was before.
void end_without_memory();

}  // namespace tutti::api
