// SPDX-License-Identifier: BSD-3-Clause
// Reads the rounds of operations, and checks them (recorded_operation.hpp).
#include "formats/recorded_operation.hpp"

#include <limits>
#include <span>
#include <sstream>

#include "formats/json_keys.hpp"
#include "formats/limits.hpp"

namespace tutti::formats {
namespace {

using schedule::BoundRound;

int count(JsonText& json) {
  return static_cast<int>(take_number(json, 0, std::numeric_limits<int>::max()));
}

std::int64_t bytes(JsonText& json) {
  return take_number(json, 0, most_bytes_of_message);
}

// Reads an object that must have both keys. The functions take their values.
template <class First, class Second>
void read_both(JsonText& json, std::span<const std::string_view> known, const First& first,
               const Second& second) {
  Keys keys(json);
  json.object([&](std::string_view key) {
    if (keys.take(key, known) == 0)
      first();
    else
      second();
  });
  keys.need(0, known);
  keys.need(1, known);
}

schedule::BoundSend send(JsonText& json) {
  static constexpr std::string_view known[] = {"to", "bytes"};
  schedule::BoundSend made{};
  read_both(
      json, known, [&] { made.to = count(json); }, [&] { made.bytes = bytes(json); });
  return made;
}

schedule::BoundReceive receive(JsonText& json) {
  static constexpr std::string_view known[] = {"from", "combined"};
  Keys keys(json);
  schedule::BoundReceive made{0, schedule::OnArrival::taken};
  json.object([&](std::string_view key) {
    if (keys.take(key, known) == 0) {
      made.from = count(json);
    } else if (json.boolean()) {
      made.then = schedule::OnArrival::combined;
    }
  });
  keys.need(0, known);
  return made;
}

schedule::LocalCombine combine(JsonText& json) {
  static constexpr std::string_view known[] = {"bytes", "operands"};
  schedule::LocalCombine made{};
  read_both(
      json, known, [&] { made.bytes = bytes(json); },
      [&] { made.operands = take_number(json, 2, most_ranks + 1); });
  return made;
}

}  // namespace

RecordedGroup group_in(const std::string& text) {
  std::istringstream words(text);
  RecordedGroup group;
  words >> group.id;
  for (int endpoint = 0; words >> endpoint;) group.endpoints.push_back(endpoint);
  return group;
}

RecordedOperation RecordedOperationReader::read(JsonText& json, int rank) {
  static constexpr std::string_view known[] = {"operation", "algorithm", "group", "member", "root",
                                               "bytes",     "element",   "even",  "rounds"};
  Keys keys(json);
  RecordedOperation made;
  json.object([&](std::string_view key) {
    const std::size_t which = keys.take(key, known);
    if (which == 0) made.operation = take_operation(json, most_text);
    if (which == 1) made.algorithm = json.string(most_text);
    if (which == 2) made.group = group(json);
    if (which == 3) made.member = count(json);
    if (which == 4) made.root = count(json);
    if (which == 5) made.bytes = bytes(json);
    if (which == 6) made.element = take_number(json, 1, most_bytes_of_element);
    if (which == 7) made.even = json.boolean();
    if (which == 8) json.array([&] { read_round(json, made.rounds.emplace_back()); });
  });
  for (std::size_t each = 0; each < std::size(known); ++each) keys.need(each, known);
  check(json, made, rank);
  return made;
}

int RecordedOperationReader::group(JsonText& json) const {
  const auto found = names_.find(json.string(most_text));
  if (found == names_.end()) json.fail("there is no such group");
  return found->second;
}

void RecordedOperationReader::read_round(JsonText& json, BoundRound& round) {
  if (++rounds_ > most_rounds_) json.fail("there are more rounds than the limit, {}", most_rounds_);
  static constexpr std::string_view known[] = {"sends", "receives", "copies", "combines",
                                               "passes_on"};
  Keys keys(json);
  json.object([&](std::string_view key) {
    const std::size_t which = keys.take(key, known);
    if (which == 0) json.array([&] { round.sends.push_back(send(json)); });
    if (which == 1) json.array([&] { round.receives.push_back(receive(json)); });
    if (which == 2) json.array([&] { round.copies.push_back(bytes(json)); });
    if (which == 3) json.array([&] { round.combines.push_back(combine(json)); });
    if (which == 4) round.passes_on = json.boolean();
  });
}

void RecordedOperationReader::check(const JsonText& json, const RecordedOperation& made,
                                    int rank) const {
  const std::vector<int>& members = groups_[static_cast<std::size_t>(made.group)];
  const int p = static_cast<int>(members.size());
  if (made.member >= p || members[static_cast<std::size_t>(made.member)] != rank)
    json.fail("member {} of the group is not this rank", made.member);
  if (made.root >= p) json.fail("there is no root {} in a group of {}", made.root, p);
  const auto is_other = [&](int member) { return member < p && member != made.member; };
  for (const BoundRound& round : made.rounds) {
    for (const schedule::BoundSend& one : round.sends)
      if (!is_other(one.to)) json.fail("member {} cannot be sent to", one.to);
    for (const schedule::BoundReceive& one : round.receives)
      if (!is_other(one.from)) json.fail("member {} cannot send to this one", one.from);
  }
}

}  // namespace tutti::formats
