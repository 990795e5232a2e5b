// SPDX-License-Identifier: BSD-3-Clause
// Reads operations and groups as processes record them: operations are bound to members and bytes,
// in JSON. They stand in files of recorded runs, and processes send them to who follows their run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/json_text.hpp"
#include "formats/recorded_run.hpp"

namespace tutti::formats {

// A group as a process tells of it.
struct RecordedGroup {
  std::string id;
  std::vector<int> endpoints;
};

// Reads "ID ENDPOINT ENDPOINT ...".
[[nodiscard]] RecordedGroup group_in(const std::string& text);

class RecordedOperationReader {
 public:
  // By group: the ranks of its members. Groups may be added to it. More rounds than `most`
  // in all are an error.
  RecordedOperationReader(const std::vector<std::vector<int>>& groups, std::int64_t most)
      : groups_(groups), most_rounds_(most) {}

  // Says by which name operations know a group. Returns false if there is one of this name.
  bool add_group(std::string_view id, int group) { return names_.emplace(id, group).second; }

  // Takes an operation of this rank. Throws Error if it is not understood, or if its members are
  // not those of its group.
  [[nodiscard]] RecordedOperation read(JsonText& json, int rank);

 private:
  [[nodiscard]] int group(JsonText& json) const;
  void read_round(JsonText& json, schedule::BoundRound& round);
  void check(const JsonText& json, const RecordedOperation& made, int rank) const;

  const std::vector<std::vector<int>>& groups_;
  std::map<std::string, int, std::less<>> names_;
  std::int64_t rounds_ = 0, most_rounds_;
};

}  // namespace tutti::formats
