// SPDX-License-Identifier: BSD-3-Clause
// Reads what is asked of a recorded run, and replays it with other algorithms.
#include "simulation/recorded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>

#include "base/error.hpp"
#include "base/input_file.hpp"
#include "formats/load.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"
#include "simulation/best.hpp"
#include "simulation/request.hpp"

namespace tutti::tools {
namespace {

constexpr std::int64_t most_record_bytes = std::int64_t{1} << 31;

void refuse_other_options(const SimulateOptions& options, const std::string& file) {
  const CallOptions& call = options.call;
  if (!sized(call) && options.implementations.empty() && options.sync.empty() &&
      call.root.empty() && call.ranks.empty() && !options.map && options.best == 0 &&
      !options.runs && options.curve.empty() && options.dimensions.empty())
    return;
  base::fail(
      base::Status::invalid_argument,
      "{} is a recorded run, which has its ranks, operations and sizes: -n, --bytes, --root, "
      "--implementation, --sync, --best, --map, --runs, --curve and -d cannot be given, too",
      file);
}

Recorded::Wish wish_named(const CallOptions& call, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos)
    base::fail(base::Status::invalid_argument,
               "--algorithm is '{}', but for a recorded run it says what serves which operation, "
               "such as allreduce=ring",
               word);
  Recorded::Wish wish;
  wish.operation = selection::operation_named(word.substr(0, equals));
  wish.algorithm = algorithm_of(call, wish.operation, word.substr(equals + 1));
  return wish;
}

// Says what serves an operation on the machine of the setting, and keeps the factors of all
// answers.
class Wishes {
 public:
  Wishes(const Recorded& recorded, const Setting& setting)
      : recorded_(recorded), setting_(setting) {}

  std::optional<replay::Substitute> operator()(const formats::RecordedOperation& operation, int p) {
    for (const Recorded::Wish& wish : recorded_.wishes) {
      if (wish.operation != operation.operation || p == 1) continue;
      Setting setting = setting_;
      setting.operation = operation.operation;
      setting.ranks = p;
      setting.root = operation.root;
      const Candidate& chosen =
          chosen_.emplace_back(with_settings(wish.algorithm, setting, extent_of(operation, p)));
      if (const std::string why = why_undefined(chosen, setting); !why.empty())
        base::fail(base::Status::invalid_argument, "{}", why);
      const auto& [generator, settings] = chosen.algorithm;
      replay::Substitute by{generator, settings.shape(p, operation.root)};
      by.shape.factors = settings.factors;
      return by;
    }
    return std::nullopt;
  }

 private:
  static Extent extent_of(const formats::RecordedOperation& operation, int p) {
    return Sizes{Sizes::Of::vector, {operation.bytes}}.extent(0, operation.operation, p);
  }

  const Recorded& recorded_;
  const Setting& setting_;
  std::deque<Candidate> chosen_;
};

}  // namespace

double factor_named(const std::string& text) {
  const std::string number = text.starts_with('x') ? text.substr(1) : text;
  double factor = 0;
  if (!CLI::detail::lexical_cast(number, factor) || !(factor >= 0) || factor > 1e9)
    base::fail(base::Status::invalid_argument,
               "--compute is '{}' but must be a factor, such as x1 or x0.2", text);
  return factor;
}

formats::RecordedRun recorded_run_in(const std::string& file) {
  return formats::read_recorded_run(formats::contents_of(file, most_record_bytes), file);
}

std::string recorded_file(const CallOptions& options) {
  char first[128] = {};
  base::InputFile(options.operation).read(first, sizeof first - 1);
  return formats::is_recorded_run(first) ? options.operation : std::string();
}

SimulateRequest request_of_record(const SimulateOptions& options, const std::string& file) {
  refuse_other_options(options, file);
  auto recorded = std::make_shared<Recorded>();
  recorded->run = recorded_run_in(file);
  if (!options.compute.empty()) recorded->compute = factor_named(options.compute);
  if (!options.call.algorithm.empty())
    for (const std::string& word : words_of(options.call.algorithm))
      recorded->wishes.push_back(wish_named(options.call, word));
  SimulateRequest request{schedule::Operation::barrier, {}, {}};
  request.sizes.values.push_back(0);
  const int ranks = static_cast<int>(recorded->run.ranks.size());
  for (const std::string& name : words_of(options.call.machine)) {
    Setting setting = setting_of(options, request.operation, name, ranks);
    setting.file = file;
    setting.run = recorded;
    Candidate candidate;
    candidate.name = file;
    request.parts.push_back({std::move(setting), {std::move(candidate)}});
  }
  return request;
}

replay::Replayed Recorded::play(const Setting& setting,
                                const simulate::SimulationOptions& options) const {
  Wishes chosen(*this, setting);
  return replay::replay(setting.machine, run,
                        {.compute = compute,
                         .choose = [&](const formats::RecordedOperation& operation,
                                       int p) { return chosen(operation, p); },
                         .simulation = options});
}

std::string Recorded::call_of(int node, int phase) const {
  const formats::RecordedRank& rank = run.ranks[static_cast<std::size_t>(node)];
  const auto item = static_cast<std::size_t>(phase - 1);
  if (item >= rank.items.size() || rank.items[item].call < 0) return "";
  const formats::RecordedItem& found = rank.items[item];
  const std::string& call = rank.calls[static_cast<std::size_t>(found.call)];
  if (found.place < 0) return call;
  return fmt::format("{} at {}", call, rank.places[static_cast<std::size_t>(found.place)]);
}

std::string notes_on(const replay::LeftOut& left_out) {
  std::string text;
  if (left_out.substituted > 0)
    text +=
        fmt::format("{} operations run by the algorithms of --algorithm\n", left_out.substituted);
  if (left_out.kept > 0)
    text += fmt::format(
        "{} operations keep their algorithms, because their ranks have unequal numbers of "
        "elements\n",
        left_out.kept);
  if (left_out.not_computed > 0)
    text += fmt::format(
        "not counted: {:.1f} us that all ranks together computed in the record; --compute x1 "
        "counts "
        "them\n",
        left_out.not_computed);
  if (left_out.arrivals > 0)
    text +=
        fmt::format("not counted: {} arrivals at counters, besides their waits for each other\n",
                    left_out.arrivals);
  if (!left_out.shared.empty()) {
    std::vector<std::string> uses;
    for (const auto& [call, count] : left_out.shared)
      uses.push_back(fmt::format("{} in {}", count, call));
    text += fmt::format("not counted: uses of memory that processes share: {}\n",
                        fmt::join(uses, ", "));
  }
  return text;
}

}  // namespace tutti::tools
