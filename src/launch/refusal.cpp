// SPDX-License-Identifier: BSD-3-Clause
// Finds out why a program could not be started. It looks at the program's file, because the
// system's errors are ambiguous: "No such file" also stands for a script whose interpreter is
// missing, and "Permission denied" for a folder.
#include "launch/refusal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace tutti::launch {
namespace {

bool may_run(const std::filesystem::path& file) {
  return access(file.c_str(), X_OK) == 0;
}

std::string hint(int error, const std::string& executable, const Setting& setting) {
  std::error_code ignored;
  const auto file = std::filesystem::path(setting.folder) / executable;
  const bool found = std::filesystem::exists(file, ignored);
  if (found && executable.ends_with(".py") && !may_run(file))
    return fmt::format("; Python runs it if python3 stands before it: python3 {}", executable);
  if (executable.find('/') == std::string::npos) {
    return found ? fmt::format("; the file in this folder is called as ./{}", executable) : "";
  }
  if (error == ENOENT && found)
    return "; the file is there, but the interpreter or loader that it names is not";
  if (error == EACCES && std::filesystem::is_directory(file, ignored)) return "; it is a folder";
  if (error == EACCES && found) return fmt::format("; chmod +x {} makes it a program", executable);
  return "";
}

}  // namespace

std::string refusal_text(const StartResult& result, const std::string& executable,
                         const Setting& setting, const std::string& rank_text) {
  const char* problem = std::strerror(result.error);
  if (result.failed == StartStep::folder) {
    return fmt::format("cannot start '{}'{} in the folder '{}': {}", executable, rank_text,
                       setting.folder, problem);
  }
  if (result.failed == StartStep::descriptors) {
    return fmt::format("cannot start '{}'{}: {} for the descriptors of its job{}", executable,
                       rank_text, problem,
                       result.error == EMFILE ? "; allow more open files (ulimit -n)" : "");
  }
  if (result.failed == StartStep::binding) {
    return fmt::format("cannot bind '{}'{} to its processors: {}", executable, rank_text, problem);
  }
  if (result.failed == StartStep::fork) {
    return fmt::format("cannot start '{}'{}: {}{}", executable, rank_text, problem,
                       result.error == EAGAIN ? "; this user or this container may have no more "
                                                "processes (ulimit -u, pids.max)"
                                              : "");
  }
  return fmt::format("cannot run '{}'{}: {}{}", executable, rank_text, problem,
                     hint(result.error, executable, setting));
}

int refusal_code(const StartResult& result) {
  return result.failed == StartStep::program && result.error == ENOENT ? 127 : 126;
}

}  // namespace tutti::launch
