// SPDX-License-Identifier: BSD-3-Clause
// Each rank looks up random entries of a table that is dealt to all ranks. The places go to the
// ranks that have the entries, and the entries come back: two exchanges of parts whose lengths
// differ, after one of the lengths.
#include <algorithm>

#include "programs.hpp"
#include "rows.hpp"

namespace exchange {
namespace {

std::uint64_t entry(std::uint64_t place) {
  return mixed(place ^ 0x5eed);
}

class LookUp final : public Program {
 public:
  LookUp(Exchange& exchange, std::size_t size)
      : exchange_(exchange),
        rows_(size),
        table_(rows_.count),
        wanted_(wanted_by(Exchange::rank())),
        found_(size),
        asked_{{}, std::vector<std::int64_t>(static_cast<std::size_t>(Exchange::ranks()))} {
    for (std::size_t i = 0; i < table_.size(); ++i) table_[i] = entry(rows_.first + i);
  }

  // The ranks tell how many questions they have, ask them, and answer.
  [[nodiscard]] int exchanges() const override { return 3; }
  void compute(int stage) override {
    if (stage == 0) sort_by_owner();
    if (stage == 1) asked_.resize();
    if (stage == 2) answer();
    if (stage == 3)
      for (std::size_t k = 0; k < wanted_.size(); ++k) found_[order_[k]] = answered_.values[k];
  }
  void exchange(int stage) override {
    if (stage == 0) exchange_.equal<std::int64_t>(questions_.counts, asked_.counts);
    if (stage == 1) exchange_.varied(questions_, asked_);
    if (stage == 2) exchange_.varied(answers_, answered_);
  }

  // Lets as many questions arrive as this rank asks, for entries that it has.
  void pretend(int stage) override {
    if (stage == 0 && rows_.count > 0) asked_.counts = questions_.counts;
    if (stage == 1)
      for (std::size_t i = 0; i < asked_.values.size(); ++i)
        asked_.values[i] = rows_.first + wanted_[i] % rows_.count;
    if (stage == 2) std::ranges::fill(answered_.values, 0);
  }
  [[nodiscard]] Moved moved(int stage, int rank) override {
    constexpr auto word = static_cast<double>(sizeof(std::uint64_t));
    if (stage == 0) return {word * (Exchange::ranks() - 1), word * (Exchange::ranks() - 1)};
    if (all_counts_.empty())
      for (int from = 0; from < Exchange::ranks(); ++from)
        all_counts_.push_back(counts_of(wanted_by(from)));
    const auto own = static_cast<std::size_t>(rank);
    double asks = 0, is_asked = 0;
    for (std::size_t other = 0; other < all_counts_.size(); ++other) {
      if (other == own) continue;
      asks += word * static_cast<double>(all_counts_[own][other]);
      is_asked += word * static_cast<double>(all_counts_[other][own]);
    }
    return stage == 1 ? Moved{asks, is_asked} : Moved{is_asked, asks};
  }
  [[nodiscard]] double share(int stage, int rank) const override {
    return stage == 0 || stage == 3 ? 1 : share_of(rows_, rank);
  }

  [[nodiscard]] double error() const override {
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (found_[i] != entry(wanted_[i])) return 1;
    return 0;
  }
  // The first rank asks for the same entries whatever the number of ranks, so what it has found is
  // counted, and the table.
  [[nodiscard]] std::uint64_t digest() const override {
    std::uint64_t total = 0;
    for (const std::uint64_t each : table_) total += mixed(each);
    if (Exchange::rank() == 0)
      for (std::size_t i = 0; i < found_.size(); ++i) total += mixed(mixed(i) ^ found_[i]);
    return total;
  }

 private:
  using Parts = Exchange::Parts<std::uint64_t>;

  // The places that a rank wants to know.
  [[nodiscard]] std::vector<std::uint64_t> wanted_by(int rank) const {
    const std::uint64_t seed = mixed(static_cast<std::uint64_t>(rank));
    std::vector<std::uint64_t> wanted(rows_.size);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = mixed(seed + i) % rows_.size;
    return wanted;
  }
  [[nodiscard]] std::size_t owner(std::uint64_t place) const { return place / rows_.height; }
  [[nodiscard]] std::vector<std::int64_t> counts_of(
      const std::vector<std::uint64_t>& places) const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(Exchange::ranks()));
    for (const std::uint64_t place : places) ++counts[owner(place)];
    return counts;
  }
  // Puts the questions for each rank together; order_ has the number of each.
  void sort_by_owner() {
    questions_.counts = answered_.counts = counts_of(wanted_);
    std::vector<std::size_t> next(questions_.counts.size());
    for (std::size_t rank = 1; rank < next.size(); ++rank)
      next[rank] = next[rank - 1] + static_cast<std::size_t>(questions_.counts[rank - 1]);
    questions_.resize();
    order_.resize(wanted_.size());
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const std::size_t k = next[owner(wanted_[i])]++;
      questions_.values[k] = wanted_[i];
      order_[k] = i;
    }
  }
  void answer() {
    answers_.counts = asked_.counts;
    answers_.resize();
    answered_.resize();
    std::ranges::transform(asked_.values, answers_.values.begin(),
                           [this](std::uint64_t place) { return table_[place - rows_.first]; });
  }

  Exchange& exchange_;
  Rows rows_;
  std::vector<std::uint64_t> table_, wanted_, found_;
  Parts questions_, asked_, answers_, answered_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::int64_t>> all_counts_;  // by rank that asks and rank that answers
};

}  // namespace

std::unique_ptr<Program> table_look_up(Exchange& exchange, std::size_t size) {
  return std::make_unique<LookUp>(exchange, size);
}

}  // namespace exchange
