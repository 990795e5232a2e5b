// SPDX-License-Identifier: BSD-3-Clause
// Makes scopes of lists (lists.hpp). Each list gets a group whenever it is mapped, so all of its
// processes make equally many. They compare their lists first: processes with different lists would
// wait for each other for ever.
#include "lists.hpp"

#include <fmt/ranges.h>
#include <tutti/tutti_runtime.h>

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

void check_once(const RoutineCall& call, const List& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto first = std::find(numbers.begin(), numbers.end(), numbers[i]);
    const auto before = static_cast<std::size_t>(first - numbers.begin());
    if (before == i) continue;
    fail(call, "arguments 'LIST'({}) and 'LIST'({}) are the same process, {}", before + 1, i + 1,
         numbers[i]);
  }
}

List checked_numbers(const RoutineCall& call, int count, const int* numbers) {
  const Scope& all = call.grid().all;
  if (count < 0 || count > all.size)
    fail(call, "argument 'N' is {}, but the grid has {} processes", count, all.size);
  require(call, "LIST", numbers);
  List list(numbers, numbers + count);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (place_of_number(call.grid(), list[i]) >= 0) continue;
    fail(call, "argument 'LIST'({}) is {}, but no process of the grid has this number", i + 1,
         list[i]);
  }
  check_once(call, list);
  const int own = number_at(call.grid(), all.rank);
  if (std::find(list.begin(), list.end(), own) == list.end())
    fail(call, "argument 'LIST' has not this process, which has the number {}", own);
  return list;
}

List places_of(const Grid& grid, const List& numbers) {
  List places;
  for (const int number : numbers) places.push_back(place_of_number(grid, number));
  return places;
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
  for (const int listed : list)
    made.number = (made.number ^ static_cast<std::uint32_t>(listed)) * factor;
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

// Makes a group of the whole grid for announcements only, because a receive from anybody may take
// any message in the grid's own group. Groups of one label have one name, so only the processes of
// a list need to make it, while they compare.
tutti_group group_for_announcements(const RoutineCall& call) {
  constexpr std::uint64_t label = 0x424c4143534c5354;  // "BLACSLST"
  const Scope& all = call.grid().all;
  List endpoints;
  for (int place = 0; place < all.size; ++place)
    endpoints.push_back(tutti_endpoint(all.group, place));
  tutti_group made{0};
  check(call, tutti_group_of_endpoints(all.size, endpoints.data(), label, &made));
  return made;
}

void compare_with_others(const RoutineCall& call, Announcement mine, const List& places) {
  constexpr int tag = 0;
  const int own = call.grid().all.rank;
  const tutti_group group = group_for_announcements(call);
  Announcement theirs;
  const auto data = [](Announcement& one) { return tutti_array(&one, sizeof one, TUTTI_BYTE); };
  const tutti_data sent = data(mine), received = data(theirs);
  for (const int place : places) {
    if (place != own) check(call, tutti_send(group, &sent, place, tag));
  }
  for (const int place : places) {
    if (place == own) continue;
    check(call, tutti_receive(group, &received, place, tag, nullptr, nullptr));
    compare(call, mine, theirs, place);
  }
  check(call, tutti_group_free(group));
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
  const List numbers = checked_numbers(call, count, list);
  List places = places_of(grid, numbers);
  const auto intent = [&] { return Intent{Deed::map_list, &grid.all}; };
  watched(call, intent,
          [&] { compare_with_others(call, announcement_of(letter, numbers), places); });
  end_scope(call, letter);
  Scope& made = grid.lists[letter];
  check(call, tutti_group_create(grid.all.group, count, places.data(), &made.group));
  made.size = count;
  made.rank =
      static_cast<int>(std::find(places.begin(), places.end(), grid.all.rank) - places.begin());
  made.listed = std::move(places);
}

}  // namespace tutti::blacs
