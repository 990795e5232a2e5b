// SPDX-License-Identifier: BSD-3-Clause
// Describes a call in a form that can be sent to other processes, compared and put into words.
#pragma once

#include <tutti/tutti.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "errors.hpp"

namespace tutti::blacs {

enum class Deed : std::int32_t {
  send,
  receive,
  receive_from_anybody,
  broadcast,
  sum,
  largest,
  smallest,
  by_user,  // a combine by functions of the user
  barrier,
  flush,
  map_list
};

// A call as its routine describes it. `with` is the rank in the scope of the process that gets or
// gives the data; everyone if all get the result.
constexpr int everyone = -1;
struct Intent {
  Deed deed;
  const Scope* scope;
  const tutti_data* data = nullptr;  // nullptr: none
  char top = 0;                      // 0: none
  int with = everyone;
  struct {
    bool sends = false;   // the source of a broadcast
    bool places = false;  // a combine that tells which processes won
    // A receive from anybody has its tag here, and a place for the source, which debug level 3
    // finds out.
    int tag = 0;
    int* source = nullptr;
  } also{};
};

// All members are words of 32 bits, so that an object can be sent as an array of them.
struct CallFacts {
  std::array<char, 16> routine;
  Deed deed;
  std::int32_t my_row, my_column;
  std::int32_t scope;  // 'R', 'C' or 'A', or the name of a list
  std::int32_t top;    // in lower case; 0: none
  std::int32_t type, uplo, diag, m, n, ld;
  std::int32_t with_row, with_column;  // -1: everyone
  std::int32_t sends, places;
};
constexpr std::int64_t words_of_facts = sizeof(CallFacts) / sizeof(std::int32_t);
static_assert(std::is_trivially_copyable_v<CallFacts>);

[[nodiscard]] CallFacts facts_of(const RoutineCall& call, const Intent& intent);

// Returns a text such as "receives a 4 x 2 matrix of doubles (LDA 4) from process {0,1}".
[[nodiscard]] std::string text_of(const CallFacts& facts);

// Returns what differs in the data that a sender and its receiver name, such as "types"; nullptr if
// nothing does.
[[nodiscard]] const char* difference_of_data(const CallFacts& one, const CallFacts& other);

// Two calls of one scoped operation that do not belong together, and what differs.
struct Disagreement {
  const char* what = nullptr;  // nullptr: none
  const CallFacts* one = nullptr;
  const CallFacts* other = nullptr;
};
[[nodiscard]] Disagreement disagreement(std::span<const CallFacts> calls);

}  // namespace tutti::blacs
