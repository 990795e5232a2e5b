// SPDX-License-Identifier: BSD-3-Clause
// Makes scopes of lists (lists.hpp). Each list gets a group whenever it is mapped, so all of its
// processes make equally many. They compare their lists first, by messages with a tag of their own:
// processes with different lists would wait for each other for ever.
#include "lists.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "errors.hpp"
#include "watch.hpp"

namespace tutti::blacs {
namespace {

constexpr int tag_of_lists = 1;  // the messages of the program have 0
constexpr std::size_t shown = 16;

using List = std::vector<int>;

// Returns the letter or digit of a scope.
char checked_name(const RoutineCall& call, const char* scope) {
  require(call, "SCOPE", scope);
  const char name = *scope, c = lower(name);
  const bool of_grid = c == 'r' || c == 'c' || c == 'a';
  if (!of_grid && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) return c;
  fail(call, "argument 'SCOPE' is {}, but must be a digit, or a letter other than R, C and A",
       quoted(name));
}

void check_once(const RoutineCall& call, const List& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto first = std::find(list.begin(), list.end(), list[i]);
    const auto before = static_cast<std::size_t>(first - list.begin());
    if (before == i) continue;
    fail(call, "arguments 'LIST'({}) and 'LIST'({}) are the same process, {}", before + 1, i + 1,
         list[i]);
  }
}

List checked_list(const RoutineCall& call, int count, const int* numbers) {
  const Scope& all = call.grid().all;
  if (count < 0 || count > all.size)
    fail(call, "argument 'N' is {}, but the grid has {} processes", count, all.size);
  require(call, "LIST", numbers);
  List list(numbers, numbers + count);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] >= 0 && list[i] < all.size) continue;
    fail(call, "argument 'LIST'({}) is {}, but the processes of the grid are numbered 0 to {}",
         i + 1, list[i], all.size - 1);
  }
  check_once(call, list);
  if (std::find(list.begin(), list.end(), all.rank) == list.end())
    fail(call, "argument 'LIST' has not this process, which has the number {}", all.rank);
  return list;
}

// A process sends this about its list to the others. The number stands for all elements, the first
// of which are there to be shown.
struct Announcement {
  std::uint64_t number = 0;
  std::int32_t name = 0, count = 0;
  std::array<std::int32_t, shown> first{};

  [[nodiscard]] std::string text() const {
    const auto some = std::min(static_cast<std::size_t>(count), shown);
    return fmt::format("{}{}", fmt::join(std::span(first).first(some), " "),
                       some < static_cast<std::size_t>(count)
                           ? fmt::format(" and so on, {} processes,", count)
                           : "");
  }
};

Announcement announcement_of(char name, const List& list) {
  constexpr std::uint64_t start = 0xcbf29ce484222325U, factor = 0x100000001b3U;  // FNV-1a
  Announcement made{start, name, static_cast<std::int32_t>(list.size()), {}};
  for (const int place : list)
    made.number = (made.number ^ static_cast<std::uint32_t>(place)) * factor;
  std::copy_n(list.begin(), std::min(list.size(), shown), made.first.begin());
  return made;
}

void compare(const RoutineCall& call, const Announcement& mine, const Announcement& theirs,
             int place) {
  const int columns = call.grid().columns;
  const std::string other = fmt::format("{{{},{}}}", place / columns, place % columns);
  if (mine.number != theirs.number || mine.count != theirs.count) {
    fail(call,
         "argument 'LIST' has the processes {} here, but {} in process {}: all processes in a list "
         "give it in the same order",
         mine.text(), theirs.text(), other);
  }
  if (mine.name != theirs.name) {
    fail(call, "argument 'SCOPE' is '{}' here, but '{}' in process {}, for the same list",
         static_cast<char>(mine.name), static_cast<char>(theirs.name), other);
  }
}

void compare_with_others(const RoutineCall& call, char name, const List& list) {
  const Scope& all = call.grid().all;
  Announcement mine = announcement_of(name, list), theirs;
  const auto data = [](Announcement& one) { return tutti_array(&one, sizeof one, TUTTI_BYTE); };
  const tutti_data sent = data(mine), received = data(theirs);
  for (const int place : list) {
    if (place != all.rank) check(call, tutti_send(all.group, &sent, place, tag_of_lists));
  }
  for (const int place : list) {
    if (place == all.rank) continue;
    check(call, tutti_receive(all.group, &received, place, tag_of_lists, nullptr, nullptr));
    compare(call, mine, theirs, place);
  }
}

void end_scope(const RoutineCall& call, char name) {
  auto& lists = call.grid().lists;
  const auto old = lists.find(name);
  if (old == lists.end()) return;
  check(call, tutti_group_free(old->second.group));
  lists.erase(old);
}

}  // namespace

void map_scope(const char* routine, int context, const char* name, int count, const int* list) {
  const RoutineCall call(routine, context);
  Grid& grid = call.grid();
  const char letter = checked_name(call, name);
  if (count == 0) return end_scope(call, letter);
  List listed = checked_list(call, count, list);
  const auto intent = [&] { return Intent{Deed::map_list, &grid.all}; };
  watched(call, intent, [&] { compare_with_others(call, letter, listed); });
  end_scope(call, letter);
  Scope& made = grid.lists[letter];
  check(call, tutti_group_create(grid.all.group, count, listed.data(), &made.group));
  made.size = count;
  made.rank =
      static_cast<int>(std::find(listed.begin(), listed.end(), grid.all.rank) - listed.begin());
  made.listed = std::move(listed);
}

}  // namespace tutti::blacs
