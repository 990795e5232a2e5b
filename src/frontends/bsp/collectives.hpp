// SPDX-License-Identifier: BSD-3-Clause
// Level 1.
#pragma once

#include <tutti-bsp/bsp.h>

#include <cstddef>

namespace tutti::bsp {

void broadcast(const char* routine, int root, const void* source, void* destination, std::size_t size);
void fold(bsp_operator op, const void* source, void* destination, std::size_t size);
void scan(bsp_operator op, const void* source, void* destination, std::size_t size);
void gather(int root, const void* source, void* destination, std::size_t size);
void scatter(int root, const void* source, void* destination, std::size_t size);
void total_exchange(const void* source, void* destination, std::size_t size);

}  // namespace tutti::bsp
