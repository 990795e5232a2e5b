// SPDX-License-Identifier: BSD-3-Clause
// The auxiliary routines of BLACS 1.0, for the interface.
#pragma once

#include "grid.hpp"
#include "message_ids.hpp"

namespace tutti::blacs {

// Starts `count` processes in a program started by hand, and tells the number of this one.
void set_up(int* number, int count);
void end_grid(const char* routine);
void exit_blacs(int go_on);
void free_buffers();

void grid_init(int rows, int columns);
void grid_map(const int* usermap, int ldumap, int rows, int columns);
void grid_info(int* rows, int* columns, int* my_row, int* my_column);
// Processes have the numbers of INITPINFO.
[[nodiscard]] int number_of(int row, int column);
void coordinates_of(int number, int* row, int* column);

void set_branches(int branches);
void set_debug(int level);
void set_timing(int level);
// Sets the ids that messages have from the next grid on.
void shift_range(IdRange sends, IdRange scoped);
// Returns the ids of the grid, or those of the next grid if there is none.
[[nodiscard]] IdRanges id_ranges();
// These four take the next id, as the message would.
[[nodiscard]] int take_send_id(Coordinates source, Coordinates destination);
[[nodiscard]] int take_receive_id(Coordinates source);
[[nodiscard]] int take_broadcast_send_id(const char* scope);
[[nodiscard]] int take_broadcast_receive_id(const char* scope, Coordinates source);

}  // namespace tutti::blacs
