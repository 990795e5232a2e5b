// SPDX-License-Identifier: BSD-3-Clause
// Life of grids and contexts, system handles, and the questions about them.
#pragma once

#include <cstdint>
#include <vector>

namespace tutti::blacs {

void pinfo(int* number, int* count);
void setup(int* number, int* count);
// The process table of a system handle as the two callers below want it.
void grid_init(int* context, const char* order, int rows, int columns);
void grid_map(int* context, const int* usermap, int ldumap, int rows, int columns);
void grid_info(int context, int* rows, int* columns, int* my_row, int* my_column);
void grid_exit(int context);
void barrier(int context, const char* scope);
[[noreturn]] void abort_job(int context, int error);
void exit_blacs(int not_done);
void free_buffers(int context, int wait);
[[nodiscard]] int number_of(int context, int row, int column);
void coordinates_of(int context, int number, int* row, int* column);

// Handle of exactly this grid's processes; the same one until it is freed or the grid exits.
[[nodiscard]] int system_handle_of(int context);
void free_system_handle(int handle);
// The word that stands for a handle where MPI's C interface has a communicator.
[[nodiscard]] void* handle_to_word(int handle);
[[nodiscard]] int word_to_handle(void* word);

// blacs_get and blacs_set.
void get(int context, int what, int* value);
void set(int context, int what, const int* value);

}  // namespace tutti::blacs
