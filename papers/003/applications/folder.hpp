// SPDX-License-Identifier: BSD-3-Clause
// A folder for strings and profiles, which ends with the object.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace tutti::papers {

class AppFolder {
 public:
  AppFolder()
      : path_((std::filesystem::temp_directory_path() /
               fmt::format("tutti-applications-{}", getpid()))
                  .string()) {
    std::filesystem::create_directories(path_);
  }
  ~AppFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  AppFolder(const AppFolder&) = delete;
  AppFolder& operator=(const AppFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tutti::papers
