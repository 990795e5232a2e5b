// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a job as a source of the simulator, while they run. The simulator asks for
// the next item of a rank when the rank has done the last one in virtual time. If the process has
// not written it yet, the simulation waits. So time moves on only when every rank that is not
// blocked in virtual time has said what it does next.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/recorded_operation.hpp"
#include "replay/item_source.hpp"
#include "replay/operations.hpp"
#include "selection/choose.hpp"
#include "timekeeper/stream_reader.hpp"

namespace tutti::tools {

class LiveSource : public replay::ItemSource {
 public:
  // Mapping and board must outlive the source.
  LiveSource(const transport::shm::Mapping& mapping, timed::TimedBoard& board,
             const machine::Machine& machine);

  void set_ranks(simulate::SeenRanks& ranks) override { ranks_ = &ranks; }
  void done(int node, simulate::RequestNumber request) override;
  [[nodiscard]] std::string call_of(int node, int item) const override;

 private:
  struct Rank {
    std::vector<std::string> calls;  // by number, from 1
    std::deque<formats::RecordedOperation> bound;
    std::map<int, replay::BoundPart> parts;  // by index in `bound`
    std::map<int, std::int64_t> operations;  // how many it has begun, by group
    std::vector<std::uint16_t> call_of_item;
    simulate::Ticks clocked = -1;                  // when it has read its clock last
    int looks = 0;                                 // at its clock, at that instant
    std::vector<simulate::RequestNumber> awaited;  // it sleeps until one of them is done
  };
  void read_on(int node) override;
  simulate::RunOperation operation_of(int node, const formats::RecordedCall& call) override;
  [[nodiscard]] const std::string& call_name(int node, int call) const override;

  void read_text(int node, const record::RecordItem& item);
  void add_group(const std::string& text);
  void add_bound(int node, const std::string& text);
  void answer(int node, const record::RecordItem& question);
  void advise(int node, const record::RecordItem& question);
  void await_first(int node, const record::RecordItem& question);
  // Returns false for an item that says nothing of its own, or that virtual time refuses.
  [[nodiscard]] static bool deed_of(const record::RecordItem& item, formats::RecordedDeed& deed);
  void end_now(int node);
  [[nodiscard]] Rank& at(int node) { return ranks_of_job_[static_cast<std::size_t>(node)]; }

  StreamReader reader_;
  timed::TimedBoard& board_;
  simulate::Posting posting_;
  selection::Chooser chooser_;
  std::map<std::string, std::string> advice_;  // plans by questions
  simulate::SeenRanks* ranks_ = nullptr;
  std::vector<Rank> ranks_of_job_;
  std::vector<std::vector<int>> groups_;
  formats::RecordedOperationReader operations_{groups_};
};

}  // namespace tutti::tools
