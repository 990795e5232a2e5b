// SPDX-License-Identifier: BSD-3-Clause
// Prints the facts that CMake has written (cmake/TuttiBuildFacts.cmake), and the folder above the
// one of the command.
#include "info/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/child.hpp"

namespace tutti::tools {
namespace {

constexpr const char* facts =
#include "build_facts.inc"
    ;

struct Line {
  const char* head;
  const char* fact;
  const char* missing;  // printed where the fact is empty; without it, nothing is printed then
};

constexpr Line lines[] = {{"installed below", "prefix", "unknown"},
                          {"commit", "commit", "unknown, as it was not built from a checkout"},
                          {"kind of build", "type", "unknown"},
                          {"compiler", "compiler", "unknown"},
                          {"flags", "flags", "none"},
                          {"MPIs", "mpis", "none"},
                          {"Fortran", "fortran", "none"},
                          {"Python", "python", "none"},
                          {"prover", "prover", "none"},
                          {"home page", "url", ""},
                          {"faults are reported at", "tracker", ""},
                          {"letters go to", "contact", ""}};

std::string text_of(const nlohmann::json& fact) {
  if (fact.is_string()) return fact.get<std::string>();
  return fmt::format("{}", fmt::join(fact.get<std::vector<std::string>>(), ", "));
}

}  // namespace

nlohmann::json build_json() {
  nlohmann::json out = nlohmann::json::parse(facts);
  out["prefix"] = std::filesystem::path(command_path()).parent_path().parent_path().string();
  return out;
}

void print_build() {
  const nlohmann::json build = build_json();
  for (const Line& line : lines) {
    std::string text = text_of(build[line.fact]);
    if (text.empty()) text = line.missing;
    if (!text.empty()) fmt::print("{}: {}\n", line.head, text);
  }
  for (const nlohmann::json& part : build["left_out"])
    fmt::print("built without {}\n", part.get<std::string>());
}

}  // namespace tutti::tools
