// SPDX-License-Identifier: BSD-3-Clause
// Reads files and folders of schedules.
#include "formats/load.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "formats/check.hpp"
#include "formats/limits.hpp"
#include "formats/msccl.hpp"
#include "formats/verdicts.hpp"

namespace tutti::formats {
namespace {

constexpr std::size_t most_files = 4096;  // of a folder

struct Closer {
  // Failure is harmless: the file was only read.
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string contents_of(std::FILE* file, const std::string& path, std::int64_t most) {
  std::string text;
  char piece[1 << 16];
  while (const std::size_t bytes = std::fread(piece, 1, sizeof piece, file)) {
    text.append(piece, bytes);
    if (static_cast<std::int64_t>(text.size()) > most)
      base::fail(base::Status::invalid_argument, "{} is longer than the limit, {} bytes", path,
                 most);
  }
  if (std::ferror(file) != 0) base::fail(base::Status::invalid_argument, "{} cannot be read", path);
  return text;
}

// Returns true in the process that tells the user what concerns all processes of a job.
bool is_first_process() {
  const auto own = base::integer(base::Variable::rank);
  return own.value_or(base::mpi_launcher_rank().value_or(0)) == 0;
}

std::string refuted_claim(const Claims& claims, const schedule::Verdict& verdict) {
  if (claims.rank_order.value_or(verdict.rank_order) != verdict.rank_order)
    return fmt::format("the file claims rank_order {}, which is wrong", *claims.rank_order);
  if (claims.same_tree.value_or(verdict.same_tree) != verdict.same_tree)
    return fmt::format("the file claims same_tree {}, which is wrong", *claims.same_tree);
  return {};
}

}  // namespace

std::string contents_of(const std::string& path, std::int64_t most) {
  if (path == "-") {
    // It can be read only once, and a command may ask for it again.
    static const std::string standard_input = contents_of(stdin, "the standard input", most);
    return standard_input;
  }
  if (path.empty())
    base::fail(base::Status::invalid_argument, "a file without a name is asked for");
  const int descriptor = base::raised(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::unique_ptr<std::FILE, Closer> file(descriptor < 0 ? nullptr
                                                               : ::fdopen(descriptor, "rb"));
  if (!file) base::fail(base::Status::invalid_argument, "{} cannot be read", path);
  return contents_of(file.get(), path, most);
}

std::vector<std::string> schedule_files(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    if (entry.path().extension() == ".json" || entry.path().extension() == ".xml")
      files.push_back(entry.path().string());
    if (files.size() > most_files)
      base::fail(base::Status::invalid_argument, "{} holds more than {} schedules", path,
                 most_files);
  }
  if (error) base::fail(base::Status::invalid_argument, "{} cannot be read", path);
  if (files.empty())
    base::fail(base::Status::invalid_argument, "{} holds no schedule, no .json and no .xml", path);
  std::sort(files.begin(), files.end());
  return files;
}

ProgramFile schedule_in(const std::string& text, const std::string& file) {
  const std::string name = file == "-" ? "standard input" : file;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '<') return read_msccl(text, name);
  return read_program(text, name);
}

ProgramFile schedule_at(const std::string& path) {
  ProgramFile read = schedule_in(contents_of(path), path);
  static std::set<std::string> seen;
  std::vector<std::string> notes;
  if (is_first_process())
    for (const std::string& note : read.notes)
      if (seen.insert(note).second) notes.push_back(note);
  base::warn_of(notes);
  return read;
}

Refutation refutation(const ProgramFile& file) {
  const std::string key = verdict_key(file);
  if (is_known_right(key)) return {};
  const schedule::Verdict verdict = verdict_of(file.schedule);
  if (!verdict.correct()) return {verdict.problem, verdict.round, verdict.rank, verdict.placement};
  const std::string problem = refuted_claim(file.claims, verdict);
  if (problem.empty()) remember_right(key);
  return {problem};
}

std::vector<Schedule> proved_schedules(const std::string& path) {
  std::vector<Schedule> schedules;
  for (const std::string& file : schedule_files(path)) {
    ProgramFile read = schedule_at(file);
    const std::string problem = refutation(read).problem;
    if (!problem.empty())
      base::fail(base::Status::invalid_argument, "{} is not correct: {}", file, problem);
    schedules.push_back(std::move(read.schedule));
  }
  return schedules;
}

}  // namespace tutti::formats
