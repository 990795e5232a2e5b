// SPDX-License-Identifier: BSD-3-Clause
// The page of docs/papers about a paper: all items with their states, the headlines with their
// pictures, and links to all other pictures. `tutti reproduce --write` uses it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "papers/common/chart.hpp"
#include "papers/common/printed.hpp"

namespace tutti::papers {

// The folder beside the pages that has their pictures.
inline constexpr const char* figures_folder = "figures";

struct Page {
  std::string text;
  std::vector<Chart> charts;  // its pictures
};
// Computes all that stands on the page. It is the same in every run.
[[nodiscard]] Page page_of(const Paper& paper);

// Writes a page or a picture. Throws base::Error if the file cannot be written.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace tutti::papers
