// SPDX-License-Identifier: BSD-3-Clause
// Makes generators of those that programs and plug-ins register.
#include "algorithms/registered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "algorithms/adopted.hpp"
#include "algorithms/known.hpp"
#include "algorithms/native.hpp"
#include "algorithms/registered_round.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/sha256.hpp"
#include "formats/check.hpp"
#include "formats/limits.hpp"
#include "formats/load.hpp"
#include "formats/program_file.hpp"
#include "schedule/printer.hpp"

namespace tutti::algorithms {
namespace {

using base::Status;
using formats::Schedule;
using schedule::Operation;
using schedule::Shape;

// Up to so many ranks a proof is quick, so that its verdict need not be remembered on disk.
constexpr int quickly_proved = 64;
constexpr std::size_t most_kept = 8;  // schedules of a generator
constexpr int compared_ranks = 16;    // two generators are compared for 1 to so many ranks
constexpr std::size_t longest_name = 60;
constexpr int all_flags = TUTTI_COMMUTATIVE_ONLY | TUTTI_NOT_IN_PLACE | TUTTI_CANDIDATE;

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

// Returns the buffers that generator.hpp describes for the operation.
schedule::Buffers buffers_of(Operation operation, int p, int parts, int scratch) {
  if (operation == Operation::barrier) return {.parts = 0};
  schedule::Buffers b{.input = parts, .output = parts, .scratch = scratch, .parts = parts};
  b.input_own_part = has_own_input(operation);
  b.output_own_part = has_own_output(operation);
  if (operation == Operation::broadcast) b.input = 0;
  if (b.input_own_part) b.input = parts / p;
  if (b.output_own_part) b.output = parts / p;
  return b;
}

class RegisteredSource : public Source {
 public:
  RegisteredSource(const tutti_generator& given, std::string identity)
      : given_(given),
        name_(given.name),
        about_(text_of(given.about)),
        published_(text_of(given.source)),
        needs_(text_of(given.needs)),
        identity_(std::move(identity)) {}

  [[nodiscard]] int rounds(const Shape& shape) const override {
    return static_cast<int>(proved(shape)->programs.front().size());
  }
  [[nodiscard]] schedule::Buffers buffers(const Shape& shape) const override {
    return proved(shape)->buffers;
  }
  void emit(schedule::Round& out, const Shape& shape, schedule::Rank me, int t) const override {
    const auto made = proved(shape);
    const schedule::Round& round =
        made->programs[static_cast<std::size_t>(num(me))][static_cast<std::size_t>(t)];
    out.ops.insert(out.ops.end(), round.ops.begin(), round.ops.end());
  }
  [[nodiscard]] bool applies(const Shape& shape) const override {
    const tutti_schedule_shape s = public_shape(shape);
    return given_.applies == nullptr || given_.applies(&s, given_.data) != 0;
  }
  [[nodiscard]] std::string needs() const override {
    return needs_.empty() ? "a shape for which its function applies() gives 1" : needs_;
  }
  [[nodiscard]] std::string identity() const override {
    return identity_.empty() ? behaviour() : identity_;
  }
  [[nodiscard]] std::string about() const override { return about_; }
  [[nodiscard]] std::string published() const override { return published_; }
  [[nodiscard]] std::optional<Price> price(const Shape& shape) const override {
    if (given_.cost == nullptr) return std::nullopt;
    const tutti_schedule_shape s = public_shape(shape);
    tutti_terms terms{};
    given_.cost(&terms, &s, given_.data);
    return Price{terms.alpha, terms.beta, terms.gamma};
  }
  [[nodiscard]] std::optional<Schedule> unproved(const Shape& shape) const override {
    return said(public_shape(shape));
  }
  [[nodiscard]] bool candidate() const override { return (given_.flags & TUTTI_CANDIDATE) != 0; }

 private:
  [[nodiscard]] tutti_schedule_shape public_shape(const Shape& shape) const {
    return {shape.p, has_root(operation()) ? shape.root : 0};
  }
  [[nodiscard]] Operation operation() const { return static_cast<Operation>(given_.operation); }

  [[nodiscard]] std::string where(const tutti_schedule_shape& s) const {
    std::string text = fmt::format("{} {} for p = {}", schedule::to_text(operation()), name_, s.p);
    if (has_root(operation())) text += fmt::format(", root {}", s.root);
    return text;
  }
  [[noreturn]] void refuse(const tutti_schedule_shape& s, const std::string& problem) const {
    base::fail(Status::no_such_plan, "{} is not correct: {}", where(s), problem);
  }

  [[nodiscard]] Schedule header(const tutti_schedule_shape& s) const {
    Schedule made;
    made.name = name_;
    made.operation = operation();
    made.p = s.p;
    made.root = s.root;
    made.operators = (given_.flags & TUTTI_COMMUTATIVE_ONLY) != 0 ? schedule::Operators::commutative
                                                                  : schedule::Operators::any;
    made.in_place = (given_.flags & TUTTI_NOT_IN_PLACE) == 0;
    const int usual = is_cut_by_rank(operation()) ? s.p : 1;
    const int said = given_.parts == nullptr ? 0 : given_.parts(&s, given_.data);
    const int parts = said == 0 ? usual : said;
    const int scratch = given_.scratch == nullptr ? 0 : given_.scratch(&s, given_.data);
    if (operation() != Operation::barrier && parts < 1)
      refuse(s, fmt::format("the vector is cut into {} parts", parts));
    if (is_cut_by_rank(operation()) && parts % s.p != 0)
      refuse(s, fmt::format("{} parts are not a multiple of the ranks", parts));
    made.buffers = buffers_of(operation(), s.p, parts, scratch);
    const std::string problem = formats::problem_of_sizes(made);
    if (!problem.empty()) refuse(s, problem);
    return made;
  }

  // Returns what the generator says, which nobody has proved yet.
  [[nodiscard]] Schedule said(const tutti_schedule_shape& s) const {
    Schedule made = header(s);
    const int rounds = given_.rounds(&s, given_.data);
    if (rounds < 0) refuse(s, fmt::format("it has {} rounds", rounds));
    const std::string problem = formats::problem_of_rounds(rounds, s.p);
    if (!problem.empty()) refuse(s, problem);
    std::int64_t operations = 0;
    for (int rank = 0; rank < s.p; ++rank) {
      schedule::Program& program = made.programs.emplace_back();
      for (int t = 0; t < rounds; ++t) {
        RegisteredRound round(made, rank);
        given_.emit(round.given(), &s, rank, t, given_.data);
        if (!round.problem().empty())
          refuse(s, fmt::format("{}: rank {}: {}", schedule::round_name(t), rank, round.problem()));
        program.push_back(round.take());
        operations += static_cast<std::int64_t>(program.back().ops.size());
        if (operations > formats::most_operations)
          refuse(s, fmt::format("it has more than {} operations", formats::most_operations));
      }
    }
    return made;
  }

  // Returns the schedule after its proof. The last few are kept, because all ranks and rounds of
  // one are usually asked for together.
  [[nodiscard]] std::shared_ptr<const Schedule> proved(const Shape& shape) const {
    const tutti_schedule_shape s = public_shape(shape);
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& schedule) {
      return schedule->p == s.p && schedule->root == s.root;
    });
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      return kept_.front();
    }
    if (!applies(shape))
      base::fail(Status::no_such_plan, "{} is not served; it needs {}", where(s), needs());
    formats::ProgramFile made{said(s), {}};
    const std::string problem = s.p <= quickly_proved ? formats::verdict_of(made.schedule).problem
                                                      : formats::refutation(made).problem;
    if (!problem.empty()) refuse(s, problem);
    kept_.push_front(std::make_shared<const Schedule>(std::move(made.schedule)));
    if (kept_.size() > most_kept) kept_.pop_back();
    return kept_.front();
  }

  // Returns a hash of what decides what ranks do, for a few shapes.
  [[nodiscard]] std::string behaviour() const {
    std::string text = fmt::format("{} {} {}", name_, given_.operation, given_.flags);
    for (int p = 1; p <= compared_ranks; ++p) {
      const Shape shape{.p = p};
      const tutti_schedule_shape s = public_shape(shape);
      if (!applies(shape)) continue;
      if (const auto cost = price(shape))
        text += fmt::format(" {} {} {}", cost->alpha, cost->beta, cost->gamma);
      try {
        text += formats::hash_of(said(s));
      } catch (const base::Error& error) {
        text += error.what();
      }
    }
    return base::sha256(text);
  }

  tutti_generator given_;
  std::string name_, about_, published_, needs_, identity_;
  mutable std::mutex mutex_;
  mutable std::list<std::shared_ptr<const Schedule>> kept_;
};

void check(const tutti_generator& given) {
  const auto refuse = [](const std::string& why) {
    base::fail(Status::invalid_argument, "a generator is not registered: {}", why);
  };
  if (given.struct_size != sizeof given)
    refuse(fmt::format("struct_size is {} and not sizeof(tutti_generator), {}", given.struct_size,
                       sizeof given));
  const std::string name = text_of(given.name);
  const std::string letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (name.empty() || name.size() > longest_name ||
      name.find_first_not_of(letters) != std::string::npos)
    refuse(fmt::format("its name is '{}' but must have small letters, digits and _, 1 to {}",
                       base::printable(name, longest_name), longest_name));
  const auto number = static_cast<int>(given.operation);
  if (number < 0 || number >= schedule::operation_kinds)
    refuse(fmt::format("the operation of '{}' is {}, which is no tutti_operation", name, number));
  if ((given.flags & ~all_flags) != 0)
    refuse(fmt::format("the flags of '{}' are {}, and there are only {}", name, given.flags,
                       all_flags));
  if (given.rounds == nullptr || given.emit == nullptr)
    refuse(fmt::format("'{}' has no function {}", name, given.emit == nullptr ? "emit" : "rounds"));
  const auto operation = static_cast<Operation>(number);
  if (name == native_name || known_as(operation, name) != nullptr)
    refuse(fmt::format("there is an algorithm '{}' for {} already", name,
                       schedule::to_text(operation)));
}

}  // namespace

void register_generator(const tutti_generator& given, const std::string& identity) {
  check(given);
  const auto operators = (given.flags & TUTTI_COMMUTATIVE_ONLY) != 0
                             ? schedule::Operators::commutative
                             : schedule::Operators::any;
  make_known(adopt({given.name, static_cast<Operation>(given.operation), operators,
                    (given.flags & TUTTI_NOT_IN_PLACE) == 0},
                   std::make_unique<RegisteredSource>(given, identity)));
}

std::string registered_text() {
  std::string text;
  for (const schedule::Generator* generator : all()) {
    const Source* source = source_of(*generator);
    if (source == nullptr) continue;
    text +=
        fmt::format("{}{} {} (SHA-256 {})", text.empty() ? "" : ", ",
                    schedule::to_text(generator->operation), generator->name, source->identity());
  }
  return text;
}

}  // namespace tutti::algorithms
