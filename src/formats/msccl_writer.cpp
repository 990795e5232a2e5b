// SPDX-License-Identifier: BSD-3-Clause
// Writes programs of MSCCL. The steps of a round wait for all steps of their rank in the round
// before, through steps that only wait: a step of MSCCL can wait for one other step only.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "formats/msccl.hpp"
#include "schedule/printer.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Buffer;
using schedule::Do;
using schedule::Op;
using schedule::Operand;

// A block by its buffer and number.
using Cell = std::pair<Buffer, int>;
using Cells = std::vector<Cell>;

Cells cells_of(const Blocks& blocks) {
  Cells cells;
  for (const Block& b : blocks)
    for (int j = 0; j < b.times; ++j)
      for (int i = 0; i < b.count; ++i) cells.emplace_back(b.buffer, b.first + j * b.stride + i);
  return cells;
}

bool meet(const Cells& some, const Cells& others) {
  return std::any_of(some.begin(), some.end(), [&](const Cell& cell) {
    return std::find(others.begin(), others.end(), cell) != others.end();
  });
}

// A step in a thread block of a rank.
struct Where {
  int block = -1, step = -1;
  friend auto operator<=>(const Where&, const Where&) = default;
};

struct OutStep {
  const char* type;
  Cell source, target;
  int count;
  Where after;
};

struct OutBlock {
  int send = -1, receive = -1;
  std::vector<OutStep> steps;
};

// Beginnings of the runs in which every list has consecutive cells, and the end.
std::vector<std::size_t> runs_of(const std::vector<const Cells*>& lists) {
  const std::size_t length = lists.front()->size();
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < length; ++i) {
    const bool goes_on = i > 0 && std::all_of(lists.begin(), lists.end(), [&](const Cells* list) {
                           return (*list)[i].first == (*list)[i - 1].first &&
                                  (*list)[i].second == (*list)[i - 1].second + 1;
                         });
    if (!goes_on) cuts.push_back(i);
  }
  cuts.push_back(length);
  return cuts;
}

// The thread blocks of one rank while its rounds are written.
class RankWriter {
 public:
  RankWriter() { blocks_.emplace_back(); }

  Where add(int block, OutStep step, const std::vector<Where>& after) {
    std::vector<Where> waits{round_begin_};
    waits.insert(waits.end(), after.begin(), after.end());
    std::erase_if(waits,
                  [&](const Where& where) { return where.block < 0 || where.block == block; });
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    if (waits.size() > 1) std::erase(waits, round_begin_);
    std::vector<OutStep>& steps = blocks_[static_cast<std::size_t>(block)].steps;
    for (std::size_t i = 0; i + 1 < waits.size(); ++i)
      steps.push_back({"nop", {Buffer::input, 0}, {Buffer::input, 0}, 0, waits[i]});
    step.after = waits.empty() ? Where{} : waits.back();
    steps.push_back(step);
    const Where where{block, static_cast<int>(steps.size()) - 1};
    last_[block] = where;
    return where;
  }

  // These return the thread block that sends to the peer, or receives from it.
  int block_to(int peer) { return block_of({peer, -1}); }
  int block_from(int peer) { return block_of({-1, peer}); }

  void end_round() {
    if (last_.empty()) return;
    std::vector<Where> all;
    for (const auto& entry : last_) all.push_back(entry.second);
    last_.clear();
    if (all.size() == 1) {
      round_begin_ = all.front();
      return;
    }
    round_begin_ = {};
    round_begin_ = add(0, {"nop", {Buffer::input, 0}, {Buffer::input, 0}, 0, {}}, all);
    last_.clear();
  }

  [[nodiscard]] const std::vector<OutBlock>& blocks() const { return blocks_; }

 private:
  using Peers = std::pair<int, int>;  // the GPU to send to and the one to receive from, or -1

  int block_of(const Peers& peers) {
    const auto [entry, is_new] = of_peers_.try_emplace(peers, static_cast<int>(blocks_.size()));
    if (is_new) blocks_.push_back({peers.first, peers.second, {}});
    return entry->second;
  }

  std::vector<OutBlock> blocks_;  // the first is for local work
  std::map<Peers, int> of_peers_;
  std::map<int, Where> last_;  // by thread block: its last step in this round
  Where round_begin_;          // follows all steps of the rounds before
};

class Writer {
 public:
  explicit Writer(const Schedule& schedule)
      : schedule_(schedule), ranks_(static_cast<std::size_t>(schedule.p)) {}

  std::string run() {
    const std::size_t rounds = schedule_.programs.front().size();
    for (std::size_t t = 0; t < rounds; ++t) {
      sent_.assign(ranks_.size(), {});
      send_steps_.assign(ranks_.size(), {});
      for (int rank = 0; rank < schedule_.p; ++rank)
        for (const Op& op : ops(rank, t)) note_sends(op, rank);
      plan_runs(t);
      for (int rank = 0; rank < schedule_.p; ++rank) write_sends(rank);
      for (int rank = 0; rank < schedule_.p; ++rank) {
        work_steps_.clear();
        for (const Op& op : ops(rank, t)) write(op, rank);
      }
      for (RankWriter& rank : ranks_) rank.end_round();
    }
    return text();
  }

 private:
  struct Message {
    Cells cells;
    std::vector<std::size_t> runs;
  };

  [[nodiscard]] const std::vector<Op>& ops(int rank, std::size_t t) const {
    return schedule_.programs[static_cast<std::size_t>(rank)][t].ops;
  }
  RankWriter& writer(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Message& message(int from, int to) { return sent_[static_cast<std::size_t>(from)].at(to); }

  void note_sends(const Op& op, int rank) {
    if (op.what != Do::send) return;
    const Cells cells = cells_of(op.blocks);
    if (cells.empty())
      base::fail(base::Status::invalid_argument, "MSCCL cannot say a message without blocks");
    for (int i = 0; i < op.to.count; ++i) {
      const int to = op.to.first + i * op.to.stride;
      if (to != op.to.except) sent_[static_cast<std::size_t>(rank)][to] = {cells, {}};
    }
  }

  // The operands of a combine in the order in which they are added: one that the result overwrites
  // comes first, and then a local one if there is any.
  std::vector<const Operand*> order_of(const Op& op) const {
    const Cells target = cells_of(op.blocks);
    std::vector<const Operand*> order;
    for (const Operand& operand : op.operands) order.push_back(&operand);
    const auto overwritten = [&](const Operand* operand) {
      return operand->is_local() && meet(cells_of(operand->local), target);
    };
    std::stable_partition(order.begin(), order.end(),
                          [](const Operand* operand) { return operand->is_local(); });
    const auto rest = std::stable_partition(order.begin(), order.end(), overwritten);
    if (rest - order.begin() > 1)
      base::fail(base::Status::invalid_argument,
                 "MSCCL cannot say '{}', which overwrites two of its operands",
                 schedule::to_text(op));
    return order;
  }

  // Cuts every message where the lists of its sender or its receiver are not consecutive.
  void plan_runs(std::size_t t) {
    for (int rank = 0; rank < schedule_.p; ++rank) {
      for (const Op& op : ops(rank, t)) {
        const Cells target = cells_of(op.blocks);
        if (op.what == Do::receive) {
          Message& taken = message(op.to.first, rank);
          taken.runs = runs_of({&taken.cells, &target});
        }
        if (op.what != Do::receive_combine) continue;
        const std::vector<const Operand*> order = order_of(op);
        const Cells first = order.front()->is_local() ? cells_of(order.front()->local) : target;
        for (const Operand* operand : order) {
          if (operand->is_local()) continue;
          Message& taken = message(num(operand->from), rank);
          taken.runs = runs_of({&taken.cells, &target, &first});
        }
      }
    }
  }

  void write_sends(int rank) {
    for (auto& [to, sent] : sent_[static_cast<std::size_t>(rank)]) {
      const int block = writer(rank).block_to(to);
      for (std::size_t i = 0; i + 1 < sent.runs.size(); ++i) {
        const Cells run = run_of(sent.cells, sent.runs, i);
        const Where where =
            writer(rank).add(block, {"s", run.front(), run.front(), length(run), {}}, {});
        send_steps_[static_cast<std::size_t>(rank)].emplace_back(run, where);
      }
    }
  }

  static Cells run_of(const Cells& cells, const std::vector<std::size_t>& runs, std::size_t i) {
    const auto begin = cells.begin();
    return {begin + static_cast<std::ptrdiff_t>(runs[i]),
            begin + static_cast<std::ptrdiff_t>(runs[i + 1])};
  }
  static int length(const Cells& run) { return static_cast<int>(run.size()); }

  // Returns the steps that one from `source` to `target` waits for: those of the round before it
  // that use the same cells, and the sends of what it writes.
  std::vector<Where> waits_of(int rank, const Cells& source, const Cells& target) const {
    std::vector<Where> waits;
    for (const auto& [cells, where] : send_steps_[static_cast<std::size_t>(rank)])
      if (meet(cells, target)) waits.push_back(where);
    for (const auto& [cells, where] : work_steps_)
      if (meet(cells, target) || meet(cells, source)) waits.push_back(where);
    return waits;
  }

  // Adds a step for each run, and notes it.
  void add_runs(int rank, int block, const char* type, const Cells& source, const Cells& target,
                const std::vector<std::size_t>& runs) {
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
      const Cells from = run_of(source, runs, i), to = run_of(target, runs, i);
      const Where where = writer(rank).add(block, {type, from.front(), to.front(), length(to), {}},
                                           waits_of(rank, from, to));
      work_steps_.emplace_back(from, where);
      work_steps_.emplace_back(to, where);
    }
  }

  void take(int rank, int from, const char* type, const Cells& source, const Cells& target) {
    add_runs(rank, writer(rank).block_from(from), type, source, target, message(from, rank).runs);
  }

  void work(int rank, const char* type, const Cells& source, const Cells& target) {
    add_runs(rank, 0, type, source, target, runs_of({&source, &target}));
  }

  void write(const Op& op, int rank) {
    const Cells target = cells_of(op.blocks);
    if (op.what == Do::receive) take(rank, op.to.first, "r", target, target);
    if (op.what == Do::copy && cells_of(op.operands.front().local) != target)
      work(rank, "cpy", cells_of(op.operands.front().local), target);
    if (op.what != Do::combine && op.what != Do::receive_combine) return;
    std::optional<Cells> sum;  // where the sum so far stands, or its first term
    for (const Operand* operand : order_of(op)) {
      if (operand->is_local()) {
        const Cells cells = cells_of(operand->local);
        if (!sum) {
          sum = cells;
          continue;
        }
        if (*sum != target) work(rank, "cpy", *sum, target);
        work(rank, "re", cells, target);
      } else if (sum) {
        take(rank, num(operand->from), "rrc", *sum, target);
      } else {
        take(rank, num(operand->from), "r", target, target);
      }
      sum = target;
    }
    if (op.operands.size() == 1 && *sum != target) work(rank, "cpy", *sum, target);
  }

  [[nodiscard]] std::string text() const {
    const schedule::Buffers& b = schedule_.buffers;
    // The root of a broadcast has its data in the output, so there i and o are the same memory.
    const bool one_memory = schedule_.operation == schedule::Operation::broadcast;
    std::string out = fmt::format(
        "<algo name=\"{}\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" ngpus=\"{}\" "
        "coll=\"{}\" inplace=\"{}\" outofplace=\"{}\" minBytes=\"0\" maxBytes=\"0\"",
        plain_name(), b.parts, schedule_.p, schedule::to_text(schedule_.operation),
        one_memory ? 1 : 0, one_memory ? 0 : 1);
    if (has_root(schedule_.operation)) out += fmt::format(" root=\"{}\"", schedule_.root);
    out += ">\n";
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      out += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n",
                         rank, b.input, b.output, b.scratch);
      append(out, ranks_[rank].blocks());
      out += "  </gpu>\n";
    }
    return out + "</algo>\n";
  }

  [[nodiscard]] std::string plain_name() const {
    std::string name;
    for (const char c : schedule_.name)
      name += c == '"' || c == '<' || c == '&' || c < ' ' ? '_' : c;
    return name;
  }

  static void append(std::string& out, const std::vector<OutBlock>& blocks) {
    std::set<Where> waited_for;
    for (const OutBlock& block : blocks)
      for (const OutStep& step : block.steps) waited_for.insert(step.after);
    for (std::size_t id = 0; id < blocks.size(); ++id) {
      out += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", id,
                         blocks[id].send, blocks[id].receive);
      for (std::size_t s = 0; s < blocks[id].steps.size(); ++s) {
        const OutStep& step = blocks[id].steps[s];
        const Where here{static_cast<int>(id), static_cast<int>(s)};
        constexpr char letters[] = {'i', 'o', 's'};
        out += fmt::format(
            "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" "
            "dstoff=\"{}\" cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
            s, step.type, letters[static_cast<std::size_t>(step.source.first)], step.source.second,
            letters[static_cast<std::size_t>(step.target.first)], step.target.second, step.count,
            step.after.block, step.after.step, waited_for.contains(here) ? 1 : 0);
      }
      out += "    </tb>\n";
    }
  }

  const Schedule& schedule_;
  std::vector<RankWriter> ranks_;
  // By rank: its messages of this round by receiver, and the last step of each send with its cells.
  std::vector<std::map<int, Message>> sent_;
  std::vector<std::vector<std::pair<Cells, Where>>> send_steps_;
  // The cells that steps of the rank at hand use in this round, and the steps.
  std::vector<std::pair<Cells, Where>> work_steps_;
};

}  // namespace

std::string msccl_text(const Schedule& schedule) {
  using enum schedule::Operation;
  const schedule::Operation o = schedule.operation;
  if (o == barrier || o == scatter || o == gather || o == scan || o == exscan)
    base::fail(base::Status::invalid_argument, "MSCCL has no {}", schedule::to_text(o));
  return Writer(schedule).run();
}

}  // namespace tutti::formats
