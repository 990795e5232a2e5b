// SPDX-License-Identifier: BSD-3-Clause
// Writes answers and errors.
#include "support/answer.hpp"

#include <fmt/format.h>

#include "base/notice.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

constexpr int version = 1;  // of the answers of all verbs
bool json_wanted = false;

const char* name_of(base::Status status) {
  switch (status) {
#define TUTTI_STATUS(name, value, text) \
  case base::Status::name:              \
    return #name;
#include "base/status.def"
#undef TUTTI_STATUS
  }
  return "";
}

template <class Json>
nlohmann::ordered_json versioned(std::string_view verb, const Json& fields) {
  nlohmann::ordered_json all{{fmt::format("tutti_{}", verb), version}};
  for (const auto& [name, value] : fields.items()) all[name] = value;
  return all;
}

}  // namespace

std::string answer_text(std::string_view verb, const nlohmann::json& fields, Layout layout) {
  const nlohmann::ordered_json all = versioned(verb, fields);
  return layout == Layout::lines
             ? json_text(all)
             : all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string answer_text(std::string_view verb, const nlohmann::ordered_json& fields) {
  return json_text(versioned(verb, fields));
}

void answer_in_json(bool wanted) {
  json_wanted = wanted;
}

void print_error(const std::string& command, base::Status status, const std::string& message,
                 int exit_code) {
  base::notice("{}: {}\n", command, message);
  if (!json_wanted) return;
  fmt::print("{}", answer_text("error", nlohmann::ordered_json{{"command", command},
                                                               {"status", name_of(status)},
                                                               {"message", message},
                                                               {"exit_code", exit_code}}));
}

}  // namespace tutti::tools
