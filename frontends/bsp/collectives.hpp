// SPDX-License-Identifier: BSD-3-Clause
// Level 1 of BSPlib: the collective operations, called by its interfaces.
#pragma once

#include <tutti-bsp/bsp.h>
#include <tutti-bsp/bsp_level1.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::bsp {

void broadcast(const char* routine, int root, const void* source, void* destination,
               std::size_t size);
void fold(bsp_operator op, const void* source, void* destination, std::size_t size);
void scan(bsp_operator op, const void* source, void* destination, std::size_t size);
void gather(int root, const void* source, void* destination, std::size_t size);
void scatter(int root, const void* source, void* destination, std::size_t size);
void total_exchange(const void* source, void* destination, std::size_t size);
// Each process gets the value that is its own in the order of all values.
void sort(bsp_comparison compare, const void* source, void* destination, std::size_t size);
// Each process has a size of its own, in bytes.
void total_exchange(const void* source, const std::vector<std::int64_t>& source_sizes,
                    void* destination, const std::vector<std::int64_t>& destination_sizes);

}  // namespace tutti::bsp
