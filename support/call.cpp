// SPDX-License-Identifier: BSD-3-Clause
// Declares and reads the common options.
#include "support/call.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "algorithms/from_file.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "machine/machine.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"

namespace tutti::tools {
namespace {

using schedule::Operation;

constexpr const char* usual_bytes = "1K";

std::string not_empty(const std::string& text) {
  return text.empty() ? "must not be empty" : "";
}

void hide(CLI::Option* option) {
  option->group("");
}

// Returns the text of -n, or of the older --p.
const std::string& ranks_text(const CallOptions& options) {
  if (!options.ranks.empty() && !options.old_ranks.empty())
    base::fail(base::Status::invalid_argument,
               "the number of ranks is given twice, as {} and as {}", options.ranks,
               options.old_ranks);
  return options.ranks.empty() ? options.old_ranks : options.ranks;
}

}  // namespace

void add_call_options(CLI::App& command, CallOptions& options, const CallNotes& notes) {
  const auto add = [&](const char* name, std::string& text, const char* type,
                       const std::string& about, const char* note) {
    return command.add_option(name, text, about + note)->type_name(type)->check(not_empty);
  };
  add("operation", options.operation, "OPERATION", "such as allreduce or bcast", notes.operation);
  add("-n,--ranks", options.ranks, "N", "number of ranks", notes.ranks);
  CLI::Option* bytes =
      add("--bytes", options.bytes, "SIZE",
          "size of the whole vector, all its blocks, such as 8, 64K or 1M", notes.bytes);
  add("--block-bytes", options.block_bytes, "SIZE",
      "instead, size of the block that one rank gives or gets", "")
      ->excludes(bytes);
  add("--root", options.root, "RANK", "the root of bcast, reduce, scatter and gather", notes.root);
  add("--algorithm", options.algorithm, "NAME",
      "by a name that any command prints, such as tree:branches=2", notes.algorithm);
  add("--machine", options.machine, "NAME",
      "a machine by name or path, which gives rates and a network", notes.machine);
  add("--topology", options.topology, "T", "a network, such as mesh:16x32 or hypercube:3",
      notes.topology);
  command.add_flag("--json", options.json, "as JSON");
}

void add_old_operation(CLI::App& command, CallOptions& options) {
  hide(command.add_option("--op", options.old_operation));
}

void add_old_settings(CLI::App& command, CallOptions& options) {
  options.old_settings.add_to(command);
}

const std::string& operation_text(const CallOptions& options) {
  if (!options.operation.empty() && !options.old_operation.empty())
    base::fail(base::Status::invalid_argument, "the operation is given twice, as {} and as {}",
               options.operation, options.old_operation);
  return options.operation.empty() ? options.old_operation : options.operation;
}

std::string file_in(const CallOptions& options) {
  const std::string& text = options.operation;
  if (algorithms::names_file(text)) return text.substr(algorithms::file_prefix.size());
  return text == "-" || text.ends_with(".json") || text.ends_with(".xml") ? text : std::string();
}

namespace {

// Files are told from operations by the ends of their names.
void refuse_other_file(const std::string& text) {
  std::error_code error;
  if (text.empty() || !std::filesystem::is_regular_file(text, error)) return;
  const auto operation = [&] {
    try {
      static_cast<void>(selection::operation_named(text));
      return true;
    } catch (const base::Error&) {
      return false;
    }
  };
  if (!operation())
    base::fail(base::Status::invalid_argument,
               "{} is a file, but a schedule is read from a name that ends in .json or .xml (for "
               "verify, draw and simulate .goal, too)",
               text);
}

}  // namespace

void take_file(CallOptions& options) {
  const std::string file = file_in(options);
  if (file.empty()) return refuse_other_file(options.operation);
  if (!options.algorithm.empty())
    base::fail(base::Status::invalid_argument,
               "{} is a schedule, so --algorithm {} cannot be given, too", file, options.algorithm);
  options.algorithm = std::string(algorithms::file_prefix) + file;
  const std::vector<algorithms::FileShape> shapes = algorithms::shapes_in_file(options.algorithm);
  const algorithms::FileShape& first = shapes.front();
  options.operation = schedule::to_text(first.operation);
  for (const algorithms::FileShape& other : shapes)
    if (other.operation != first.operation)
      base::fail(base::Status::invalid_argument,
                 "{} holds schedules for {}: give one operation and --algorithm {}", file,
                 algorithms::operations_in_file(options.algorithm), options.algorithm);
  if (shapes.size() > 1) return;
  if (ranks_text(options).empty()) options.ranks = fmt::format("{}", first.p);
  if (options.root.empty() && has_root(first.operation))
    options.root = fmt::format("{}", first.root);
}

Operation operation_of(const CallOptions& options) {
  const std::string& text = operation_text(options);
  if (text.empty())
    base::fail(base::Status::invalid_argument, "an operation is needed, such as allreduce");
  return selection::operation_named(text);
}

std::vector<std::string> operation_words(const CallOptions& options) {
  const std::string& text = operation_text(options);
  if (text.empty() || text == "all") return {};
  return words_of(text);
}

std::optional<int> ranks_of(const CallOptions& options, int most) {
  const std::string& text = ranks_text(options);
  if (text.empty()) return std::nullopt;
  const auto number = base::number_in<int>(text);
  if (!number || *number < 1 || *number > most)
    base::fail(base::Status::invalid_argument, "-n is '{}' but must be a number of ranks, 1 to {}",
               text, most);
  return number;
}

std::vector<int> rank_list(const CallOptions& options, int most) {
  const std::string& text = ranks_text(options);
  if (text.empty()) return {};
  const auto numbers = number_list(text);
  if (!numbers || numbers->front() < 1 || numbers->back() > most)
    base::fail(base::Status::invalid_argument,
               "-n is '{}' but must be a number of ranks, 1 to {}, or a range such as 1..64, or "
               "several with commas",
               text, most);
  return *numbers;
}

Sizes sizes_of(const CallOptions& options, const std::string& usual, std::int64_t multiple,
               std::int64_t factor) {
  if (!options.block_bytes.empty())
    return {Sizes::Of::block,
            sizes_named(options.block_bytes, {"--block-bytes", multiple, factor})};
  return {Sizes::Of::vector, sizes_named(options.bytes.empty() ? usual : options.bytes,
                                         {"--bytes", multiple, factor})};
}

bool sized(const CallOptions& options) {
  return !options.bytes.empty() || !options.block_bytes.empty();
}

Extent extent_of(const CallOptions& options, Operation operation, int p) {
  const Sizes sizes = sizes_of(options, usual_bytes);
  if (sizes.values.size() != 1)
    base::fail(base::Status::invalid_argument, "{} is '{}' but must be one size",
               sizes.of == Sizes::Of::block ? "--block-bytes" : "--bytes",
               sizes.of == Sizes::Of::block ? options.block_bytes : options.bytes);
  return sizes.extent(0, operation, p);
}

int root_of(const CallOptions& options, int p) {
  if (options.root.empty()) return 0;
  const auto root = base::number_in<int>(options.root);
  if (!root)
    base::fail(base::Status::invalid_argument, "--root is '{}' but must be a rank, 0 to {}",
               options.root, p - 1);
  if (*root < 0 || *root >= p)
    base::fail(base::Status::invalid_argument, "--root is {} but there are {} ranks", options.root,
               p);
  return *root;
}

selection::Forced plan_of(const CallOptions& options, Operation operation,
                          const std::string& text) {
  require_schedule(algorithms::name_in(text));
  selection::Forced plan = selection::parse_plan(operation, text);
  if (plan.settings == selection::Settings{} &&
      plan.generator->parameter != schedule::Parameter::none)
    plan.settings = options.old_settings.settings();
  return plan;
}

std::shared_ptr<const machine::Topology> network_of(const CallOptions& options) {
  if (!options.topology.empty()) return machine::parse_topology(options.topology);
  if (options.machine.empty()) return nullptr;
  if (machine::load(options.machine).words.count("network.topology") == 0) return nullptr;
  return machine::load_machine(options.machine).network.topology;
}

}  // namespace tutti::tools
