// SPDX-License-Identifier: BSD-3-Clause
// `tutti draw`: the messages of an algorithm on the links of a machine, as a chart or step by step.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "commands.hpp"
#include "draw/picture.hpp"
#include "draw/svg.hpp"
#include "drawing/traffic_json.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "support/call.hpp"
#include "support/picture.hpp"
#include "traffic/load.hpp"

namespace tutti::tools {
namespace {

using traffic::Messages;

struct DrawOptions {
  CallOptions call;
  std::string as;
  std::string steps;
  std::string svg;
  bool force = false;
};

constexpr int most_ranks_of_chart = 128;
constexpr int most_ranks_drawn = 1024;
constexpr std::size_t most_conflicts_printed = 10;

// What is drawn, and how.
struct Drawing {
  std::shared_ptr<const machine::Topology> topology;
  Messages messages;
  std::string title;
  Extent extent;
  int parts = 1;  // of the vector, which blocks are
  draw::Marks marks = draw::Marks::schedule;
  bool chart = false;
  bool granted = false;
};

std::shared_ptr<const machine::Topology> topology_of(const CallOptions& call) {
  if (auto network = network_of(call)) return network;
  const auto ranks = ranks_of(call, most_ranks_drawn);
  if (!ranks)
    base::fail(base::Status::invalid_argument,
               "--topology is needed, such as hypercube:3 or line:8, or -n for a line");
  return machine::parse_topology(fmt::format("line:{}", *ranks));
}

int ranks_on(const CallOptions& call, int nodes, int most) {
  const int p = ranks_of(call, most_ranks_drawn).value_or(nodes);
  if (p > nodes)
    base::fail(base::Status::invalid_argument, "{} ranks do not fit on {} nodes", p, nodes);
  if (p > most)
    base::fail(base::Status::invalid_argument, "{} ranks are too many to draw so; at most {}", p,
               most);
  return p;
}

// Paths are granted where asked for, and in charts of algorithms whose rounds are no steps: with
// several messages for or from one rank in a round.
bool grants(const DrawOptions& options, const Drawing& drawing) {
  if (!options.steps.empty()) return options.steps == "granted";
  return drawing.chart && !traffic::one_port(drawing.messages);
}

void take_needs(Drawing& drawing, schedule::Operation operation, const schedule::Shape& shape) {
  drawing.messages = traffic::pairs_of(operation, shape);
  drawing.marks = draw::Marks::usage;
  drawing.title = fmt::format("{}, p = {}", schedule::to_text(operation), shape.p);
  drawing.parts = has_blocks(operation) ? shape.p : 1;
}

void take_algorithm(Drawing& drawing, const selection::Forced& plan, const schedule::Shape& shape) {
  drawing.title = describe(*plan.generator, shape);
  if (!plan.generator->applies(shape)) {
    const selection::AlgorithmHeader* header = selection::header_of(*plan.generator);
    base::fail(base::Status::invalid_argument, "{} is not defined{}{}", drawing.title,
               header != nullptr ? "; it needs " : "", header != nullptr ? header->needs : "");
  }
  drawing.messages = traffic::messages_of(*plan.generator, shape);
  drawing.parts = plan.generator->buffers(shape).parts;
}

Drawing drawing_of(const DrawOptions& options) {
  const CallOptions& call = options.call;
  Drawing drawing;
  const schedule::Operation operation = operation_of(call);
  drawing.topology = topology_of(call);
  const bool usual_chart = operation == schedule::Operation::alltoall || call.algorithm.empty();
  drawing.chart = options.as.empty() ? usual_chart : options.as == "chart";
  const int p = ranks_on(call, drawing.topology->nodes(),
                         drawing.chart ? most_ranks_of_chart : most_ranks_drawn);
  const int root = root_of(call, p);
  if (call.algorithm.empty()) {
    take_needs(drawing, operation, {.p = p, .root = root});
  } else {
    const selection::Forced plan = plan_of(call, operation, call.algorithm);
    take_algorithm(drawing, plan, plan.settings.shape(p, root));
    drawing.granted = grants(options, drawing);
  }
  drawing.title += ", " + drawing.topology->name();
  drawing.extent = extent_of(call, operation, p);
  if (sized(call)) drawing.title += ", " + to_text(drawing.extent);
  drawing.messages = drawing.granted
                         ? traffic::granted(drawing.messages, *drawing.topology)
                         : traffic::routed(std::move(drawing.messages), *drawing.topology);
  return drawing;
}

void write_svg(const DrawOptions& options, const Drawing& drawing) {
  const std::string text =
      drawing.chart
          ? draw::chart_svg(draw::chart_of(drawing.messages, *drawing.topology, drawing.marks),
                            *drawing.topology, drawing.title)
          : draw::rounds_svg(drawing.messages, *drawing.topology, drawing.title);
  write_picture(
      {options.svg, "--svg", "fewer ranks (-n) or an algorithm of fewer rounds", options.force},
      text);
}

void print_text(const Drawing& drawing) {
  if (!drawing.chart) {
    fmt::print("{}\n\n{}", drawing.title, draw::rounds_text(drawing.messages, *drawing.topology));
    return;
  }
  const draw::Chart chart = draw::chart_of(drawing.messages, *drawing.topology, drawing.marks);
  fmt::print("{}", draw::to_text(chart, *drawing.topology));
  if (drawing.granted)
    fmt::print(stderr, "steps are those in which paths are granted, not rounds\n");
  if (drawing.marks == draw::Marks::usage) return;
  const auto found = traffic::conflicts(drawing.messages);
  for (std::size_t i = 0; i < std::min(found.size(), most_conflicts_printed); ++i)
    fmt::print(stderr, "conflict: {}\n", traffic::to_text(found[i], *drawing.topology));
  if (found.size() > most_conflicts_printed)
    fmt::print(stderr, "and {} more\n", found.size() - most_conflicts_printed);
}

nlohmann::json drawing_json(const Drawing& drawing) {
  nlohmann::json out = messages_json(drawing.messages, *drawing.topology);
  out["title"] = drawing.title;
  out["steps_are"] = drawing.granted ? "granted" : "rounds";
  out["bytes"] = drawing.extent.bytes;
  out["block_bytes"] = drawing.extent.block;
  out["parts"] = drawing.parts;
  return out;
}

int draw(const DrawOptions& options) {
  return reporting_errors("draw", [&] {
    const Drawing drawing = drawing_of(options);
    if (!options.svg.empty()) write_svg(options, drawing);
    options.call.json ? fmt::print("{}\n", drawing_json(drawing).dump(2)) : print_text(drawing);
    return 0;
  });
}

}  // namespace

void add_draw(CLI::App& app, int& code) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* command = app.add_subcommand("draw", "Draws which links an algorithm uses when.");
  add_call_options(*command, options->call,
                   {.ranks = "; default one per node",
                    .bytes = "; default 1K",
                    .algorithm = "; without it, the links that the operation needs",
                    .machine = "",
                    .topology = "; default the machine's, else a line of the ranks"});
  add_old_settings(*command, options->call);
  command
      ->add_option("--as", options->as,
                   "chart or rounds; default chart for alltoall and without algorithm")
      ->check(CLI::IsMember({"chart", "rounds"}));
  command
      ->add_option("--steps", options->steps,
                   "rounds, or granted: paths are taken where free, lowest rank first")
      ->check(CLI::IsMember({"rounds", "granted"}));
  command->add_option("--svg", options->svg, "also as SVG into this file")->type_name("FILE");
  command->add_flag("--force", options->force, "write a picture of any size");
  command->callback([options, &code] { code = draw(*options); });
}

}  // namespace tutti::tools
