// SPDX-License-Identifier: BSD-3-Clause
// Makes one file of what the processes of a job have recorded: `tutti run --record FILE`.
// tutti-recording(5) describes it.
#pragma once

#include <cstdint>
#include <string>

#include "launch/program.hpp"

namespace tutti::tools {

class JobRecord {
 public:
  // Removes what an earlier job has left beside the file. Throws Error(invalid_argument) if the
  // file cannot be written.
  explicit JobRecord(const std::string& file);

  // Lets a program record what it does. Data that processes read from each other's memory have no
  // place in a record, so BSPlib exchanges them by messages.
  enum class Places : std::uint8_t { left_out, recorded };
  void ask(launch::LaunchedProgram& program, Places places) const;

  // Writes the file when all processes have ended. Their parts are removed before, so that a disk
  // which they have filled has room. Returns a sentence that says what there is. Throws Error; then
  // there is no record.
  [[nodiscard]] std::string finish() const;

 private:
  std::string path_;
};

}  // namespace tutti::tools
