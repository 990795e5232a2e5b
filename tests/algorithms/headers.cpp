// SPDX-License-Identifier: BSD-3-Clause
// Implements the reader of headers. TUTTI_ALGORITHMS_DIR is the folder of the sources.
#include "headers.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

namespace tutti::cost {
namespace {

// Returns "operation name" if the line begins a header, else an empty text.
std::string name_in(std::string_view line) {
  const auto colon = line.find(": ");
  if (!line.starts_with("// ") || colon == std::string_view::npos) return {};
  const std::string_view name = line.substr(3, colon - 3);
  const bool plain =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ ") == std::string_view::npos;
  return plain && name.find(' ') == name.rfind(' ') && name.find(' ') != std::string_view::npos
             ? std::string(name)
             : "";
}

std::string_view without_indent(std::string_view comment) {
  return comment.substr(std::min(comment.find_first_not_of("/ "), comment.size()));
}

void read_file(const std::filesystem::path& path, std::map<std::string, Header>& headers) {
  std::ifstream file(path);
  Header* header = nullptr;
  std::string* text = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("//")) {
      header = nullptr;
    } else if (header == nullptr) {
      const std::string name = name_in(line);
      if (name.empty()) continue;
      header = &headers[name];
      *header = {path.filename().string(), line.substr(line.find(": ") + 2), {}, {}, {}};
      text = &header->sentence;
    } else {
      std::string_view rest = without_indent(line);
      const std::pair<std::string_view, std::string*> fields[] = {
          {"Source:", &header->source}, {"Needs:", &header->needs}, {"Cost:", &header->cost}};
      for (const auto& [title, field] : fields) {
        if (!rest.starts_with(title)) continue;
        text = field;
        rest = without_indent(rest.substr(title.size()));
      }
      *text += (text->empty() ? "" : " ") + std::string(rest);
    }
  }
}

}  // namespace

std::map<std::string, Header> read_headers() {
  std::map<std::string, Header> headers;
  for (const auto& entry : std::filesystem::directory_iterator(TUTTI_ALGORITHMS_DIR))
    if (entry.path().extension() == ".cpp") read_file(entry.path(), headers);
  return headers;
}

}  // namespace tutti::cost
