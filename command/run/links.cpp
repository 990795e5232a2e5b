// SPDX-License-Identifier: BSD-3-Clause
// Sets LD_LIBRARY_PATH and LD_PRELOAD of the programs that `tutti` starts.
#include "run/links.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "support/child.hpp"

namespace tutti::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view folders_variable = "LD_LIBRARY_PATH";
constexpr std::string_view files_variable = "LD_PRELOAD";

// Puts tutti's paths in front of the given ones. Adds no second copy if one `tutti run` was started
// by another.
std::string in_front(const std::vector<std::string>& ours, const std::string& given) {
  const std::string joined = fmt::format("{}", fmt::join(ours, ":"));
  if (joined.empty() || given == joined || given.starts_with(joined + ":")) return given;
  return given.empty() ? joined : joined + ":" + given;
}

void set(std::string_view variable, const std::vector<std::string>& ours,
         const std::string& given) {
  if (ours.empty()) return;
  const std::string name(variable);
  if (::setenv(name.c_str(), in_front(ours, given).c_str(), 1) != 0) base::fail_errno(name);
}

}  // namespace

fs::path links_folder() {
  const fs::path here = fs::path(command_path()).parent_path();
  for (const fs::path& candidate : {here / TUTTI_LINKS_FROM_BIN, here / "../links"}) {
    std::error_code none;
    if (!fs::exists(candidate / "libtutti.so.0", none)) continue;
    fs::path folder = fs::weakly_canonical(candidate);
    if (folder.string().find_first_of(":;") == std::string::npos) return folder;
    base::fail(base::Status::system_error,
               "the loader cannot search {}: it takes a colon or a semicolon for the end of a "
               "path; install tutti below a path that has none",
               folder.string());
  }
  base::fail(base::Status::system_error,
             "the links to tutti's libraries are not at {}; install tutti again",
             (here / TUTTI_LINKS_FROM_BIN).lexically_normal().string());
}

void put_first(const LoadedFirst& first) {
  set(folders_variable, first.folders, base::loader_path());
  set(files_variable, first.files, base::preloaded());
}

void put_first(const LoadedFirst& first, std::vector<std::string>& variables) {
  for (std::string& variable : variables) {
    const auto end = std::min(variable.find('='), variable.size());
    const std::string name = variable.substr(0, end),
                      value = variable.substr(std::min(end + 1, variable.size()));
    if (name == folders_variable) variable = name + "=" + in_front(first.folders, value);
    if (name == files_variable) variable = name + "=" + in_front(first.files, value);
  }
}

}  // namespace tutti::tools
