// SPDX-License-Identifier: BSD-3-Clause
// Draws films: of the plan that would run, of an algorithm by name, and of a schedule from a file,
// which may be wrong.
#include <fmt/format.h>

#include <limits>

#include "algorithms/adopted.hpp"
#include "algorithms/from_file.hpp"
#include "base/error.hpp"
#include "draw/film_html.hpp"
#include "draw/film_map.hpp"
#include "draw/film_svg.hpp"
#include "drawing/chosen.hpp"
#include "drawing/film_json.hpp"
#include "drawing/options.hpp"
#include "formats/check.hpp"
#include "formats/load.hpp"
#include "schedule/printer.hpp"
#include "support/picture.hpp"
#include "support/progress.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

constexpr std::int64_t most_cells_of_json = 200'000;  // of all rounds

struct TitledFilm {
  draw::Film film;
  std::string title;
  Extent extent;
};

draw::ToldPart showing(Progress& progress) {
  return [&progress](double part) { progress.show(part, "following the rounds"); };
}

// Returns the film of a schedule that somebody brings. It is wrong if the proof finds a problem in
// any of the forms in which it may run.
draw::Film film_of_schedule(const formats::Schedule& s, const formats::Refutation& found) {
  schedule::Shape shape;
  shape.p = s.p;
  shape.root = s.root;
  Progress progress;
  draw::Film film =
      draw::film_of(s.operation, shape, s.buffers, s.programs, found.placement, showing(progress));
  if (!film.fault && !found.problem.empty())
    film.fault = {found.problem, -1, found.rank, -1, -1, {}};
  return film;
}

draw::Film film_of_plan(const schedule::Generator& generator, const schedule::Shape& shape) {
  const algorithms::Source* source = algorithms::source_of(generator);
  const auto said = source == nullptr ? std::nullopt : source->unproved(shape);
  if (!said) {
    Progress progress;
    return draw::film_of(generator, shape, showing(progress));
  }
  const schedule::Verdict verdict = formats::verdict_of(*said);
  return film_of_schedule(*said, {verdict.problem, verdict.round, verdict.rank, verdict.placement});
}

// Returns the film of a file that is wrong; nothing if there is no file, or it is right.
std::optional<TitledFilm> wrong_film(const CallOptions& call) {
  std::string path = file_in(call);
  if (path.empty() && algorithms::names_file(call.algorithm))
    path = call.algorithm.substr(algorithms::file_prefix.size());
  if (path.empty() || formats::schedule_files(path) != std::vector{path}) return std::nullopt;
  const formats::ProgramFile read = formats::schedule_at(path);
  const formats::Refutation found = formats::refutation(read);
  if (found.problem.empty()) return std::nullopt;
  const formats::Schedule& s = read.schedule;
  const std::string name = path == "-" ? (s.name.empty() ? "schedule" : s.name) : path;
  return TitledFilm{film_of_schedule(s, found),
                    fmt::format("{} {}, p = {}{}", schedule::to_text(s.operation), name, s.p,
                                has_root(s.operation) ? fmt::format(", root {}", s.root) : ""),
                    extent_of(call, s.operation, s.p)};
}

TitledFilm film_to_draw(CallOptions call) {
  if (auto wrong = wrong_film(call)) return *std::move(wrong);
  take_file(call);
  const schedule::Operation operation = operation_of(call);
  const auto network = network_of(call);
  const std::optional<int> ranks = ranks_of(call, most_ranks_drawn);
  if (!ranks && network == nullptr)
    base::fail(base::Status::invalid_argument,
               "-n is needed, the number of ranks, or a --topology such as hypercube:3");
  const int p = ranks_on(call, network == nullptr ? *ranks : network->nodes(), most_ranks_drawn);
  const Extent extent = extent_of(call, operation, p);
  const PlanToDraw plan = plan_to_draw(call, operation, p, extent);
  const schedule::Shape shape = plan.plan.settings.shape(p, root_of(call, p));
  std::string title = title_of(plan, shape);
  if (plan.why.empty() && sized(call)) title += ", " + to_text(extent);
  return {film_of_plan(*plan.plan.generator, shape), std::move(title), extent};
}

void require_few_ranks(const draw::Film& film, const char* option) {
  if (film.p > most_ranks_of_film)
    base::fail(base::Status::invalid_argument,
               "{} shows a film of at most {} ranks, round by round: --svg draws how far each of "
               "the {} ranks is after each round",
               option, most_ranks_of_film, film.p);
}

void write_pictures(const DrawOptions& options, const TitledFilm& drawn) {
  const draw::Film& film = drawn.film;
  if (!options.html.empty()) require_few_ranks(film, "--html");
  if (!options.svg.empty())
    write_picture({options.svg, "--svg", "fewer ranks (-n), or leave out --all", options.force},
                  film.p > most_ranks_of_film ? draw::map_svg(film, drawn.title, fit_of(options))
                                              : draw::film_svg(film, drawn.title, fit_of(options)));
  if (!options.html.empty())
    write_picture({options.html, "--html", "fewer ranks (-n)", options.force},
                  draw::film_html(film, drawn.title));
}

void print_text(const DrawOptions& options, const TitledFilm& drawn) {
  const draw::TextForm form = text_form(options);
  if (drawn.film.p <= most_ranks_of_film)
    return fmt::print("{}", draw::film_text(drawn.film, drawn.title, form));
  fmt::print("{}\n", drawn.title);
  for (const std::string& line : draw::film_words(drawn.film, form)) fmt::print("{}\n", line);
  fmt::print(
      "\nText shows at most {} ranks. --svg FILE draws how far each of these ranks is after each\n"
      "round, and fewer ranks (-n 8) which blocks travel.\n",
      most_ranks_of_film);
}

void print_json(const DrawOptions& options, const TitledFilm& drawn) {
  require_few_ranks(drawn.film, "--json --as film");
  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
  nlohmann::json out = film_json(drawn.film, options.force ? any : most_cells_of_json);
  out["title"] = drawn.title;
  out["bytes"] = drawn.extent.bytes;
  out["block_bytes"] = drawn.extent.block;
  out["kind"] = "film";
  fmt::print("{}", answer_text("draw", out, Layout::compact));
}

}  // namespace

int draw_film(const DrawOptions& options) {
  const TitledFilm drawn = film_to_draw(options.call);
  write_pictures(options, drawn);
  const int code = drawn.film.fault ? 1 : 0;
  if (takes_output(options)) return code;
  if (options.call.json) {
    print_json(options, drawn);
  } else if (!say_what_was_written(options)) {
    print_text(options, drawn);
  } else if (drawn.film.fault) {
    fmt::print("WRONG: {}\n", drawn.film.fault->problem);
  }
  return code;
}

}  // namespace tutti::tools
