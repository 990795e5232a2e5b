// SPDX-License-Identifier: BSD-3-Clause
// Reads the profiles that BSP programs write.
#include "bsp/profile.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "base/error.hpp"
#include "base/number.hpp"

namespace tutti::tools {
namespace {

constexpr std::size_t numbers = 9;
constexpr const char* first_line =
    "superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,total_s,"
    "each process,call path,called at";
constexpr std::string_view to_itself = "own-";

double number(const std::string& field, const std::string& file) {
  const auto found = base::number_in<double>(field);
  if (!found) base::fail(base::Status::invalid_argument, "'{}' in {} is no number", field, file);
  return *found;
}

// Returns what is before the next separator, and moves `at` behind it.
std::string field_at(const std::string& line, char separator, const std::string& file,
                     std::size_t& at) {
  const std::size_t end = line.find(separator, at);
  if (end == std::string::npos)
    base::fail(base::Status::invalid_argument, "'{}' in {} has too few fields", line, file);
  const std::string field = line.substr(at, end - at);
  at = end + 1;
  return field;
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Reads `put:OUT:IN:CALLS:SERVED` or `own-put:WORDS:CALLS`.
void add_flow(Work& work, const std::string& text, const std::string& file) {
  const std::vector<std::string> parts = parts_of(text, ':');
  const bool own = parts[0].starts_with(to_itself);
  const std::string name = own ? parts[0].substr(to_itself.size()) : parts[0];
  const auto* const found = std::ranges::find(access_names, name);
  if (found == access_names.end() || parts.size() != (own ? 3 : 5))
    base::fail(base::Status::invalid_argument, "'{}' in {} is no access", text, file);
  Work::Flow& flow = work.flows[static_cast<std::size_t>(found - access_names.begin())];
  const auto value = [&](std::size_t i) { return number(parts[i], file); };
  if (own) {
    flow.own = value(1);
    flow.own_messages = value(2);
  } else {
    flow.out = value(1);
    flow.in = value(2);
    flow.messages = value(3);
    flow.served = value(4);
  }
}

std::vector<Work> processes_of(const std::string& text, const std::string& file) {
  std::vector<Work> processes;
  for (const std::string& process : parts_of(text, ';')) {
    const std::vector<std::string> words = parts_of(process, ' ');
    Work work;
    work.compute = number(words[0], file);
    for (std::size_t i = 1; i < words.size(); ++i) add_flow(work, words[i], file);
    processes.push_back(work);
  }
  return processes;
}

ByAccess<Moved> most_moved(const std::vector<Work>& processes) {
  ByAccess<Moved> most;
  for (const Work& work : processes) {
    for (std::size_t i = 0; i < most.size(); ++i) {
      const Work::Flow& flow = work.flows[i];
      most[i].words = std::max(most[i].words, std::max(flow.out, flow.in) + flow.own);
      most[i].messages = std::max(most[i].messages, flow.messages + flow.own_messages);
    }
  }
  return most;
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

// The place of the bsp_sync call ends the line, and may contain commas.
ProfiledStep step_of(const std::string& line, const std::string& file) {
  std::size_t at = 0;
  std::array<double, numbers> values{};
  for (double& value : values) value = number(field_at(line, ',', file, at), file);
  std::vector<Work> processes = processes_of(field_at(line, ',', file, at), file);
  const std::string path = field_at(line, ',', file, at);
  const ByAccess<Moved> moved = most_moved(processes);
  return {{values[1], values[3], values[6], values[8], moved, std::move(processes)},
          values[2],
          values[4],
          values[5],
          values[7],
          unquoted(line.substr(at)),
          path};
}

}  // namespace

std::vector<ProfiledStep> read_profile(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) base::fail(base::Status::system_error, "cannot read '{}'", file);
  if (line != first_line)
    base::fail(base::Status::invalid_argument, "'{}' is no profile of a BSP program", file);
  std::vector<ProfiledStep> steps;
  while (std::getline(stream, line)) steps.push_back(step_of(line, file));
  return steps;
}

}  // namespace tutti::tools
