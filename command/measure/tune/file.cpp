// SPDX-License-Identifier: BSD-3-Clause
// Writes a file as a draft beside the file, which then replaces it, and goes through its lines.
#include "tune/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descriptor.hpp"

namespace tutti::tools {
namespace {

std::string draft_of(const std::string& path) {
  return path + ".new";
}

[[noreturn]] void fail(const std::string& path, int error) {
  // Failure is harmless: a draft that stays is replaced by the next one.
  unlink(draft_of(path).c_str());
  base::fail(base::Status::system_error, "{} cannot be written: {}", path, std::strerror(error));
}

launch::Descriptor open_draft(const std::string& path) {
  const std::filesystem::path target(path);
  std::error_code ignored;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), ignored);
  launch::Descriptor draft(
      base::raised(open(draft_of(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)));
  if (!draft.valid())
    base::fail(base::Status::system_error, "{} cannot be written: {}", path, std::strerror(errno));
  return draft;
}

}  // namespace

void require_writable(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail(path, EISDIR);
  (void)open_draft(path);
  // Failure is harmless: a draft that stays is replaced by the next one.
  unlink(draft_of(path).c_str());
}

void write_file(const std::string& path, const std::string& text) {
  const launch::Descriptor draft = open_draft(path);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written =
        base::uninterrupted([&] { return write(draft.get(), text.data() + at, text.size() - at); });
    if (written <= 0) fail(path, written < 0 ? errno : ENOSPC);
    at += static_cast<std::size_t>(written);
  }
  if (fsync(draft.get()) != 0) fail(path, errno);
  if (rename(draft_of(path).c_str(), path.c_str()) != 0) fail(path, errno);
}

TableApart table_apart(const std::string& profile, const std::string& name) {
  TableApart apart;
  std::string notes;  // comments belong to the lines below them
  bool within = false;
  for (std::size_t at = 0; at < profile.size();) {
    const std::size_t end = std::min(profile.find('\n', at), profile.size() - 1) + 1;
    const std::string line = profile.substr(at, end - at);
    at = end;
    if (line.starts_with("#")) {
      notes += line;
      continue;
    }
    if (line.starts_with("[")) {
      within = line.starts_with("[" + name + "]") || line.starts_with("[" + name + ".") ||
               line.starts_with("[[" + name + "]]");
    }
    (within ? apart.table : apart.rest) += notes + line;
    notes.clear();
  }
  (within ? apart.table : apart.rest) += notes;
  return apart;
}

}  // namespace tutti::tools
