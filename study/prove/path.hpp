// SPDX-License-Identifier: BSD-3-Clause
// One run of a statement about symbols. Where it needs the answer of a comparison and both are
// possible, the path takes one; explore() runs the statement again until all have been taken.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "terms.hpp"

namespace tutti::prove {

// The code does something that has no meaning on symbols yet.
struct Unsupported {
  std::string what;
};

// An obligation that does not hold, or that z3 cannot decide.
struct Open {
  std::string obligation;
  bool refuted = false;                        // z3 has a counter-example; otherwise it gave up
  std::map<std::string, std::int64_t> values;  // of the named unknowns in the counter-example
};

// A domain says that the path is where a fact is true, and a fact is added only together with one.
// Path::inside() alone makes domains, after it has shown the condition. If a fact were added where
// it may be false, it could contradict the path, which would then count as impossible.
class Domain {
 private:
  friend class Path;
  Domain() = default;
};

// Counts the paths of a statement in one stage that are possible and came to their end, and the
// obligations that the statement itself has there. Paths that are only possible with few ranks do
// not count: with so few, much is true that is false of more.
struct Reached {
  int paths = 0, obligations = 0;
};

// What has become of a statement: the sum over its paths.
struct Report {
  int paths = 0;
  int ended = 0;        // paths that an assumption has ended
  int impossible = 0;   // paths that a fact learnt late has made impossible; they show nothing
  int undecided = 0;    // z3 cannot say whether they are possible, so they show nothing, either
  int obligations = 0;  // shown on some path
  std::map<std::string, int> shown;  // how often each obligation was shown
  std::map<int, Reached> stages;
  std::set<std::string> lemmas;
  std::vector<Open> open;
  std::vector<std::string> differences;  // on numbers: what is not true of them
  std::string unsupported;
  void add(const Report& other);
  [[nodiscard]] bool proved() const {
    return open.empty() && differences.empty() && unsupported.empty();
  }
};

// Gives numbers to the unknowns of a statement by their names, and takes its choices.
struct Numbers {
  std::function<std::int64_t(const std::string& name)> of_unknown;
  std::function<int(int count)> choice;
};

// An answer that a path has taken. If another one was possible, too, some other path takes that.
struct Answer {
  bool taken;
  bool is_choice;
};

class Path {
 public:
  // Begins with these answers, which an earlier run has found possible.
  Path(std::vector<Answer> answers, Report& report);
  // Runs on numbers: those of the unknowns answer every question. What is said of terms is compared
  // with the numbers; a difference is reported.
  Path(const Numbers& numbers, Report& report);
  ~Path();
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  // Returns an unknown with this name. On numbers it has this one, or one that is given to it.
  Int unknown(const std::string& name);
  Int unknown(const std::string& name, std::int64_t number);
  bool answer(const Truth& question);
  // Returns one of 0 .. count-1; each is taken on some path.
  int choose(int count);
  // Goes on only where the condition holds.
  void assume(const Truth& condition);
  // An obligation: the condition holds wherever the path comes here. It is known from here on.
  void require(const Truth& condition, const std::string& obligation);
  // Shows that the path is where the condition holds, once for each condition.
  Domain inside(const Truth& condition, const std::string& obligation);
  // Adds a fact that is true in its domain.
  void learn(const Domain& domain, const Truth& fact, const char* lemma = "");
  // Adds a fact that has a proof of its own where the condition holds, which becomes its premise.
  // A fact enters a path in one of these two ways only.
  void learn_where(const Truth& condition, const Truth& fact, const char* lemma = "");
  [[nodiscard]] bool proves(const Truth& condition);
  [[nodiscard]] bool uses_numbers() const { return numbers_ != nullptr; }
  // Compares a term with its number.
  void compare(const Int& a);
  void compare(const Truth& a, const char* what);
  void differ(const std::string& difference) { report_.differences.push_back(difference); }
  // Within lemmas, products of unknowns are given to z3.
  void allow_products() { products_ = true; }
  [[nodiscard]] bool products_allowed() const { return products_; }

  Domain shift_by(const Int& distance);
  Int power_of_two(const Int& exponent);
  Int shifted(const Int& a, const Int& distance);
  Int ceil_log2(const Int& p);
  // Bits (bits.cpp).
  [[nodiscard]] std::optional<Int> exponent_of(const Int& power) const;
  // x modulo 2^exponent, also of negative numbers.
  Int low(const Int& x, const Int& exponent);
  // Multiples of powers of two (multiples.cpp): factor * 2^exponent, and the largest factor for
  // which this is at most x.
  Int multiple(const Int& factor, const Int& exponent);
  Int quotient(const Int& x, const Int& exponent);
  void know_range(const Int& x);
  Int flipped(const Int& x, const Int& exponent);
  Int exclusive_or(const Int& a, const Int& b);
  Int bit_floor(const Int& n);
  // Says which of the powers are greater than the machine's largest one (numbers.cpp).
  void bound_powers();

  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] std::size_t first_new() const { return first_new_; }
  // Ends the path: thrown by assume() and by failed obligations.
  struct End {};
  // Says which stage the statement looks at.
  void look_at_stage(int number) { stage_ = number; }
  // Says how many ranks there are.
  void look_at_ranks(const Int& p) { ranks_ = p; }
  // The statement has come to its end.
  void complete() { is_complete_ = true; }
  // Reports what the path has shown, if it is possible.
  void close();

 private:
  [[nodiscard]] bool may_have_many_ranks();
  struct Power {
    Int exponent, value, twice;
  };
  struct Shift {
    Int number, distance, value;
  };
  struct Low {
    Int number, exponent, value;
  };
  struct Exclusive {
    Int a, b, value;
  };
  struct Multiple {
    Int factor, exponent, value;
  };
  void relate(const Domain& domain, const Low& a, const Low& b);
  void relate(const Domain& domain, const Multiple& a, const Multiple& b);
  // A sum is that of its addends: number * unknown.
  struct Addend {
    Int coefficient, unknown;
  };
  [[nodiscard]] Int numbered(const z3::expr& term) const;
  [[nodiscard]] std::vector<Addend> addends_of(const Int& x) const;
  void reduce(const Low& made);
  [[nodiscard]] bool is_multiple(const Int& coefficient, const Int& unknown,
                                 const Int& exponent) const;
  [[nodiscard]] bool is_low(const Int& unknown) const;
  z3::solver& solver();
  void add(const z3::expr& fact);
  [[nodiscard]] bool is_seen(const Truth& condition) const;
  z3::check_result check(const z3::expr& with);
  // Shows an obligation of the statement, or of an operator on its way.
  void show(const Truth& condition, const std::string& obligation);
  void fail(const std::string& obligation, z3::check_result result);
  void believe(const Truth& fact, const char* lemma);
  void define_shift(const Domain& domain, const Shift& shift);

  std::vector<Answer> answers_;
  std::size_t first_new_, next_ = 0;
  Report& report_;
  std::optional<z3::solver> solver_;
  std::optional<z3::model> example_;  // numbers for which all holds that was added
  std::vector<std::pair<std::string, z3::expr>> named_;
  std::vector<Truth> shown_to_be_inside_;
  std::vector<Power> powers_;
  std::vector<Shift> shifts_;
  std::vector<Low> lows_;
  std::vector<Exclusive> exclusives_;
  std::vector<Multiple> multiples_, quotients_;
  std::vector<std::pair<Int, Int>> logs_, floors_;
  std::vector<std::string> shown_;
  int required_ = 0;  // how many of them are the statement's own
  int unknowns_ = 0;
  bool products_ = false;
  int stage_ = 0;
  std::optional<Int> ranks_;
  bool is_complete_ = false;
  const Numbers* numbers_ = nullptr;
  z3::expr_vector constants_, values_;
};

// The path that is running.
Path& path();

// Runs the statement on all its paths.
Report explore(const std::function<void()>& statement);
// Runs it once, on unknowns with numbers. Without any, those that have none are 0.
Report explore_numbers(const std::function<void()>& statement);
Report explore_numbers(const std::function<void()>& statement, const Numbers& numbers);

}  // namespace tutti::prove
