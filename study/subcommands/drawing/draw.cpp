// SPDX-License-Identifier: BSD-3-Clause
// `tutti draw` draws what ranks hold after each round of an algorithm, or its messages on the links
// of a machine, as a chart or step by step.
#include <fmt/format.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "draw/film_html.hpp"
#include "draw/film_svg.hpp"
#include "draw/film_text.hpp"
#include "draw/picture.hpp"
#include "draw/svg.hpp"
#include "drawing/film_json.hpp"
#include "drawing/traffic_json.hpp"
#include "messages.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "support/call.hpp"
#include "support/picture.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"
#include "traffic/load.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

using traffic::Messages;

struct DrawOptions {
  CallOptions call;
  std::string as;
  std::string steps;
  std::string svg;
  std::string html;
  bool force = false;
  bool all = false;
  bool ascii = false;
};

constexpr int most_ranks_of_chart = 128;
constexpr int most_ranks_of_film = 128;
constexpr int most_ranks_drawn = 1024;
constexpr std::int64_t most_cells_of_json = 200'000;  // of all rounds
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

// Returns the title of a plan. Throws Error(invalid_argument) if the plan is not defined for the
// shape.
std::string defined(const selection::Forced& plan, const schedule::Shape& shape) {
  std::string title = describe(*plan.generator, shape);
  if (!plan.generator->applies(shape))
    base::fail(base::Status::invalid_argument, "{} is not defined{}", title,
               needs_clause(*plan.generator));
  return title;
}

void take_algorithm(Drawing& drawing, const selection::Forced& plan, const schedule::Shape& shape) {
  drawing.title = defined(plan, shape);
  drawing.messages = traffic::messages_of(*plan.generator, shape);
  drawing.parts = plan.generator->buffers(shape).parts;
}

// Returns the drawing of messages from a file.
Drawing drawing_of_messages(const DrawOptions& options, const std::string& file) {
  const CallOptions& call = options.call;
  const formats::MessageRounds messages = messages_in(file);
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
  const schedule::Operation operation = operation_of(call);
  drawing.topology = topology_of(call);
  const bool few = ranks_of(call, most_ranks_drawn).value_or(0) <= most_ranks_of_chart;
  const bool usual_chart =
      call.algorithm.empty() || (operation == schedule::Operation::alltoall && few);
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

draw::Fit fit_of(const DrawOptions& options) {
  return options.all ? draw::Fit::full : draw::Fit::screen;
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

// Asks the terminal for its width, and the locale for signs beyond ASCII.
draw::TextForm text_form(const DrawOptions& options) {
  draw::TextForm form;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) form.width = size.ws_col;
  const locale_t user = newlocale(LC_CTYPE_MASK, "", nullptr);
  const bool utf8 = user != nullptr && std::string_view(nl_langinfo_l(CODESET, user)) == "UTF-8";
  if (user != nullptr) freelocale(user);
  form.ascii = options.ascii || !utf8;
  form.all = options.all;
  return form;
}

// Describes an algorithm in words if it has more ranks than a film can show and its blocks can be
// followed in a short time.
void print_sentences(const DrawOptions& options) {
  constexpr std::int64_t most_cells = 20'000'000;
  const CallOptions& call = options.call;
  const int p = ranks_of(call, most_ranks_drawn).value_or(0);
  if (p <= most_ranks_of_film || call.algorithm.empty() || !options.as.empty()) return;
  const selection::Forced plan = plan_of(call, operation_of(call), call.algorithm);
  const schedule::Shape shape = plan.settings.shape(p, root_of(call, p));
  const schedule::Buffers buffers = plan.generator->buffers(shape);
  const std::int64_t blocks = std::max(p, buffers.input + buffers.output + buffers.scratch);
  if (blocks * p * plan.generator->rounds(shape) > most_cells) return;
  for (const std::string& line :
       draw::film_words(draw::film_of(*plan.generator, shape), text_form(options)))
    fmt::print("{}\n", line);
}

void print_text(const DrawOptions& options, const Drawing& drawing) {
  if (!drawing.chart) {
    fmt::print("{}\n", drawing.title);
    print_sentences(options);
    fmt::print("\n{}", draw::rounds_text(drawing.messages, *drawing.topology));
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

// Returns true if a film is drawn: of an algorithm, if no network is given.
bool filmed(const DrawOptions& options) {
  const CallOptions& call = options.call;
  if (!options.as.empty()) return options.as == "film";
  const bool network = !options.steps.empty() || !call.topology.empty() || !call.machine.empty();
  return !network && !call.algorithm.empty() &&
         ranks_of(call, most_ranks_drawn).value_or(most_ranks_drawn) <= most_ranks_of_film;
}

// Returns true if a picture goes to standard output, where nothing else may then be.
bool takes_output(const DrawOptions& options) {
  return options.svg == standard_output || options.html == standard_output;
}

void draw_film(const DrawOptions& options) {
  const CallOptions& call = options.call;
  const schedule::Operation operation = operation_of(call);
  if (call.algorithm.empty())
    base::fail(base::Status::invalid_argument, "--as film draws an algorithm: give --algorithm");
  const int p = ranks_on(call, topology_of(call)->nodes(), most_ranks_of_film);
  const selection::Forced plan = plan_of(call, operation, call.algorithm);
  const schedule::Shape shape = plan.settings.shape(p, root_of(call, p));
  const Extent extent = extent_of(call, operation, p);
  std::string title = defined(plan, shape);
  if (sized(call)) title += ", " + to_text(extent);
  const draw::Film film = draw::film_of(*plan.generator, shape);
  if (!options.svg.empty())
    write_picture({options.svg, "--svg", "fewer ranks (-n), or leave out --all", options.force},
                  draw::film_svg(film, title, fit_of(options)));
  if (!options.html.empty())
    write_picture({options.html, "--html", "fewer ranks (-n)", options.force},
                  draw::film_html(film, title));
  if (takes_output(options)) return;
  if (!call.json) {
    fmt::print("{}", draw::film_text(film, title, text_form(options)));
    return;
  }
  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
  nlohmann::json out = film_json(film, options.force ? any : most_cells_of_json);
  out["title"] = title;
  out["bytes"] = extent.bytes;
  out["block_bytes"] = extent.block;
  out["kind"] = "film";
  fmt::print("{}", answer_text("draw", out, Layout::compact));
}

int draw(DrawOptions options) {
  return reporting_errors("draw", [&] {
    if (message_file(options.call).empty()) take_file(options.call);
    require_one_output(options.call.json, {{"--svg", options.svg}, {"--html", options.html}});
    if (filmed(options)) {
      draw_film(options);
      return 0;
    }
    if (!options.html.empty())
      base::fail(base::Status::invalid_argument,
                 "--html shows an algorithm round by round: give --algorithm and at most {} ranks, "
                 "and no network",
                 most_ranks_of_film);
    const Drawing drawing = drawing_of(options);
    if (!options.svg.empty()) write_svg(options, drawing);
    if (takes_output(options)) return 0;
    if (options.call.json)
      fmt::print("{}", answer_text("draw", drawing_json(drawing)));
    else
      print_text(options, drawing);
    return 0;
  });
}

}  // namespace

void add_draw(CLI::App& verb, int& code) {
  auto options = std::make_shared<DrawOptions>();
  add_call_options(verb, options->call,
                   {.ranks = "; default one per node",
                    .bytes = "; default 1K",
                    .algorithm = "; without it, the links that the operation needs",
                    .machine = "",
                    .topology = "; default the machine's, else a line of the ranks"});
  add_old_settings(verb, options->call);
  verb.add_option(
          "--as", options->as,
          "film, chart or rounds; default film of an algorithm without topology and machine, "
          "else chart for alltoall and without algorithm, else rounds")
      ->check(CLI::IsMember({"film", "chart", "rounds"}));
  verb.add_option("--steps", options->steps,
                  "rounds, or granted: paths are taken where free, lowest rank first")
      ->check(CLI::IsMember({"rounds", "granted"}));
  verb.add_option("--svg", options->svg,
                  "also as SVG into this file; - is the standard output, which gets nothing else")
      ->type_name("FILE");
  verb.add_option("--html", options->html,
                  "also as a page that steps through the rounds of a film; - is the standard "
                  "output, which gets nothing else")
      ->type_name("FILE");
  verb.add_flag("--all", options->all,
                "draw all rounds of a film, and an SVG of any width and height");
  verb.add_flag("--ascii", options->ascii, "text in ASCII, as where the locale is not UTF-8");
  verb.add_flag("--force", options->force, "write a picture or JSON of any size");
  verb.callback([options, &code] { code = draw(*options); });
}

}  // namespace tutti::tools
