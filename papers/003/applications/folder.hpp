// SPDX-License-Identifier: BSD-3-Clause
// A folder for strings and profiles, which ends with the object.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"

namespace tutti::papers {

class AppFolder {
 public:
  AppFolder()
      : path_((std::filesystem::temp_directory_path() / "tutti-applications-XXXXXX").string()) {
    // Nobody can foresee the name, so no other user waits there with a file or a link.
    if (mkdtemp(path_.data()) == nullptr) base::fail_errno("making the folder " + path_);
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
