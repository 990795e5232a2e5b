// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a job as a source of the simulator, while they run. The simulator asks for
// the next item of a rank when the rank has done the last one in virtual time. If the process has
// not written it yet, the simulation waits. So time moves on only when every rank that is not
// blocked in virtual time has said what it does next.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/recorded_operation.hpp"
#include "replay/item_source.hpp"
#include "replay/operations.hpp"
#include "timekeeper/node_mail.hpp"
#include "timekeeper/plan_advice.hpp"
#include "timekeeper/stream_reader.hpp"
#include "transport/timed/stream.hpp"

namespace tutti::tools {

class LiveSource : public replay::ItemSource {
 public:
  // Mapping and board must outlive the source.
  LiveSource(const transport::shm::Mapping& mapping, timed::TimedBoard& board,
             const machine::Machine& machine);

  [[nodiscard]] bool stops() const override { return board_.cut_short.check() != 0; }
  void arrived(int node, int from, int number) override;
  void done(int node, simulate::RequestNumber request) override;
  [[nodiscard]] std::string sleeps_for(int node) const override;
  [[nodiscard]] std::string call_of(int node, int item) const override;

 private:
  struct Rank {
    std::vector<std::string> calls;     // by number, from 1
    std::vector<std::string> counters;  // the same
    std::deque<formats::RecordedOperation> bound;
    std::map<int, replay::BoundPart> parts;  // by index in `bound`
    std::map<int, std::int64_t> operations;  // how many it has begun, by group
    std::vector<std::uint16_t> call_of_item;
    std::optional<record::RecordItem> question;  // that waits for its answer
    std::optional<simulate::Ticks> until;        // when it waits no more
    std::optional<simulate::Ticks> seeks_until;  // of a look, between whose questions others may be
    std::vector<timed::TimedStream::Awaited> awaited;  // by ItemKind::first
    bool has_news = false;                             // since it has asked for them last
    transport::Label key;                              // of what it sends
    timed::Selection selection;                        // that its items mean
    NodeMail mail;
    std::set<NodeMail::Name> refused;        // messages that its last look has got
    std::map<int, int> sent;                 // messages by receiver
    std::set<simulate::RequestNumber> asks;  // receives whose messages it will ask for
    std::map<simulate::RequestNumber, NodeMail::Message> got;  // their messages
  };
  void read_on(int node) override;
  simulate::RunOperation operation_of(int node, const formats::RecordedCall& call) override;
  [[nodiscard]] const std::string& call_name(int node, int call) const override;
  [[nodiscard]] const std::string& counter_name(int node, int counter) const override;

  void note_call(int node, const record::RecordItem& item);
  // Returns false if the item is of another kind.
  [[nodiscard]] bool read_mail(int node, const record::RecordItem& item);
  void read_text(int node, const record::RecordItem& item);
  void add_group(const std::string& text);
  void add_bound(int node, const std::string& text);
  template <class Content>
  [[nodiscard]] bool read_content(int node, const record::RecordItem& item, Content& content);

  // A question is asked until it has its answer. Meanwhile the rank waits.
  void begin_question(int node, const record::RecordItem& question);
  void ask(int node);
  [[nodiscard]] std::optional<simulate::Ticks> after(std::uint64_t nanoseconds) const;
  [[nodiscard]] std::optional<std::uint64_t> answer_to(int node,
                                                       const record::RecordItem& question);
  [[nodiscard]] bool cancel(int node, simulate::RequestNumber request);
  [[nodiscard]] std::optional<std::uint64_t> first_done(int node);
  [[nodiscard]] std::optional<std::uint64_t> message_of(int node,
                                                        const record::RecordItem& question);
  [[nodiscard]] std::optional<std::uint64_t> message_found(int node);
  void advise(int node, const record::RecordItem& question);

  void read_send(int node, const record::RecordItem& item);
  void meet(int node, const NodeMail::Meetings& meetings);
  void receive_lost(int node);
  void receive_unawaited(int node, int from, int number);
  // Returns false for an item that says nothing of its own.
  [[nodiscard]] static bool deed_of(const record::RecordItem& item, formats::RecordedDeed& deed);
  void end_now(int node);
  [[nodiscard]] Rank& at(int node) { return ranks_of_job_[static_cast<std::size_t>(node)]; }

  StreamReader reader_;
  timed::TimedBoard& board_;
  simulate::Posting posting_;
  PlanAdvice advice_;
  std::vector<Rank> ranks_of_job_;
  std::vector<std::vector<int>> groups_;
  formats::RecordedOperationReader operations_{groups_, std::numeric_limits<std::int64_t>::max()};
};

}  // namespace tutti::tools
