// SPDX-License-Identifier: BSD-3-Clause
// TUTTI_EXPLAIN: one line for each place in the program that calls a collective, and one more whenever such a place is
// served in another way than before.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "engine/runtime.hpp"

namespace tutti::api {

// How a call came to its plan.
enum class Way : std::uint8_t { chosen, own_counts, plan };

class Explainer {
 public:
  // What TUTTI_EXPLAIN says, for the process with this number in the job. Throws Error(bad_environment) if the file
  // cannot be written.
  [[nodiscard]] static std::unique_ptr<Explainer> of_environment(int endpoint);

  // Of the call that is on this thread's stack.
  void explain(engine::Runtime& runtime, const engine::Group& group, const engine::Plan& plan,
               const engine::Arguments& arguments, Way way);

 private:
  enum class Who : std::uint8_t { first_of_group, everybody };
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stderr) std::fclose(file);
    }
  };
  Explainer(std::FILE* file, Who who) : file_(file), who_(who) {}

  std::unique_ptr<std::FILE, Close> file_;
  Who who_;
  std::set<std::string> said_;
};

}  // namespace tutti::api
