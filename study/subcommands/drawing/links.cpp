// SPDX-License-Identifier: BSD-3-Clause
// Draws messages on the links of a machine, as a chart or round by round.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "draw/picture.hpp"
#include "draw/svg.hpp"
#include "drawing/chosen.hpp"
#include "drawing/options.hpp"
#include "drawing/traffic_json.hpp"
#include "messages.hpp"
#include "schedule/printer.hpp"
#include "support/picture.hpp"
#include "support/table.hpp"
#include "traffic/load.hpp"

namespace tutti::tools {
namespace {

using traffic::Messages;

constexpr int most_ranks_of_chart = 128;
constexpr std::size_t most_conflicts_printed = 10;

// A picture of messages on links: its subject and its form.
struct Drawing {
  std::shared_ptr<const machine::Topology> topology;
  Messages messages;
  std::string title;
  Extent extent;
  int parts = 1;  // number of parts of the vector; a block is one part
  draw::Marks marks = draw::Marks::schedule;
  bool chart = false;
  bool granted = false;
};

std::shared_ptr<const machine::Topology> topology_of(const CallOptions& call) {
  if (auto network = network_of(call)) return network;
  const auto ranks = ranks_of(call, most_ranks_drawn);
  if (!ranks)
    base::fail(base::Status::invalid_argument,
               "-n is needed, the number of ranks, or a --topology such as hypercube:3");
  return machine::parse_topology(fmt::format("line:{}", *ranks));
}

// Paths are granted if --steps says so. The default grants them in charts of algorithms in which a
// rank has several messages in a round.
bool grants(const DrawOptions& options, const Drawing& drawing) {
  if (!options.steps.empty()) return options.steps == "granted";
  return drawing.chart && !traffic::one_port(drawing.messages);
}

void take_needs(Drawing& drawing, schedule::Operation operation, const schedule::Shape& shape) {
  drawing.messages = traffic::pairs_of(operation, shape);
  drawing.marks = draw::Marks::usage;
  drawing.title = fmt::format("{}, p = {}", schedule::to_text(operation), shape.p);
  drawing.parts = is_cut_by_rank(operation) ? shape.p : 1;
}

void take_plan(Drawing& drawing, const PlanToDraw& plan, int p, int root) {
  const schedule::Shape shape = plan.plan.settings.shape(p, root);
  const schedule::Generator& generator = *plan.plan.generator;
  drawing.title = title_of(plan, shape);
  drawing.messages = traffic::messages_of(generator, shape);
  drawing.parts = generator.buffers(shape).parts;
}

// Returns the drawing of messages from a file.
Drawing drawing_of_messages(const DrawOptions& options, const std::string& file) {
  const CallOptions& call = options.call;
  const formats::MessageRounds messages = formats::rounds_of(messages_in(file));
  if (messages.p > most_ranks_drawn)
    base::fail(base::Status::invalid_argument, "{} ranks are too many to draw; at most {}",
               messages.p, most_ranks_drawn);
  Drawing drawing;
  drawing.topology = network_of(call);
  if (drawing.topology == nullptr)
    drawing.topology = machine::parse_topology(fmt::format("line:{}", messages.p));
  drawing.chart = options.as == "chart";
  drawing.title = fmt::format("{}, p = {}, {}", file, messages.p, drawing.topology->name());
  drawing.messages = traffic::routed(traffic_of(messages), *drawing.topology);
  return drawing;
}

Drawing drawing_of(const DrawOptions& options) {
  const CallOptions& call = options.call;
  const std::string file = message_file(call);
  if (!file.empty()) return drawing_of_messages(options, file);
  Drawing drawing;
  const bool needs = options.as == "needs";
  const schedule::Operation operation = operation_of(call);
  drawing.topology = topology_of(call);
  const bool few = ranks_of(call, most_ranks_drawn).value_or(0) <= most_ranks_of_chart;
  const bool usual_chart = operation == schedule::Operation::alltoall && few;
  drawing.chart = needs || (options.as.empty() ? usual_chart : options.as == "chart");
  const int p = ranks_on(call, drawing.topology->nodes(),
                         drawing.chart ? most_ranks_of_chart : most_ranks_drawn);
  const int root = root_of(call, p);
  drawing.extent = extent_of(call, operation, p);
  if (needs) {
    take_needs(drawing, operation, {.p = p, .root = root});
  } else {
    take_plan(drawing, plan_to_draw(call, operation, p, drawing.extent), p, root);
    drawing.granted = grants(options, drawing);
  }
  drawing.title += ", " + drawing.topology->name();
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
                            *drawing.topology, drawing.title, fit_of(options))
          : draw::rounds_svg(drawing.messages, *drawing.topology, drawing.title, fit_of(options));
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
  if (drawing.granted) base::notice("steps are those in which paths are granted, not rounds\n");
  if (drawing.marks == draw::Marks::usage) return;
  const auto found = traffic::conflicts(drawing.messages);
  for (std::size_t i = 0; i < std::min(found.size(), most_conflicts_printed); ++i)
    base::notice("conflict: {}\n", traffic::to_text(found[i], *drawing.topology));
  if (found.size() > most_conflicts_printed)
    base::notice("and {} more\n", found.size() - most_conflicts_printed);
}

nlohmann::json drawing_json(const Drawing& drawing) {
  nlohmann::json out = messages_json(drawing.messages, *drawing.topology);
  out["kind"] = "messages";
  out["title"] = drawing.title;
  out["steps_are"] = drawing.granted ? "granted" : "rounds";
  out["bytes"] = drawing.extent.bytes;
  out["block_bytes"] = drawing.extent.block;
  out["parts"] = drawing.parts;
  return out;
}

}  // namespace

int draw_links(const DrawOptions& options) {
  if (!options.html.empty())
    base::fail(
        base::Status::invalid_argument,
        "--html shows an algorithm round by round, of at most {} ranks and without a network",
        most_ranks_of_film);
  const Drawing drawing = drawing_of(options);
  if (!options.svg.empty()) write_svg(options, drawing);
  if (takes_output(options)) return 0;
  if (options.call.json) {
    fmt::print("{}", answer_text("draw", drawing_json(drawing)));
  } else if (!say_what_was_written(options)) {
    print_text(drawing);
  }
  return 0;
}

}  // namespace tutti::tools
