// SPDX-License-Identifier: BSD-3-Clause
// `tutti export` writes the schedule of an algorithm for one number of ranks into a file, which
// every verb and every job can read again.
#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "drawing/chosen.hpp"
#include "formats/limits.hpp"
#include "formats/message_graph.hpp"
#include "formats/msccl.hpp"
#include "formats/program_file.hpp"
#include "machine/profile.hpp"
#include "schedule/printer.hpp"
#include "simulation/recorded.hpp"
#include "support/call.hpp"
#include "support/picture.hpp"
#include "support/reporting.hpp"
#include "support/request.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

struct ExportOptions {
  CallOptions call;
  std::string format;
  std::string compute;
  std::string out;
  bool force = false;
};

// Returns about how long the file would be. The root may have much more to do than the others,
// which have about as much as two of them.
std::int64_t estimated_bytes(const selection::Forced& plan, const schedule::Shape& shape) {
  const auto length = [&](int rank) {
    const schedule::Program program =
        build(*plan.generator, shape, schedule::Rank{(shape.root + rank) % shape.p});
    return static_cast<std::int64_t>(schedule::to_text(program).size());
  };
  const std::int64_t others = std::max(length(1), length(shape.p - 1));
  return (length(0) + others * (shape.p - 1)) * 3 / 2;
}

// Returns the sizes of the call for formats that have no blocks. Combining takes time only if a
// machine is named.
formats::GraphCosts costs_of(const CallOptions& call, const formats::Schedule& schedule) {
  formats::GraphCosts costs;
  if (schedule.operation != schedule::Operation::barrier)
    costs.bytes = extent_of(call, schedule.operation, schedule.p).bytes;
  if (!call.machine.empty()) costs.nanoseconds = machine::load(call.machine).gamma.value * 1000;
  return costs;
}

void write(const std::string& path, const std::string& text) {
  if (path.empty() || path == standard_output) return fmt::print("{}", text);
  PictureFile file{path, "--out", "fewer ranks (-n)"};
  file.force = true;  // exported() has checked the size
  write_picture(file, text);
}

// Writes a trace for each rank: PREFIX.0.et and so on.
void write_chakra(const ExportOptions& options, const formats::Schedule& schedule) {
  if (options.out.empty() || options.out == standard_output)
    base::fail(base::Status::invalid_argument,
               "Chakra has a file for each rank: give --out PREFIX, for PREFIX.0.et and so on");
  const formats::GraphCosts costs = costs_of(options.call, schedule);
  const formats::MessageGraph graph = formats::message_graph(schedule, costs);
  for (int rank = 0; rank < schedule.p; ++rank)
    write(fmt::format("{}.{}.et", options.out, rank), formats::chakra_trace(graph, rank, costs));
}

void write_as(const ExportOptions& options, const formats::Schedule& schedule) {
  if (options.format == "chakra") return write_chakra(options, schedule);
  if (options.format == "json") return write(options.out, formats::program_text(schedule));
  if (options.format == "msccl") return write(options.out, formats::msccl_text(schedule));
  const formats::GraphCosts costs = costs_of(options.call, schedule);
  write(options.out, formats::goal_text(formats::message_graph(schedule, costs), costs));
}

formats::Schedule exported(const ExportOptions& options) {
  const CallOptions& call = options.call;
  const schedule::Operation operation = operation_of(call);
  const std::optional<int> p = ranks_of(call, formats::most_ranks);
  if (!p) base::fail(base::Status::invalid_argument, "-n is needed, the number of ranks");
  const selection::Forced plan =
      plan_to_draw(call, operation, *p, extent_of(call, operation, *p)).plan;
  const schedule::Shape shape = plan.settings.shape(*p, root_of(call, *p));
  if (!plan.generator->applies(shape))
    base::fail(base::Status::invalid_argument, "{} is not defined{}",
               describe(*plan.generator, shape), needs_clause(*plan.generator));
  const std::int64_t bytes = estimated_bytes(plan, shape);
  if (!options.force && bytes > formats::most_file_bytes)
    base::fail(base::Status::invalid_argument,
               "{} would have about {} MB, and above {} MB no file is read: ask for fewer ranks; "
               "--force writes it all the same",
               describe(*plan.generator, shape), bytes / 1'000'000,
               formats::most_file_bytes / 1'000'000);
  return formats::schedule_of(*plan.generator, shape, shown_name(*plan.generator, plan.settings));
}

// Writes a recorded run as a graph of messages.
void write_recorded(const ExportOptions& options, const std::string& file) {
  const CallOptions& call = options.call;
  if (!call.ranks.empty() || !call.root.empty() || !call.algorithm.empty() || sized(call))
    base::fail(base::Status::invalid_argument,
               "{} is a recorded run, which has its ranks, operations and sizes: -n, --bytes, "
               "--root and --algorithm cannot be given, too",
               file);
  if (options.format != "goal")
    base::fail(base::Status::invalid_argument,
               "{} is a recorded run, which no other format than goal can say: give --format goal",
               file);
  const formats::RecordedRun run = recorded_run_in(file);
  replay::ReplayOptions replayed;
  if (!options.compute.empty()) replayed.compute = factor_named(options.compute);
  std::optional<machine::Machine> machine;
  if (!call.machine.empty()) machine = machine::load_machine(call.machine, {});
  const formats::MessageGraph graph =
      replay::graph_of(run, replayed, machine ? &*machine : nullptr);
  const std::string text = formats::goal_text(graph, {.bytes = 0, .nanoseconds = 1});
  if (!options.force && static_cast<std::int64_t>(text.size()) > formats::most_file_bytes)
    base::fail(base::Status::invalid_argument,
               "{} would have {} MB, and above {} MB no file is read; --force writes it all the "
               "same",
               file, text.size() / 1'000'000, formats::most_file_bytes / 1'000'000);
  write(options.out, text);
}

int export_schedule(ExportOptions options) {
  return reporting_errors("export", [&] {
    if (const std::string record = recorded_file(options.call); !record.empty()) {
      write_recorded(options, record);
      return 0;
    }
    if (!options.compute.empty())
      base::fail(base::Status::invalid_argument, "--compute is for a recorded run, and {} is none",
                 options.call.operation);
    if (options.format.empty()) options.format = "json";
    take_file(options.call);
    if (options.call.json && options.format != "json")
      base::fail(base::Status::invalid_argument, "--json and --format {} exclude each other",
                 options.format);
    write_as(options, exported(options));
    return 0;
  });
}

}  // namespace

void add_export(CLI::App& verb, int& code) {
  auto options = std::make_shared<ExportOptions>();
  const auto add = [&](const char* name, std::string& text, const char* type, const char* about) {
    return verb.add_option(name, text, about)->type_name(type);
  };
  add("operation", options->call.operation, "OPERATION",
      "such as allreduce or bcast, or a file, also of a recorded run");
  add("-n,--ranks", options->call.ranks, "N", "number of ranks");
  add("--root", options->call.root, "RANK",
      "the root of bcast, reduce, scatter and gather; default 0");
  add("--algorithm", options->call.algorithm, "NAME",
      "by a name that any command prints, such as tree:branches=2; default the one that would run");
  verb.add_option("--format", options->format,
                  "json (default), msccl, goal or chakra, which other programs read")
      ->check(CLI::IsMember({"json", "msccl", "goal", "chakra"}));
  add("--bytes", options->call.bytes, "SIZE",
      "size of the whole vector, by which the algorithm is chosen, and for goal and chakra; "
      "default 1K");
  add("--machine", options->call.machine, "NAME",
      "a machine that says how long combining takes, for goal and chakra, and copying in a "
      "recorded run; default no time");
  add("--compute", options->compute, "FACTOR",
      "how long ranks compute, as a factor of a recorded run's times, such as x1; default no time");
  add("--out", options->out, "FILE", "into this file; default -, the standard output");
  verb.add_flag("--json", options->call.json, "as --format json, and an error as JSON, too");
  verb.add_flag("--force", options->force, "write a file of any size");
  verb.callback([options, &code] { code = export_schedule(*options); });
}

}  // namespace tutti::tools
