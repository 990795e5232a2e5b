// SPDX-License-Identifier: BSD-3-Clause
// Life of grids and contexts, system handles, and the questions about them.
#pragma once

#include "systems.hpp"

namespace tutti::blacs {

void pinfo(int* number, int* count);
void setup(int* number, int* count);
// In: a system handle of that language. Out: the context.
void grid_init(Language language, int* context, const char* order, int rows, int columns);
void grid_map(Language language, int* context, const int* usermap, int ldumap, int rows,
              int columns);
void grid_info(int context, int* rows, int* columns, int* my_row, int* my_column);
void grid_exit(int context);
void barrier(int context, const char* scope);
[[noreturn]] void abort_job(int context, int error);
void exit_blacs(int not_done);
void free_buffers(int context, int wait);
[[nodiscard]] int number_of(int context, int row, int column);
void coordinates_of(int context, int number, int* row, int* column);

// blacs_get and blacs_set.
void get(Language language, int context, int what, int* value);
void set(int context, int what, const int* value);

}  // namespace tutti::blacs
