// SPDX-License-Identifier: BSD-3-Clause
// Memory that other processes reach directly.
#pragma once

#include <cstddef>

namespace tutti::bsp {

[[nodiscard]] void* allocate(std::size_t size);
void deallocate(void* address);

}  // namespace tutti::bsp
