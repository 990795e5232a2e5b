// SPDX-License-Identifier: BSD-3-Clause
// Chooses the plans that `tutti explain --curve` draws, and what they are compared with.
#include "explain/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "explain/limits.hpp"
#include "schedule/printer.hpp"

namespace tutti::tools {
namespace {

using draw::Curve;

constexpr double shortest = 8, usual_longest = 16 << 20, longest = 1 << 30;

// Sizes from the shortest to the longest, two in each factor of two.
std::vector<double> sizes_up_to(double last) {
  std::vector<double> sizes;
  for (int half = 0; sizes.empty() || sizes.back() < last; ++half)
    sizes.push_back(std::round(shortest * std::exp2(half / 2.0)));
  return sizes;
}

// Returns the longest size that is drawn: the call's own size and all crossovers are within.
double last_size(const selection::Explanation& e) {
  double last = std::max(usual_longest, 2.0 * static_cast<double>(e.bytes));
  for (const selection::EnvelopePiece& piece : e.pieces) last = std::max(last, 2 * piece.from);
  return std::min(last, longest);
}

// An algorithm with those of its settings that are the best at some size.
struct Choice {
  std::string name;
  std::vector<const selection::Row*> rows;
};

class Choices {
 public:
  explicit Choices(const selection::Explanation& e) : e_(e) {}

  // Adds the algorithm of a row with all its settings, unless it is there.
  void add(const selection::Row& row) {
    const schedule::Generator* generator = row.alternative.generator;
    if (!generators_.insert(generator).second) return;
    Choice choice;
    for (const selection::Row& other : e_.rows)
      if (other.alternative.generator == generator) choice.rows.push_back(&other);
    choice.name = choice.rows.size() > 1 ? generator->name : name_of(row);
    choices_.push_back(std::move(choice));
  }
  // Adds one plan, whose settings were asked for.
  void add_plan(const selection::Row& row) {
    const auto same = [&](const Choice& choice) { return choice.name == name_of(row); };
    if (std::none_of(choices_.begin(), choices_.end(), same))
      choices_.push_back({name_of(row), {&row}});
  }
  [[nodiscard]] const std::vector<Choice>& all() const { return choices_; }

 private:
  static std::string name_of(const selection::Row& row) {
    return row.alternative.name + (row.alternative.is_lower_bound() ? " (at least)" : "");
  }

  const selection::Explanation& e_;
  std::set<const schedule::Generator*> generators_;
  std::vector<Choice> choices_;
};

Choices choices_of(const ExplainAnswer& answer, double last) {
  const selection::Explanation& e = answer.explanation;
  Choices choices(e);
  for (const selection::EnvelopePiece& piece : e.pieces)
    if (piece.from < last) choices.add(e.rows[piece.line]);
  for (std::size_t i = 0; i < e.rows.size() && choices.all().size() < 2; ++i)
    choices.add(e.rows[i]);
  if (answer.library_row) choices.add_plan(*answer.library_row);
  if (answer.asked) choices.add_plan(*answer.asked);
  return choices;
}

double least_time(const selection::Explanation& e, const Choice& choice, double bytes) {
  double least = std::numeric_limits<double>::infinity();
  for (const selection::Row* row : choice.rows) least = std::min(least, time_of(e, *row, bytes));
  return least;
}

// Adds a crossing wherever another algorithm becomes the best.
void add_crossings(draw::Plot& plot, const selection::Explanation& e, double last) {
  const schedule::Generator* before = nullptr;
  for (const selection::EnvelopePiece& piece : e.pieces) {
    const selection::Row& row = e.rows[piece.line];
    const schedule::Generator* generator = row.alternative.generator;
    if (generator != before && piece.from > shortest && piece.from < last)
      plot.crossings.push_back(
          {{piece.from, time_of(e, row, piece.from)},
           fmt::format("{} from {}", generator->name, selection::bytes_text(piece.from))});
    before = generator;
  }
}

std::string place_text(const selection::Explanation& e) {
  std::string text = e.network.empty() ? "" : fmt::format(", {}", e.network);
  if (!e.question.hosts.empty())
    text += fmt::format(", {} hosts", selection::host_count(e.question.hosts));
  return text + (e.machine.name == "host" ? ", this machine" : ", rates of " + e.machine.name);
}

void require_rows(const selection::Explanation& e) {
  if (e.rows.empty())
    base::fail(base::Status::invalid_argument,
               "no algorithm may serve this call, so there is "
               "nothing to draw");
}

}  // namespace

draw::Plot curve_over_bytes(const ExplainAnswer& answer) {
  const selection::Explanation& e = answer.explanation;
  require_rows(e);
  if (e.question.operation == schedule::Operation::barrier)
    base::fail(base::Status::invalid_argument,
               "a barrier has no sizes: --over ranks draws its times over the ranks");
  const double last = last_size(e);
  const std::vector<double> sizes = sizes_up_to(last);
  draw::Plot plot{
      fmt::format("{} over {} ranks{}", schedule::to_text(e.question.operation), e.question.p,
                  place_text(e)),
      {{"bytes of the whole vector", draw::Unit::bytes}, {"time", draw::Unit::microseconds}},
      {}};
  const auto add = [&](const std::string& name, Curve::Kind kind, auto&& time) {
    Curve& curve = plot.curves.emplace_back(Curve{name, {}, kind});
    for (const double bytes : sizes) curve.points.push_back({bytes, time(bytes)});
  };
  const Choices choices = choices_of(answer, last);
  for (const Choice& choice : choices.all())
    add(choice.name, Curve::Kind::plain,
        [&](double bytes) { return least_time(e, choice, bytes); });
  for (const Limit& limit : limits_of(e)) add(limit.name, Curve::Kind::limit, limit.time);
  add_crossings(plot, e, last);
  return plot;
}

draw::Plot curve_over_ranks(const ExplainAnswer& answer,
                            const std::function<selection::Explanation(int ranks)>& explained) {
  const selection::Explanation& e = answer.explanation;
  require_rows(e);
  std::map<std::string, Curve> by_algorithm, limits;
  std::set<std::string> shown;
  std::set<int> numbers{e.question.p};
  for (int p = 2; p < e.question.p; p *= 2) numbers.insert(p);
  for (const int p : numbers) {
    const selection::Explanation here = p == e.question.p ? e : explained(p);
    for (const Limit& limit : limits_of(here))
      limits[limit.name].points.push_back({double(p), limit.time(static_cast<double>(here.bytes))});
    std::set<std::string> seen;
    for (const selection::Row& row : here.rows) {
      const std::string name(row.alternative.generator->name);
      if (!seen.insert(name).second) continue;  // a slower setting
      const bool own = p == e.question.p;
      if (seen.size() == 1 || (own && seen.size() == 2)) shown.insert(name);
      if (own && answer.asked && answer.asked->alternative.generator->name == name)
        shown.insert(name);
      by_algorithm[name].points.push_back({double(p), row.time});
    }
  }
  const std::string size =
      e.question.operation == schedule::Operation::barrier
          ? ""
          : fmt::format(" of {}", selection::bytes_text(static_cast<double>(e.bytes)));
  draw::Plot plot{fmt::format("{}{} over ranks{}", schedule::to_text(e.question.operation), size,
                              place_text(e)),
                  {{"ranks", draw::Unit::ranks}, {"time", draw::Unit::microseconds}},
                  {}};
  for (auto& [name, curve] : by_algorithm) {
    if (!shown.contains(name)) continue;
    curve.name = name;
    plot.curves.push_back(std::move(curve));
  }
  for (auto& [name, curve] : limits)
    plot.curves.push_back({name, std::move(curve.points), Curve::Kind::limit});
  plot.crossings = draw::crossings_of(plot.curves, plot.axes);
  return plot;
}

}  // namespace tutti::tools
