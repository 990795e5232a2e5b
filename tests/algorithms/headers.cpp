// SPDX-License-Identifier: BSD-3-Clause
// The reader of headers. TUTTI_ALGORITHMS_DIR is the source folder.
#include "headers.hpp"

#include <filesystem>
#include <fstream>
#include <regex>

namespace tutti::cost {
namespace {

void read_file(const std::filesystem::path& path, std::map<std::string, Header>& headers) {
  static const std::regex first("// ([a-z_]+ [a-z_]+): (.*)"), field("//   (Source|Needs|Cost): +(.*)"),
      more("//(?:   )? +(.*)");
  std::ifstream file(path);
  std::smatch match;
  Header* header = nullptr;
  std::string* text = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("//")) {
      header = nullptr;
    } else if (header == nullptr && std::regex_match(line, match, first)) {
      header = &headers[match[1]];
      *header = {path.filename().string(), match[2], {}, {}, {}};
      text = &header->sentence;
    } else if (header != nullptr && std::regex_match(line, match, field)) {
      text = match[1] == "Source" ? &header->source : match[1] == "Needs" ? &header->needs : &header->cost;
      *text = match[2];
    } else if (header != nullptr && std::regex_match(line, match, more)) {
      *text += " " + match[1].str();
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
