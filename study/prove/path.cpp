// SPDX-License-Identifier: BSD-3-Clause
// Takes answers on a path and asks z3 which are possible.
#include "path.hpp"

#include <algorithm>

namespace tutti::prove {
namespace {

// Runs repeat because the seed is fixed, and because the work of z3 is limited instead of its time.
constexpr unsigned seed = 1994, most_work = 20'000'000;
constexpr int most_paths = 20'000;
constexpr std::size_t most_answers = 300;  // on one path; a loop may have no end

Path* running = nullptr;
std::int64_t paths_begun = 0;

}  // namespace

void Report::add(const Report& other) {
  paths += other.paths;
  ended += other.ended;
  impossible += other.impossible;
  undecided += other.undecided;
  obligations += other.obligations;
  for (const auto& [name, times] : other.shown) shown[name] += times;
  lemmas.insert(other.lemmas.begin(), other.lemmas.end());
  open.insert(open.end(), other.open.begin(), other.open.end());
  differences.insert(differences.end(), other.differences.begin(), other.differences.end());
  if (unsupported.empty()) unsupported = other.unsupported;
}

Path& path() {
  return *running;
}

std::int64_t path_number() {
  return paths_begun;
}

Path::Path(std::vector<Answer> answers, Report& report)
    : answers_(std::move(answers)),
      first_new_(answers_.size()),
      report_(report),
      constants_(context()),
      values_(context()) {
  running = this;
  ++paths_begun;
}

Path::Path(const Numbers& numbers, Report& report) : Path(std::vector<Answer>{}, report) {
  numbers_ = &numbers;
}

Path::~Path() {
  running = nullptr;
}

// On numbers nobody asks it, and to make one takes longer than most rounds.
z3::solver& Path::solver() {
  if (!solver_) {
    solver_.emplace(context(), z3::solver::simple());
    z3::params parameters(context());
    parameters.set("random_seed", seed);
    parameters.set("rlimit", most_work);
    solver_->set(parameters);
  }
  return *solver_;
}

void Path::add(const z3::expr& fact) {
  solver().add(fact);
  if (example_ && !example_->eval(fact, true).is_true()) example_.reset();
}

// The example is one for which the condition holds, so that it is possible.
bool Path::is_seen(const Truth& condition) const {
  return example_ && example_->eval(expression_of(condition), true).is_true();
}

z3::check_result Path::check(const z3::expr& with) {
  solver().push();
  solver().add(with);
  const z3::check_result result = solver().check();
  if (result == z3::sat) example_ = solver().get_model();
  if (result != z3::sat) solver().pop();
  return result;  // after sat, the caller reads the model and pops
}

bool Path::proves(const Truth& condition) {
  if (condition.is_value()) return condition.value();
  if (uses_numbers()) {
    compare(condition, "a proof");
    return condition.value();
  }
  const z3::check_result result = check(!expression_of(condition));
  if (result == z3::sat) solver().pop();
  return result == z3::unsat;
}

bool Path::answer(const Truth& question) {
  if (question.is_value()) return question.value();
  if (uses_numbers()) {
    compare(question, "an answer");
    return question.value();
  }
  if (next_ == answers_.size()) {
    if (next_ == most_answers) throw Unsupported{"a loop with an unknown number of steps"};
    const bool surely = !is_seen(negated(question)) && proves(question);
    const bool never = !surely && !is_seen(question) && proves(negated(question));
    answers_.push_back({!never, !surely && !never});
  }
  const Answer& answer = answers_[next_++];
  if (answer.is_choice) add(expression_of(answer.taken ? question : negated(question)));
  return answer.taken;
}

int Path::choose(int count) {
  if (uses_numbers()) return numbers_->choice(count);
  for (int i = 0; i + 1 < count; ++i) {
    if (next_ == answers_.size()) answers_.push_back({true, true});
    if (answers_[next_++].taken) return i;
  }
  return count - 1;
}

void Path::assume(const Truth& condition) {
  if (condition.is_value() && condition.value()) return;
  if (condition.is_value() || (!is_seen(condition) && proves(negated(condition)))) {
    ++report_.ended;
    throw End{};
  }
  if (!uses_numbers()) add(expression_of(condition));
}

void Path::require(const Truth& condition, const std::string& obligation) {
  show(condition, obligation);
  ++required_;
}

void Path::show(const Truth& condition, const std::string& obligation) {
  if (uses_numbers()) {
    compare(condition, "an obligation");
    if (!condition.value()) {
      report_.open.push_back({obligation, true, {}});
      throw End{};
    }
  } else if (!condition.is_value()) {
    const z3::check_result result = check(!expression_of(condition));
    if (result != z3::unsat) fail(obligation, result);
    add(expression_of(condition));
  } else if (!condition.value()) {
    const z3::check_result result = check(context().bool_val(true));
    if (result != z3::unsat) fail(obligation, result);
    add(context().bool_val(false));  // nothing is owed on an impossible path
    throw End{};
  }
  shown_.push_back(obligation);
}

void Path::compare(const Truth& a, const char* what) {
  if (a.is_value()) return;
  z3::expr term = a.term()->expression;
  const z3::expr value = term.substitute(constants_, values_).simplify();
  if (a.value() ? value.is_true() : value.is_false()) return;
  differ(std::string(what) + " differs from its number");
}

void Path::compare(const Int& a) {
  if (a.is_number()) return;
  z3::expr term = a.term()->expression;
  const z3::expr value = term.substitute(constants_, values_).simplify();
  std::int64_t number = 0;
  if (value.is_numeral() && value.is_numeral_i64(number) && number == a.number()) return;
  differ("a term differs from its number");
}

// The verifier looks at every number up to this one, so that a proof is worth most beyond it.
bool Path::may_have_many_ranks() {
  constexpr int few = 64;
  if (!ranks_ || uses_numbers()) return true;
  const z3::check_result result = check(expression_of(*ranks_ > few));
  if (result == z3::sat) solver().pop();
  return result == z3::sat;
}

void Path::close() {
  const z3::check_result possible = uses_numbers() ? z3::sat : solver().check();
  if (possible == z3::unsat) ++report_.impossible;
  if (possible == z3::unknown) ++report_.undecided;
  if (possible != z3::sat) return;
  if (is_complete_ && may_have_many_ranks()) {
    Reached& reached = report_.stages[stage_];
    ++reached.paths;
    reached.obligations += required_;
  }
  report_.obligations += static_cast<int>(shown_.size());
  for (const std::string& obligation : shown_) ++report_.shown[obligation];
}

void Path::fail(const std::string& obligation, z3::check_result result) {
  Open open{obligation, result == z3::sat, {}};
  if (result == z3::sat) {
    const z3::model model = solver().get_model();
    for (const auto& [name, expression] : named_) {
      const z3::expr value = model.eval(expression, true);
      std::int64_t number = 0;
      if (value.is_numeral() && value.is_numeral_i64(number)) open.values[name] = number;
    }
    solver().pop();
  }
  report_.open.push_back(std::move(open));
  throw End{};
}

Domain Path::inside(const Truth& condition, const std::string& obligation) {
  const auto is_it = [&](const Truth& other) {
    return z3::eq(expression_of(other), expression_of(condition));
  };
  if (std::none_of(shown_to_be_inside_.begin(), shown_to_be_inside_.end(), is_it)) {
    show(condition, obligation);
    shown_to_be_inside_.push_back(condition);
  }
  return {};
}

void Path::learn(const Domain&, const Truth& fact, const char* lemma) {
  believe(fact, lemma);
}

void Path::learn_where(const Truth& condition, const Truth& fact, const char* lemma) {
  believe(schedule::implies(condition, fact), lemma);
}

void Path::believe(const Truth& fact, const char* lemma) {
  if (*lemma != '\0') report_.lemmas.insert(lemma);
  if (!uses_numbers()) return add(expression_of(fact));
  compare(fact, "a fact");
  if (!fact.value()) differ("a fact is false");
}

Int Path::unknown(const std::string& name) {
  return unknown(name, uses_numbers() ? numbers_->of_unknown(name) : 0);
}

Int Path::unknown(const std::string& name, std::int64_t number) {
  const std::string full = name + "!" + std::to_string(unknowns_++);
  const z3::expr constant = context().int_const(full.c_str());
  named_.emplace_back(name, constant);
  if (uses_numbers()) {
    constants_.push_back(constant);
    values_.push_back(context().int_val(number));
  }
  return int_of(number, constant);
}

namespace {

void run(Path& path, const std::function<void()>& statement, Report& report) {
  try {
    statement();
    path.complete();
  } catch (const Path::End&) {
  } catch (const Unsupported& reason) {
    report.unsupported = reason.what;
  } catch (const z3::exception& problem) {
    report.unsupported = std::string("z3: ") + problem.msg();
  }
  path.close();
}

}  // namespace

Report explore_numbers(const std::function<void()>& statement, const Numbers& numbers) {
  Report report;
  Path one(numbers, report);
  run(one, statement, report);
  return report;
}

Report explore_numbers(const std::function<void()>& statement) {
  static const Numbers none{[](const std::string&) { return 0; }, [](int) { return 0; }};
  return explore_numbers(statement, none);
}

Report explore(const std::function<void()>& statement) {
  Report report;
  std::vector<std::vector<Answer>> pending{{}};
  while (!pending.empty() && report.proved()) {
    std::vector<Answer> answers = std::move(pending.back());
    pending.pop_back();
    if (++report.paths > most_paths) {
      report.unsupported = "more than " + std::to_string(most_paths) + " paths";
      break;
    }
    Path one(std::move(answers), report);
    run(one, statement, report);
    for (std::size_t i = one.first_new(); i < one.answers().size(); ++i) {
      if (!one.answers()[i].is_choice) continue;
      auto end = one.answers().begin() + static_cast<std::ptrdiff_t>(i);
      std::vector<Answer> other(one.answers().begin(), end);
      other.push_back({!end->taken, true});
      pending.push_back(std::move(other));
    }
  }
  return report;
}

schedule::Int unknown_state() {
  return path().unknown("state");
}
void learn_from_lemma(const char* lemma, const schedule::Truth& condition,
                      const schedule::Truth& fact) {
  path().learn_where(condition, fact, lemma);
}
bool loops_run() {
  return running != nullptr && running->uses_numbers();
}

}  // namespace tutti::prove

namespace tutti::schedule {

Truth::operator bool() const {
  return is_value() ? value_ : prove::path().answer(*this);
}

}  // namespace tutti::schedule
