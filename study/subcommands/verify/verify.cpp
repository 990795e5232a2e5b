// SPDX-License-Identifier: BSD-3-Clause
// `tutti verify` proves algorithms correct and checks schedules from files.
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/error.hpp"
#include "messages.hpp"
#include "support/reporting.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

// A proof for every number of ranks has nothing to do with these options.
void refuse_beside_all_p(const VerifyOptions& options) {
  const CallOptions& call = options.call;
  const std::pair<const char*, bool> given[] = {
      {"-n", !call.ranks.empty() || !call.old_ranks.empty()},
      {"--bytes", !call.bytes.empty()},
      {"--block-bytes", !call.block_bytes.empty()},
      {"--root", !call.root.empty()},
      {"--machine", !call.machine.empty()},
      {"--topology", !call.topology.empty()},
      {"--schedule", !options.schedule.empty()},
      {"--pattern", !options.pattern.empty()},
      {"--conflict-free", options.conflict_free},
      {"--one-receive", options.one_receive}};
  for (const auto& [name, is_given] : given)
    if (is_given)
      base::fail(base::Status::invalid_argument,
                 "--all-p proves for every number of ranks and every root, so {} cannot be given, "
                 "too",
                 name);
}

int verify(VerifyOptions options) {
  return reporting_errors("verify", [&] {
    if (options.all_p) refuse_beside_all_p(options);
    const std::string messages = message_file(options.call);
    if (!messages.empty()) return verify_messages(messages, options) ? 0 : 1;
    const std::string schedule = file_in(options.call);
    if (!schedule.empty() && !verify_program(schedule, options)) return 1;
    take_file(options.call);
    if (options.all_p) return verify_all_p(options) ? 0 : 1;
    const bool file = !options.schedule.empty() || !options.pattern.empty();
    return (file ? verify_file(options) : verify_algorithms(options)) ? 0 : 1;
  });
}

}  // namespace

std::string verify_answer(const char* kind, bool correct, nlohmann::json results) {
  return answer_text("verify",
                     nlohmann::ordered_json{
                         {"kind", kind}, {"correct", correct}, {"results", std::move(results)}});
}

nlohmann::json counterexample_json(const CounterExample& found, bool rooted) {
  nlohmann::json out{
      {"algorithm", found.name}, {"ranks", found.p},
      {"root", nullptr},         {"in_place", found.placement == schedule::Placement::in_place},
      {"round", nullptr},        {"rank", nullptr},
      {"problem", found.problem}};
  if (rooted) out["root"] = found.root;
  if (found.round > 0) out["round"] = found.round;
  if (found.rank >= 0) out["rank"] = found.rank;
  return out;
}

void add_verify(CLI::App& verb, int& code) {
  auto options = std::make_shared<VerifyOptions>();
  add_call_options(verb, options->call,
                   {.operation = "; several with commas; default all",
                    .ranks = ", or a range such as 1..64 (default)",
                    .bytes = "; with --machine, the counted cost as a time; default 1K",
                    .root = ", all, or some (first, middle, last; default)",
                    .algorithm = "; default all",
                    .machine = "; prices what is counted",
                    .topology = " on whose links messages are counted"});
  add_old_operation(verb, options->call);
  add_old_settings(verb, options->call);
  verb.add_option("--p", options->call.old_ranks)->group("");
  verb.add_flag("--all-p", options->all_p,
                "prove for every number of ranks, where an algorithm has an invariant");
  verb.add_flag("--conflict-free", options->conflict_free,
                "two messages on a link in one round are an error");
  verb.add_option("--schedule", options->schedule, "check this chart or list of numbered pairs")
      ->type_name("FILE");
  verb.add_option("--pattern", options->pattern,
                  "the pairs that the schedule has to serve, or all that is checked")
      ->type_name("FILE");
  verb.add_flag("--one-receive", options->one_receive,
                "a rank may receive only one message of a file in a step");
  verb.callback([options, &code] { code = verify(*options); });
}

}  // namespace tutti::tools
