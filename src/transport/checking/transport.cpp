// SPDX-License-Identifier: BSD-3-Clause
// Checks each rule of transport.hpp where a call could break it.
#include "transport/checking/transport.hpp"

#include "base/error.hpp"

namespace tutti::transport::checking {
namespace {

void demand(bool rule_holds, int self, int peer, const char* rule) {
  if (!rule_holds) {
    base::fail(base::Status::invalid_argument, "transport misused by endpoint {} towards {}: {}",
               self, peer, rule);
  }
}

}  // namespace

class CheckingChannel final : public Channel {
 public:
  CheckingChannel(CheckingTransport& owner, Channel& inner) : owner_(&owner), inner_(&inner) {}

  bool ready() override { return room_ = inner_->ready(); }

  void post_inline(Label label, const void* payload, std::uint32_t bytes) override {
    require(room_, "a post must follow a ready() that said yes");
    require(bytes <= owner_->limits().at_once,
            "an inline payload is at most CutLimits::at_once long");
    count(bytes);
    inner_->post_inline(label, payload, bytes);
  }

  std::uint64_t post(Label label, std::uint64_t total, const Lent& fragment,
                     std::uint32_t bytes) override {
    require(room_, "a post must follow a ready() that said yes");
    require(total > owner_->limits().at_once, "a message that fits a line must be posted inline");
    const auto open = owner_->open_.find(fragment.name);
    require(open != owner_->open_.end(),
            "a fragment must be acquired and given to no more readers than it was acquired for");
    require(bytes <= open->second.bytes, "a packet must fit its fragment");
    if (--open->second.readers_left == 0) owner_->open_.erase(open);
    count(bytes);
    return inner_->post(label, total, fragment, bytes);
  }

  const Packet* peek() override {
    const Packet* packet = inner_->peek();
    seen_ = packet != nullptr;
    return packet;
  }
  void pop() override {
    require(seen_, "pop() must follow a peek() that showed a packet");
    seen_ = false;
    inner_->pop();
  }
  [[nodiscard]] int peer() const override { return inner_->peer(); }
  [[nodiscard]] TrafficCount traffic() const { return traffic_; }

 private:
  void require(bool rule_holds, const char* rule) const {
    demand(rule_holds, owner_->self(), peer(), rule);
  }
  void count(std::uint32_t bytes) {
    room_ = false;
    ++traffic_.packets;
    traffic_.bytes += bytes;
  }

  CheckingTransport* owner_;
  Channel* inner_;
  TrafficCount traffic_;
  bool room_ = false;
  bool seen_ = false;
};

CheckingTransport::CheckingTransport(Transport& inner)
    : Transport(inner.tuning(), inner.limits()), inner_(&inner) {}
CheckingTransport::~CheckingTransport() = default;

Channel& CheckingTransport::channel(int endpoint) {
  auto& slot = channels_[endpoint];
  if (!slot) slot = std::make_unique<CheckingChannel>(*this, inner_->channel(endpoint));
  return *slot;
}

Lent CheckingTransport::acquire(std::uint32_t bytes, std::uint32_t readers, int first) {
  demand(bytes <= limits().fragment && bytes > 0, self(), self(),
         "a fragment has 1 to CutLimits::fragment bytes");
  demand(readers > 0, self(), self(), "a fragment has at least one reader");
  demand(open_.empty(), self(), self(),
         "a fragment is posted to all its readers before the next one is acquired");
  const Lent fragment = inner_->acquire(bytes, readers, first);
  if (fragment.data != nullptr) {
    const bool fresh = open_.emplace(fragment.name, OpenFragment{bytes, readers}).second;
    demand(fresh, self(), self(), "a fragment was handed out twice");
  }
  return fragment;
}

void CheckingTransport::idle(int turn, const WaitInfo& info) {
  idle_ = true;
  inner_->idler().idle(turn, info);
}

void CheckingTransport::awake() {
  demand(idle_, self(), self(), "awake() must follow idle()");
  idle_ = false;
  inner_->idler().awake();
}

TrafficCount CheckingTransport::sent(int endpoint) const {
  const auto found = channels_.find(endpoint);
  return found == channels_.end() ? TrafficCount{} : found->second->traffic();
}

void CheckingTransport::expect_settled() const {
  demand(open_.empty(), self(), self(),
         "a fragment was acquired but not posted to all its readers");
  demand(!idle_, self(), self(), "a wait ended without awake()");
}

}  // namespace tutti::transport::checking
