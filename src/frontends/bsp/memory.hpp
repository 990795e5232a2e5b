// SPDX-License-Identifier: BSD-3-Clause
// bsp_alloc and bsp_free: memory that other processes can reach directly.
#pragma once

#include <cstddef>

namespace tutti::bsp {

[[nodiscard]] void* allocate(std::size_t size);
void deallocate(void* address);

}  // namespace tutti::bsp
