// SPDX-License-Identifier: BSD-3-Clause
// The keys of BSPlib's messages in the mailbox of the runtime. Other interfaces of the same program
// have other upper halves.
#pragma once

#include <cstdint>

namespace tutti::bsp {

constexpr unsigned kind_shift = 48;
// Tells a worker what to do next (parts.cpp).
constexpr std::uint64_t order_key = std::uint64_t{0xb5f0} << kind_shift;
// A request for memory as it is now, and the answer (direct.cpp). The lower bits of a request name
// the machine and its superstep.
constexpr std::uint64_t request_key = std::uint64_t{0xb5f1} << kind_shift;
constexpr std::uint64_t answer_key = std::uint64_t{0xb5f2} << kind_shift;

}  // namespace tutti::bsp
