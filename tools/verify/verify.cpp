// SPDX-License-Identifier: BSD-3-Clause
// `tutti verify`: proves algorithms, and checks schedules that people write.
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "commands.hpp"

namespace tutti::tools {
namespace {

int verify(const VerifyOptions& options) {
  return reporting_errors("verify", [&] {
    const bool file = !options.schedule.empty() || !options.pattern.empty();
    return (file ? verify_file(options) : verify_algorithms(options)) ? 0 : 1;
  });
}

}  // namespace

void add_verify(CLI::App& app, int& code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "Proves algorithms right, or checks a schedule from a file.");
  command->add_option("--op", options->operation, "only this operation, such as allreduce");
  command->add_option("--algorithm", options->algorithm, "only algorithms of this name");
  command->add_option("--p", options->p, "numbers of ranks, such as 8 or 1..64 (default)")->type_name("RANGE");
  command->add_option("--root", options->root, "all, some (first, middle, last; default) or one rank")
      ->type_name("ROOT");
  options->parameters.add_to(*command);
  command->add_option("--topology", options->topology, "the links that messages use, such as hypercube:3 or mesh:4x4");
  command->add_flag("--conflict-free", options->conflict_free, "two messages on a link in one round are an error");
  command->add_option("--schedule", options->schedule, "check this chart or list of numbered pairs")->type_name("FILE");
  command->add_option("--pattern", options->pattern, "the pairs that the schedule has to serve, or all that is checked")
      ->type_name("FILE");
  command->add_flag("--one-receive", options->one_receive, "a rank may receive only one message of a file in a step");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &code] { code = verify(*options); });
}

}  // namespace tutti::tools
