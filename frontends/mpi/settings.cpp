// SPDX-License-Identifier: BSD-3-Clause
// Reads what the user has set (settings.hpp).
#include "settings.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "job.hpp"
#include "library.hpp"

namespace tutti::mpi {
namespace {

void say_what_is_known(const char* variable, std::string_view word) {
  std::string known = "all";
  for (int i = 0; i < operation_count; ++i)
    known.append(", ").append(name_of(static_cast<MpiOperation>(i)));
  std::fprintf(stderr, "tutti: %s has the word '%.*s', which has no effect; it knows %s\n",
               variable, static_cast<int>(word.size()), word.data(), known.c_str());
}

std::string_view without_blanks(std::string_view word) {
  const auto first = word.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return word.substr(first, word.find_last_not_of(' ') + 1 - first);
}

// Returns the bits of one word; "all" and "1" stand for all operations, "0" for none.
std::uint32_t operations_of(const char* variable, std::string_view word) {
  if (word == "all" || word == "1") return (1U << operation_count) - 1;
  if (word.empty() || word == "0") return 0;
  for (unsigned i = 0; i < operation_count; ++i)
    if (word == name_of(static_cast<MpiOperation>(i))) return 1U << i;
  say_what_is_known(variable, word);
  return 0;
}

// Returns the operations in the list that a variable holds, such as "bcast,alltoall".
std::uint32_t operations_in(const char* variable) {
  char text[512] = "";
  library.setting_text(variable, text, sizeof text);
  std::string_view list = text;
  std::uint32_t found = 0;
  while (!list.empty()) {
    const auto end = list.find(',');
    found |= operations_of(variable, without_blanks(list.substr(0, end)));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return found;
}

int first_call() {
  constexpr int default_call = 8, most = 1 << 30;
  const std::int64_t value = library.setting("TUTTI_MPI_FIRST");
  if (value >= 1) return static_cast<int>(std::min<std::int64_t>(value, most));
  std::fprintf(stderr,
               "tutti: TUTTI_MPI_FIRST must be a whole number from 1 on, the number of a call; it "
               "counts as %d\n",
               default_call);
  return default_call;
}

// The settings of rank 0, which all processes follow.
struct Told {
  std::uint32_t off = 0, whole = 0;
  std::int32_t first_call = 1;
  std::int32_t verdict = 0, compares = 0, reproducible = 0;
};

bool has_text(const char* variable) {
  char text[2] = "";
  library.setting_text(variable, text, sizeof text);
  return text[0] != 0 && (text[0] != '0' || text[1] != 0);
}

Told told_by_rank_0() {
  Told told;
  told.off = operations_in("TUTTI_MPI_OFF");
  told.whole = operations_in("TUTTI_MPI_WHOLE");
  told.first_call = first_call();
  told.compares = library.setting("TUTTI_MPI_COMPARE") == 1 ? 1 : 0;
  told.verdict = told.compares != 0 || has_text("TUTTI_MPI_VERDICT") ? 1 : 0;
  told.reproducible = library.setting("TUTTI_REPRODUCIBLE") == 1 ? 1 : 0;
  if (told.reproducible != 0) told.first_call = 1;  // the MPI may combine in any order
  return told;
}

}  // namespace

void hear_settings(int rank) {
  Told told;
  if (rank == 0) told = told_by_rank_0();
  plain.Bcast(&told, sizeof told, MPI_BYTE, 0, MPI_COMM_WORLD);
  job.off = told.off;
  job.whole = told.whole;
  job.first_call = told.first_call;
  job.verdict = told.verdict != 0;
  job.compares = told.compares != 0;
  job.reproducible = told.reproducible != 0;
}

}  // namespace tutti::mpi
