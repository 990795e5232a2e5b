// SPDX-License-Identifier: BSD-3-Clause
// Looks for names in the texts of our headers, which are compiled into tutti-papers.
#include "papers/common/declared.hpp"

#include <cctype>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace tutti::papers {
namespace {

constexpr std::pair<std::string_view, std::string_view> headers[] = {
#include "reproduce_headers.inc"
};

bool in_a_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// A declaration has the name before a bracket, or before a comma in a macro.
bool declares_it(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at > 0 && !in_a_name(text[at - 1]);
    if (begins && end < text.size() && (text[end] == '(' || text[end] == ',')) return true;
  }
  return false;
}

// The list of frontends/mpi has each name without its beginning, as the last argument of a macro.
bool takes_over(std::string_view name) {
  constexpr std::string_view text =
#include "reproduce_mpi.inc"
      ;
  constexpr std::string_view beginning = "MPI_";
  if (!name.starts_with(beginning)) return false;
  return text.find(", " + std::string(name.substr(beginning.size())) + ")\n") !=
         std::string_view::npos;
}

}  // namespace

bool declares(std::string_view header, std::string_view name) {
  if (header == "mpi") return takes_over(name);
  for (const auto& [stem, text] : headers)
    if (stem == header) return declares_it(text, name);
  base::fail(base::Status::invalid_argument, "there is no header '{}.h'", header);
}

std::string_view header_with(std::string_view name) {
  for (const auto& [stem, text] : headers)
    if (declares_it(text, name)) return stem;
  return takes_over(name) ? "mpi" : "";
}

}  // namespace tutti::papers
