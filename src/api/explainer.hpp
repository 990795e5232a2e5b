// SPDX-License-Identifier: BSD-3-Clause
// Implements TUTTI_EXPLAIN: writes one line for each place in the program that calls a collective,
// and one more whenever another plan serves that place.
#pragma once

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "job/job.hpp"

namespace tutti::api {

// Says how a call came to its plan.
enum class Way : std::uint8_t { chosen, local_counts, plan };

class Explainer {
 public:
  // Makes an explainer as TUTTI_EXPLAIN says; nullptr if this process has nothing to write. Throws
  // Error(bad_environment) if the file cannot be written.
  [[nodiscard]] static std::unique_ptr<Explainer> of_environment(
      const launch::Membership& membership);

  // From now on calls are those of a front end and not the program's, and are not explained; or
  // they are explained again.
  void pause(bool paused) { paused_ = paused; }
  // The next calls come from this place; 0: it is looked for.
  void set_site(std::uint64_t site) { site_ = site; }
  // Explains the call that is on this thread's stack.
  void explain(job::Job& job, const engine::Group& group, const engine::Plan& plan,
               const engine::Arguments& arguments, Way way);
  // Throws Error(system_error), once, if a line could not be written.
  void require_written();

 private:
  struct Close {
    void operator()(std::FILE* file) const {
      // Failure is harmless: each line was flushed before.
      if (file != stderr) std::fclose(file);
    }
  };
  Explainer(std::FILE* file, std::string name) : file_(file), name_(std::move(name)) {}

  std::unique_ptr<std::FILE, Close> file_;
  std::string name_;  // of the file, for messages
  std::set<std::string> said_;
  bool paused_ = false;
  std::uint64_t site_ = 0;
  int lost_ = 0;  // errno of the first line that could not be written
};

}  // namespace tutti::api
