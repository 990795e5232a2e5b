// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `tutti`. Each function adds one to the command line; the one that runs stores
// its exit code in `code`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/reporting.hpp"

namespace tutti::tools {

// The exit codes of a shell for a program that is not there, and for one that cannot be run.
constexpr int program_not_found = 127, program_not_to_be_run = 126;

// split_program() fills `program` before the command line is parsed.
void add_run(CLI::App& app, const std::vector<std::string>& program, int& code);
void add_mpi(CLI::App& app, const std::vector<std::string>& program, int& code);
void add_preload(CLI::App& app, int& code);
void add_spare(CLI::App& app, int& code);
// `arguments` are all arguments of the command; every one is passed on to tutti-papers.
void add_reproduce(CLI::App& app, const std::vector<std::string>& arguments, int& code);
void add_pvm(CLI::App& app, int& code);
void add_pvm_cc(CLI::App& app, int& code);

// The programs that have most verbs.
enum class Elsewhere { study, measure };

// Runs the verb of the command line in its program, and returns its exit code, if it returns.
[[nodiscard]] int run_in(Elsewhere program, int argc, char** argv);

// Formats the help of a verb whose usage CLI11 cannot derive from its options.
class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override { return usage_; }

 private:
  std::string usage_;
};

// Removes the programs and their arguments from the arguments of `run` and `mpi`, so that none of
// their words is taken for an option of tutti. Returns what it removed.
[[nodiscard]] std::vector<std::string> split_program(const CLI::App& app,
                                                     std::vector<std::string>& arguments);

}  // namespace tutti::tools
