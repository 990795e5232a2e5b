// SPDX-License-Identifier: BSD-3-Clause
// The differences between BLACS 1.1, which have contexts, and BLACS 1.0, which have one grid. Each
// library defines these names for the code that both share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grid.hpp"

namespace tutti::blacs {

// The values of TOP, in lower case, and the same for messages.
struct Tops {
  std::string_view letters;
  const char* words;
};

// An LDIA below M where there is more than one column.
enum class LowLdia : std::uint8_t { counts_as_m, is_wrong };

struct Dialect {
  const char* exit_call;  // as messages name the call that ends the use of the BLACS
  Tops broadcast, combine;
  const char* scopes;  // the values of SCOPE for messages
  LowLdia low_ldia;
};
extern const Dialect dialect;

// Called once, when this process has joined its job.
void after_joining();
// Returns the grid of a call. If there is none, the job ends.
[[nodiscard]] Grid& grid_of_call(const char* routine, int context);
// Returns a text for messages, such as "process {0,1}, context 0".
[[nodiscard]] std::string place_of_call(const Grid& grid, int context);

// The number by which programs name the process at a place of the grid, and the place that belongs
// to a number, -1 if there is none. Places are counted row by row.
[[nodiscard]] int number_at(const Grid& grid, int place);
[[nodiscard]] int place_of_number(const Grid& grid, int number);

// The id of the next message to or from a process of the grid. It is the tag of the message. For
// TUTTI_ANY as the source, the id is TUTTI_ANY if it depends on the sender, and then nothing is
// counted.
[[nodiscard]] int id_of_send(Grid& grid, int to);
[[nodiscard]] int id_of_receive(Grid& grid, int from);
// The tag under which debug level 3 sends what a message will be. No message has it.
[[nodiscard]] int tag_of_facts(const Grid& grid);
// Counts an operation in a scope that goes out from `root`, or whose result goes there.
void count_scoped(Grid& grid, const Scope& scope, int root);

}  // namespace tutti::blacs
