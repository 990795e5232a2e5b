// SPDX-License-Identifier: BSD-3-Clause
// A transport that wraps another one and refuses misuse: posts without room, fragments given to too
// few or too many readers, packets popped without peek(). It also counts the packets and bytes of
// each channel. Used by tests, and by all programs when TUTTI_CHECKING=1.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "transport/transport.hpp"

namespace tutti::transport::checking {

struct TrafficCount {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
};

class CheckingTransport final : public Transport, private Idler {
 public:
  explicit CheckingTransport(Transport& inner);
  ~CheckingTransport() override;

  [[nodiscard]] int self() const override { return inner_->self(); }
  Channel& channel(int endpoint) override;
  Lent acquire(std::uint32_t bytes, std::uint32_t readers, int first) override;
  [[nodiscard]] Idler& idler() override { return *this; }
  [[nodiscard]] const Clock& clock() override { return inner_->clock(); }

  // Packets and bytes that were sent to `endpoint` so far.
  [[nodiscard]] TrafficCount sent(int endpoint) const;
  // Throws Error if a fragment was acquired but not posted to all its readers, or idle() was not
  // followed by awake().
  void expect_settled() const;

 private:
  friend class CheckingChannel;
  struct OpenFragment {
    std::uint32_t bytes;
    std::uint32_t readers_left;
  };

  [[nodiscard]] int spin_turns() const override { return inner_->idler().spin_turns(); }
  void idle(int turn, const WaitInfo& info) override;
  void pass() override { inner_->idler().pass(); }
  void awake() override;

  Transport* inner_;
  std::map<int, std::unique_ptr<class CheckingChannel>> channels_;
  std::map<std::uint64_t, OpenFragment> open_;  // fragments not posted to all readers, by handle
  bool idle_ = false;
};

}  // namespace tutti::transport::checking
