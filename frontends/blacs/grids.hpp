// SPDX-License-Identifier: BSD-3-Clause
// Grids and their contexts, start and end of a program, and blacs_get and blacs_set. Both
// interfaces call these functions.
#pragma once

#include "systems.hpp"

namespace tutti::blacs {

void pinfo(int* number, int* count);
void setup(int* number, int* count);
// Makes a grid. `context` is a system handle of that language before, and the context afterwards.
void grid_init(Language language, int* context, const char* order, int rows, int columns);
void grid_map(Language language, int* context, const int* usermap, int ldumap, int rows,
              int columns);
void grid_info(int context, int* rows, int* columns, int* my_row, int* my_column);
void grid_exit(int context);
[[noreturn]] void abort_job(int context, int error);
void exit_blacs(int not_done);
void free_buffers(int context, int wait);
[[nodiscard]] int number_of(int context, int row, int column);
void coordinates_of(int context, int number, int* row, int* column);

// get and set serve blacs_get and blacs_set. `what` is the number of the value.
void get(Language language, int context, int what, int* value);
void set(int context, int what, const int* value);

}  // namespace tutti::blacs
