// SPDX-License-Identifier: BSD-3-Clause
// Reads the profiles that BSP programs write.
#include "bsp/profile.hpp"

#include <array>
#include <fstream>

#include "base/error.hpp"
#include "base/number.hpp"

namespace tutti::tools {
namespace {

constexpr std::size_t numbers = 9 + 2 * access_names.size();
constexpr const char* header =
    "superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,total_s,put_"
    "words,puts,hpput_words,hpputs,get_words,gets,hpget_words,hpgets,send_words,sends,call "
    "path,called at";

// Reads the numbers of a line. `rest` is where the place of the bsp_sync call begins; that text may
// contain commas.
std::array<double, numbers> take_numbers(const std::string& line, const std::string& file,
                                         std::size_t& rest) {
  std::array<double, numbers> values{};
  rest = 0;
  for (double& value : values) {
    const std::size_t end = line.find(',', rest);
    if (end == std::string::npos) {
      base::fail(base::Status::invalid_argument, "'{}' in {} has too few fields", line, file);
    }
    const std::string field = line.substr(rest, end - rest);
    const auto found = base::number_in<double>(field);
    if (!found) base::fail(base::Status::invalid_argument, "'{}' in {} is no number", field, file);
    value = *found;
    rest = end + 1;
  }
  return values;
}

std::array<Moved, access_names.size()> moved_of(const std::array<double, numbers>& values) {
  std::array<Moved, access_names.size()> moved;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = {values[9 + 2 * i], values[10 + 2 * i]};
  return moved;
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::vector<ProfiledStep> read_profile(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) base::fail(base::Status::system_error, "cannot read '{}'", file);
  if (line != header)
    base::fail(base::Status::invalid_argument, "'{}' is no profile of a BSP program", file);
  std::vector<ProfiledStep> steps;
  while (std::getline(stream, line)) {
    std::size_t rest = 0;
    const auto values = take_numbers(line, file, rest);
    const std::size_t path_end = line.find(',', rest);
    if (path_end == std::string::npos)
      base::fail(base::Status::invalid_argument, "'{}' in {} has too few fields", line, file);
    steps.push_back({{values[1], values[3], values[6], values[8], moved_of(values)},
                     values[2],
                     values[4],
                     values[5],
                     values[7],
                     unquoted(line.substr(path_end + 1)),
                     line.substr(rest, path_end - rest)});
  }
  return steps;
}

}  // namespace tutti::tools
