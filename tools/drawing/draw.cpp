// SPDX-License-Identifier: BSD-3-Clause
// `tutti draw`: the messages of an algorithm on the links of a machine, as a chart or step by step.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "commands.hpp"
#include "draw/picture.hpp"
#include "draw/svg.hpp"
#include "drawing/traffic_json.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"
#include "support/request.hpp"
#include "traffic/load.hpp"

namespace tutti::tools {
namespace {

using traffic::Messages;

struct DrawOptions {
  std::string operation;
  std::string algorithm;
  std::string topology;
  std::string as;
  std::string steps;
  std::string svg;
  int ranks = 0;
  int root = 0;
  bool json = false;
  Parameters parameters;
};

constexpr int most_ranks_of_chart = 128;
constexpr int most_ranks_drawn = 1024;
constexpr std::size_t most_conflicts_printed = 10;

// What is drawn, and how.
struct Drawing {
  std::unique_ptr<machine::Topology> topology;
  Messages messages;
  std::string title;
  draw::Marks marks = draw::Marks::schedule;
  bool chart = false;
  bool granted = false;
};

std::unique_ptr<machine::Topology> topology_of(const DrawOptions& options) {
  if (options.topology.empty() && options.ranks < 1)
    base::fail(base::Status::invalid_argument, "--topology is needed, such as hypercube:3 or line:8, or -n for a line");
  return machine::parse_topology(options.topology.empty() ? fmt::format("line:{}", options.ranks) : options.topology);
}

schedule::Shape shape_of(const DrawOptions& options, int nodes, int most) {
  const int p = options.ranks > 0 ? options.ranks : nodes;
  if (p > nodes) base::fail(base::Status::invalid_argument, "{} ranks do not fit on {} nodes", p, nodes);
  if (p > most) base::fail(base::Status::invalid_argument, "{} ranks are too many to draw so; at most {}", p, most);
  if (options.root < 0 || options.root >= p)
    base::fail(base::Status::invalid_argument, "--root is {} but there are {} ranks", options.root, p);
  return options.parameters.shape(p, options.root);
}

// Paths are granted where asked for, and in charts of algorithms whose rounds are no steps: with several messages for
// or from one rank in a round.
bool grants(const DrawOptions& options, const Drawing& drawing) {
  if (!options.steps.empty()) return options.steps == "granted";
  return drawing.chart && !traffic::one_port(drawing.messages);
}

Drawing drawing_of(const DrawOptions& options) {
  Drawing drawing;
  drawing.topology = topology_of(options);
  const schedule::Operation operation = selection::operation_named(options.operation);
  const bool usual_chart = operation == schedule::Operation::alltoall || options.algorithm.empty();
  drawing.chart = options.as.empty() ? usual_chart : options.as == "chart";
  const schedule::Shape shape =
      shape_of(options, drawing.topology->nodes(), drawing.chart ? most_ranks_of_chart : most_ranks_drawn);
  if (options.algorithm.empty()) {
    drawing.messages = traffic::pairs_of(operation, shape);
    drawing.marks = draw::Marks::usage;
    drawing.title = fmt::format("{}, p = {}", schedule::to_text(operation), shape.p);
  } else {
    const schedule::Generator& generator = algorithm_named(operation, options.algorithm);
    drawing.title = describe(generator, shape);
    if (!generator.applies(shape)) base::fail(base::Status::invalid_argument, "{} is not defined", drawing.title);
    drawing.messages = traffic::messages_of(generator, shape);
    drawing.granted = grants(options, drawing);
  }
  drawing.title += ", " + drawing.topology->name();
  drawing.messages = drawing.granted ? traffic::granted(drawing.messages, *drawing.topology)
                                     : traffic::routed(std::move(drawing.messages), *drawing.topology);
  return drawing;
}

void write_svg(const std::string& path, const Drawing& drawing) {
  std::ofstream file(path, std::ios::binary);
  file << (drawing.chart ? draw::chart_svg(draw::chart_of(drawing.messages, *drawing.topology, drawing.marks),
                                           *drawing.topology, drawing.title)
                         : draw::rounds_svg(drawing.messages, *drawing.topology, drawing.title));
  if (!file.flush()) base::fail(base::Status::invalid_argument, "{} cannot be written", path);
}

void print_text(const Drawing& drawing) {
  if (!drawing.chart) {
    fmt::print("{}\n\n{}", drawing.title, draw::rounds_text(drawing.messages, *drawing.topology));
    return;
  }
  const draw::Chart chart = draw::chart_of(drawing.messages, *drawing.topology, drawing.marks);
  fmt::print("{}", draw::to_text(chart, *drawing.topology));
  if (drawing.granted) fmt::print(stderr, "steps are those in which paths are granted, not rounds\n");
  if (drawing.marks == draw::Marks::usage) return;
  const auto found = traffic::conflicts(drawing.messages);
  for (std::size_t i = 0; i < std::min(found.size(), most_conflicts_printed); ++i)
    fmt::print(stderr, "conflict: {}\n", traffic::to_text(found[i], *drawing.topology));
  if (found.size() > most_conflicts_printed) fmt::print(stderr, "and {} more\n", found.size() - most_conflicts_printed);
}

int draw(const DrawOptions& options) {
  return reporting_errors("draw", [&] {
    const Drawing drawing = drawing_of(options);
    if (!options.svg.empty()) write_svg(options.svg, drawing);
    if (options.json) {
      nlohmann::json out = messages_json(drawing.messages, *drawing.topology);
      out["title"] = drawing.title;
      out["steps_are"] = drawing.granted ? "granted" : "rounds";
      fmt::print("{}\n", out.dump(2));
    } else {
      print_text(drawing);
    }
    return 0;
  });
}

}  // namespace

void add_draw(CLI::App& app, int& code) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* command = app.add_subcommand("draw", "Draws which links an algorithm uses when.");
  command->add_option("operation", options->operation, "such as alltoall or bcast")->required();
  command->add_option("--algorithm", options->algorithm, "by name; without it, the links that the operation needs");
  command->add_option("--topology", options->topology, "such as line:8, mesh:4x4, torus:4x4, hypercube:3, crossbar:8");
  command->add_option("-n,--ranks", options->ranks, "number of ranks; default one per node")->type_name("N");
  command->add_option("--root", options->root, "the root; default 0")->type_name("RANK");
  options->parameters.add_to(*command);
  command->add_option("--as", options->as, "chart or rounds; default chart for alltoall and without algorithm")
      ->check(CLI::IsMember({"chart", "rounds"}));
  command->add_option("--steps", options->steps, "rounds, or granted: paths are taken where free, lowest rank first")
      ->check(CLI::IsMember({"rounds", "granted"}));
  command->add_option("--svg", options->svg, "also as SVG into this file")->type_name("FILE");
  command->add_flag("--json", options->json, "messages, routes, loads and conflicts as JSON");
  command->callback([options, &code] { code = draw(*options); });
}

}  // namespace tutti::tools
