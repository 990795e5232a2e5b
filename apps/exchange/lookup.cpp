// SPDX-License-Identifier: BSD-3-Clause
// Each rank looks up random entries of a table that is dealt to all ranks. The places go to the
// ranks that have the entries, and the entries come back: two exchanges of parts whose lengths
// differ.
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
      : exchange_(exchange), rows_(size), table_(rows_.count), wanted_(size), found_(size) {
    for (std::size_t i = 0; i < table_.size(); ++i) table_[i] = entry(rows_.first + i);
    const std::uint64_t seed = mixed(static_cast<std::uint64_t>(Exchange::rank()));
    for (std::size_t i = 0; i < size; ++i) wanted_[i] = mixed(seed + i) % size;
  }

  void run() override {
    sort_by_owner();
    const auto asked = exchange_.varied(questions_, {});
    Parts answers{std::vector<std::uint64_t>(asked.values.size()), asked.counts};
    std::ranges::transform(asked.values, answers.values.begin(),
                           [this](std::uint64_t place) { return table_[place - rows_.first]; });
    const auto answered = exchange_.varied(answers, questions_.counts);
    for (std::size_t k = 0; k < wanted_.size(); ++k) found_[order_[k]] = answered.values[k];
  }

  [[nodiscard]] double error() const override {
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (found_[i] != entry(wanted_[i])) return 1;
    return 0;
  }
  // The questions depend on the number of ranks, so only the entries of the table are counted,
  // once.
  [[nodiscard]] std::uint64_t digest() const override {
    std::uint64_t total = 0;
    for (const std::uint64_t each : table_) total += mixed(each);
    return total;
  }

 private:
  using Parts = Exchange::Parts<std::uint64_t>;

  [[nodiscard]] std::size_t owner(std::uint64_t place) const { return place / rows_.height; }
  // Puts the questions for each rank together; order_ has the number of each.
  void sort_by_owner() {
    questions_.counts.assign(static_cast<std::size_t>(Exchange::ranks()), 0);
    for (const std::uint64_t place : wanted_) ++questions_.counts[owner(place)];
    std::vector<std::size_t> next(questions_.counts.size());
    for (std::size_t rank = 1; rank < next.size(); ++rank)
      next[rank] = next[rank - 1] + static_cast<std::size_t>(questions_.counts[rank - 1]);
    questions_.values.resize(wanted_.size());
    order_.resize(wanted_.size());
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const std::size_t k = next[owner(wanted_[i])]++;
      questions_.values[k] = wanted_[i];
      order_[k] = i;
    }
  }

  Exchange& exchange_;
  Rows rows_;
  std::vector<std::uint64_t> table_, wanted_, found_;
  Parts questions_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::unique_ptr<Program> table_look_up(Exchange& exchange, std::size_t size) {
  return std::make_unique<LookUp>(exchange, size);
}

}  // namespace exchange
