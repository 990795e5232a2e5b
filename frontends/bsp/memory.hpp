// SPDX-License-Identifier: BSD-3-Clause
// bsp_alloc and bsp_free: memory that other processes can reach directly.
#pragma once

#include <cstddef>

namespace tutti::bsp {

struct BspMachine;

[[nodiscard]] void* allocate(std::size_t size);
void deallocate(void* address);
// Frees the memory that was deallocated while its registration was ending. Called when it has
// ended.
void free_ended(BspMachine& machine);

}  // namespace tutti::bsp
