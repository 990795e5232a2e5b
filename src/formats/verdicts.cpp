// SPDX-License-Identifier: BSD-3-Clause
// Finds and writes the files of the verdicts.
#include "formats/verdicts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/sha256.hpp"

namespace tutti::formats {
namespace {

std::optional<std::string> folder() {
  const auto cache = base::cache_folder();
  if (!cache) return std::nullopt;
  return *cache + "/tutti/verdicts";
}

// Returns true if only this user could have made what is there.
bool is_own(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && found.st_uid == ::geteuid() &&
         (found.st_mode & (S_IWGRP | S_IWOTH)) == 0 && !S_ISLNK(found.st_mode);
}

std::string claim_text(const std::optional<bool>& claim) {
  return claim ? fmt::format("{}", *claim) : "none";
}

}  // namespace

std::string verdict_key(const ProgramFile& file) {
  return base::sha256(fmt::format("verifier {}, {}, rank_order {}, same_tree {}", TUTTI_VERIFIER,
                                  hash_of(file.schedule), claim_text(file.claims.rank_order),
                                  claim_text(file.claims.same_tree)));
}

bool is_known_right(const std::string& key) {
  const auto place = folder();
  return place && is_own(*place) && is_own(*place + "/" + key);
}

void remember_right(const std::string& key) {
  const auto place = folder();
  if (!place) return;
  for (std::size_t slash = place->find('/', 1); slash != std::string::npos;
       slash = place->find('/', slash + 1))
    // Failure is harmless: without the folder, the proof is made again next time.
    ::mkdir(place->substr(0, slash).c_str(), 0700);
  // Failure is harmless: without the folder, the proof is made again next time.
  ::mkdir(place->c_str(), 0700);
  if (!is_own(*place)) return;
  const int file = base::open_in_shared_folder((*place + "/" + key).c_str(), O_CREAT | O_WRONLY);
  if (file >= 0) ::close(file);
}

}  // namespace tutti::formats
