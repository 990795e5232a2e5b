// SPDX-License-Identifier: BSD-3-Clause
// The options of `tutti reproduce`. The command declares them for its help and its completions. The
// program tutti-papers (papers/) declares them too, to read what the command passes on.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tutti::tools {

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string paper;
  std::string folder;
  std::string pictures;             // a folder
  std::string measure;              // a paper
  std::string from, save, against;  // files of measured times
  bool quick = false;
  bool list = false;
  bool counts = false;
  bool headlines = false;
  bool all = false;
  bool json = false;
};

// Adds the verb `reproduce` with its options. The caller sets its callback.
CLI::App& add_reproduce_options(CLI::App& app, ReproduceOptions& options);

}  // namespace tutti::tools
