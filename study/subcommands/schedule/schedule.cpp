// SPDX-License-Identifier: BSD-3-Clause
// `tutti schedule` gives the messages of a pattern steps in which no two of them meet on a link.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "formats/load.hpp"
#include "formats/message_graph.hpp"
#include "formats/program_file.hpp"
#include "schedule/printer.hpp"
#include "support/call.hpp"
#include "support/checks.hpp"
#include "support/picture.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"
#include "traffic/chart_file.hpp"
#include "traffic/numbering.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

using schedule::Block;
using schedule::Buffer;
using schedule::Operation;
using traffic::Message;
using traffic::Messages;

struct ScheduleOptions {
  CallOptions call;
  std::string pattern;
  std::string out;
  std::uint64_t seed = 1;
  std::int64_t moves = traffic::Effort{}.moves;
  bool one_receive = false;
};

// The pattern, and the operation if it is that of one.
struct Pattern {
  std::shared_ptr<const machine::Topology> topology;
  std::optional<Operation> operation;
  int root = 0;
  Messages messages;
};

Pattern pattern_of(const ScheduleOptions& options) {
  const CallOptions& call = options.call;
  if (call.operation.empty() == options.pattern.empty())
    base::fail(base::Status::invalid_argument,
               "give an operation, such as alltoall, or a list of pairs with --pattern FILE");
  Pattern pattern;
  pattern.topology = network_of(call);
  if (pattern.topology == nullptr)
    base::fail(base::Status::invalid_argument, "--topology is needed, such as mesh:4x4");
  const machine::Topology& topology = *pattern.topology;
  if (!options.pattern.empty()) {
    const std::string text = formats::contents_of(options.pattern);
    pattern.messages = traffic::read_messages(text, options.pattern, topology).messages;
    if (pattern.messages.empty())
      base::fail(base::Status::invalid_argument, "{} holds no messages", options.pattern);
    return pattern;
  }
  pattern.operation = operation_of(call);
  pattern.root = root_of(call, topology.nodes());
  const schedule::Shape shape{.p = topology.nodes(), .root = pattern.root};
  pattern.messages = traffic::routed(traffic::pairs_of(*pattern.operation, shape), topology);
  return pattern;
}

std::string list_text(const Messages& messages, const machine::Topology& topology) {
  std::string text;
  for (const Message& message : messages)
    text += fmt::format("{}: {} -> {}\n", message.step, topology.label(message.from),
                        topology.label(message.to));
  return text;
}

// Returns the messages as a graph. A message waits for all messages of its rank in the last step
// before in which there are any.
formats::MessageGraph graph_of(const Messages& messages, int ranks, std::int64_t bytes) {
  using Kind = formats::MessageNode::Kind;
  formats::MessageGraph graph(static_cast<std::size_t>(ranks));
  const auto add = [&](int rank, Kind kind, int peer, int round) {
    auto& nodes = graph[static_cast<std::size_t>(rank)];
    formats::MessageNode node{kind, peer, bytes, round, {}};
    int before = -1;
    for (auto other = nodes.rbegin(); other != nodes.rend(); ++other) {
      if (other->round == round) continue;
      if (before < 0) before = other->round;
      if (other->round != before) break;
      node.after.push_back(static_cast<int>(nodes.rend() - other) - 1);
    }
    nodes.push_back(std::move(node));
  };
  for (const Message& message : messages) {
    add(message.from, Kind::send, message.to, message.step - 1);
    add(message.to, Kind::receive, message.from, message.step - 1);
  }
  return graph;
}

// Returns the block that a message of the operation carries, by its sender, and where its receiver
// puts it.
std::pair<Block, Block> blocks_of(Operation operation, const Message& message) {
  const int from = message.from, to = message.to;
  switch (operation) {
    case Operation::broadcast:
      return {{Buffer::output, 0}, {Buffer::output, 0}};
    case Operation::scatter:
      return {{Buffer::input, to}, {Buffer::output, 0}};
    case Operation::alltoall:
      return {{Buffer::input, to}, {Buffer::output, from}};
    default:  // gather and allgather
      return {{Buffer::input, 0}, {Buffer::output, from}};
  }
}

schedule::Buffers buffers_of(Operation operation, int p) {
  switch (operation) {
    case Operation::broadcast:
      return {.output = 1};
    case Operation::scatter:
      return {.input = p, .output = 1, .parts = p, .output_own_part = true};
    case Operation::alltoall:
      return {.input = p, .output = p, .parts = p};
    default:
      return {.input = 1, .output = p, .parts = p, .input_own_part = true};
  }
}

bool moves_blocks(Operation operation) {
  constexpr Operation moves[] = {Operation::broadcast, Operation::scatter, Operation::gather,
                                 Operation::allgather, Operation::alltoall};
  return std::find(std::begin(moves), std::end(moves), operation) != std::end(moves);
}

// Returns the schedule of an operation that only moves blocks, each straight to its receiver.
formats::Schedule schedule_of(const Pattern& pattern, const Messages& messages) {
  if (!pattern.operation || !moves_blocks(*pattern.operation))
    base::fail(
        base::Status::invalid_argument,
        "only a broadcast, scatter, gather, allgather or alltoall can be a schedule as JSON; "
        "write a list, or messages into a file that ends in .goal");
  const Operation operation = *pattern.operation;
  formats::Schedule made;
  made.name = fmt::format("numbered for {}", pattern.topology->name());
  made.operation = operation;
  made.p = pattern.topology->nodes();
  made.root = pattern.root;
  // In an exchange in place, a block would overwrite one that is still to be sent.
  made.in_place = operation != Operation::alltoall;
  made.buffers = buffers_of(operation, made.p);
  const auto rounds = static_cast<std::size_t>(std::max(1, traffic::last_step(messages)));
  made.programs.assign(static_cast<std::size_t>(made.p), schedule::Program(rounds));
  for (const Message& message : messages) {
    const auto [sent, received] = blocks_of(operation, message);
    const auto t = static_cast<std::size_t>(message.step - 1);
    made.programs[static_cast<std::size_t>(message.from)][t].send({sent},
                                                                  schedule::Rank{message.to});
    made.programs[static_cast<std::size_t>(message.to)][t].receive({received},
                                                                   schedule::Rank{message.from});
  }
  for (int rank = 0; rank < made.p; ++rank) {  // a rank's own block
    const bool has_own =
        (operation != Operation::scatter && operation != Operation::gather) || rank == made.root;
    if (operation == Operation::broadcast || !has_own) continue;
    const auto [from, to] = blocks_of(operation, {.from = rank, .to = rank, .route = {}});
    made.programs[static_cast<std::size_t>(rank)][0].copy({to}, {from});
  }
  return made;
}

std::string file_text(const ScheduleOptions& options, const Pattern& pattern,
                      const Messages& messages) {
  if (options.out.ends_with(".json")) return formats::program_text(schedule_of(pattern, messages));
  if (!options.out.ends_with(".goal")) return list_text(messages, *pattern.topology);
  const Sizes sizes = sizes_of(options.call, "1K");
  const formats::MessageGraph graph =
      graph_of(messages, pattern.topology->nodes(), sizes.values.front());
  return formats::goal_text(graph, {});
}

nlohmann::json messages_json(const Messages& messages) {
  Table rows("step;from;to");
  for (const Message& message : messages) rows.add({message.step, message.from, message.to});
  return rows.json();
}

void print(const ScheduleOptions& options, const Pattern& pattern, const Messages& messages,
           const traffic::StepBounds& bounds) {
  const int steps = traffic::last_step(messages);
  const std::string subject =
      pattern.operation ? schedule::to_text(*pattern.operation) : options.pattern;
  if (options.call.json) {
    nlohmann::json out{{"pattern", subject},
                       {"topology", pattern.topology->name()},
                       {"message_count", messages.size()},
                       {"messages", messages_json(messages)},
                       {"steps", steps},
                       {"least", bounds.least()},
                       {"least_by_sends", bounds.sends},
                       {"least_by_receives", bounds.receives},
                       {"least_by_links", bounds.link}};
    fmt::print("{}", answer_text("schedule", out));
    return;
  }
  std::FILE* const place = options.out.empty() ? stderr : stdout;
  const std::string receives =
      options.one_receive ? fmt::format("one receives {}, ", bounds.receives) : "";
  const std::string summary = fmt::format(
      "{} on {}: {} messages in {} steps; no numbering has fewer than {}: a rank sends {}, {}a "
      "link "
      "carries {}\n",
      subject, pattern.topology->name(), messages.size(), steps, bounds.least(), bounds.sends,
      receives, bounds.link);
  // Failure is harmless: run_command() asks stdout for errors at the end; stderr has only a remark.
  std::fputs(summary.c_str(), place);
  if (pattern.operation && !moves_blocks(*pattern.operation))
    base::notice(
        "There is a message wherever a rank needs something of another one. The list does "
        "not say who combines what, so by itself it is no {} that could run.\n",
        subject);
  if (options.out.empty()) fmt::print("{}", list_text(messages, *pattern.topology));
}

int make_schedule(ScheduleOptions options) {
  return reporting_errors("schedule", [&] {
    const Pattern pattern = pattern_of(options);
    require_one_output(options.call.json, {{"--out", options.out}});
    if (options.out == standard_output) options.out.clear();
    const auto receiving =
        options.one_receive ? traffic::Receiving::one_at_a_time : traffic::Receiving::any_number;
    const Messages messages = traffic::numbered(pattern.messages, *pattern.topology, receiving,
                                                {.seed = options.seed, .moves = options.moves});
    if (!options.out.empty()) {
      PictureFile file{options.out, "--out", "fewer messages"};
      file.force = true;
      write_picture(file, file_text(options, pattern, messages));
    }
    print(options, pattern, messages,
          traffic::bounds_of(pattern.messages, *pattern.topology, receiving));
    return 0;
  });
}

}  // namespace

void add_schedule(CLI::App& verb, int& code) {
  auto options = std::make_shared<ScheduleOptions>();
  const auto add = [&](const char* name, std::string& text, const char* type, const char* about) {
    return verb.add_option(name, text, about)->type_name(type);
  };
  add("operation", options->call.operation, "OPERATION",
      "whose pairs are numbered, such as alltoall; or --pattern");
  add("--pattern", options->pattern, "FILE", "a list of pairs: source -> destination");
  add("--topology", options->call.topology, "T", "a network, such as mesh:16x32 or hypercube:3");
  add("--machine", options->call.machine, "NAME", "instead, the network of a machine");
  add("--root", options->call.root, "RANK", "the root of bcast, scatter and gather; default 0");
  add("-o,--out", options->out, "FILE",
      "into this file: .json is a schedule, .goal messages for simulate and draw, any other a "
      "list; default -, a list on the standard output");
  add("--bytes", options->call.bytes, "SIZE", "of each message, for .goal; default 1K");
  verb.add_flag("--one-receive", options->one_receive,
                "a rank receives only one message in a step");
  verb.add_option("--seed", options->seed, "of the search; default 1")
      ->type_name("N")
      ->check(whole_number(0));
  verb.add_option("--moves", options->moves, "of the search; default 200000")
      ->type_name("N")
      ->check(whole_number(0));
  verb.add_flag("--json", options->call.json, "what was found as JSON");
  verb.callback([options, &code] { code = make_schedule(*options); });
}

}  // namespace tutti::tools
