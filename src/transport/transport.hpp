// SPDX-License-Identifier: BSD-3-Clause
// The interface of a transport, which moves bytes from one endpoint to another. The engine sees
// only packets on ordered channels. A packet has a tag, the length of its message, and some bytes
// that lie in the packet itself or in a fragment of the sender's memory. All calls return at once;
// a caller that has nothing to do calls idle().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/tuning.hpp"
#include "transport/give_up.hpp"

namespace tutti::transport {

// Memory that the receivers can read. The sender acquires it and fills it before posting.
struct Fragment {
  std::byte* data = nullptr;
  std::uint64_t handle = 0;   // by which the receiver finds the memory
  bool non_temporal = false;  // use non-temporal stores: its readers are far
};

// Names the operation of a packet, or the kind of a mailbox message. Receivers compare labels; the
// transport does not interpret them.
struct Label {
  constexpr Label(std::uint64_t number = 0, std::uint32_t more = 0) : tag(number), detail(more) {}
  std::uint64_t tag;
  std::uint32_t detail;
  friend constexpr bool operator==(const Label&, const Label&) = default;
};

struct Packet {
  Label label;
  std::uint64_t total;       // bytes of the whole message
  std::uint32_t bytes;       // bytes of this packet
  const std::byte* payload;  // valid until pop()
};

// Upper bound of the inline_limit() of all transports, in bytes.
constexpr std::uint32_t most_inline = base::fixed::at_once;

// The traffic between this endpoint and one peer, in order and independent in both directions.
class Channel {
 public:
  virtual ~Channel() = default;

  // Returns true if there is room for one more outgoing packet. It stays true until the next post.
  virtual bool ready() = 0;
  // Sends `bytes` <= inline_limit() within the packet itself. ready() must have returned true.
  virtual void post_inline(Label label, const void* payload, std::uint32_t bytes) = 0;
  // Sends a packet whose bytes lie in `fragment`. ready() must have returned true. Each call serves
  // one of the `readers` for which the fragment was acquired.
  virtual void post(Label label, std::uint64_t total, const Fragment& fragment,
                    std::uint32_t bytes) = 0;

  // The oldest packet not yet popped, or nullptr. The pointer stays the same until pop().
  virtual const Packet* peek() = 0;
  virtual void pop() = 0;

  [[nodiscard]] virtual int peer() const = 0;
};

// A packet that its receiver has left in the channel when it left the job.
struct UnreadPacket {
  int from, to;  // endpoints
  Label label;
};

// Waiting::operation of a send that waits until its receiver has taken earlier messages.
constexpr std::uint32_t wait_for_room = ~std::uint32_t{0};
// Waiting::operation of a receive that takes a message from anybody.
constexpr std::uint32_t wait_from_anybody = wait_for_room - 1;

// Why this endpoint waits, for the report of a hang. It is filled in only after the spin at the
// start of a wait has failed.
struct Waiting {
  enum class For : std::uint8_t { all, any };
  enum class Until : std::uint8_t { it_comes, given_up };  // given_up: it may also end by itself
  For kind = For::all;
  // schedule::Operation + 1; 0 = a mailbox receive; or one of the two above
  std::uint32_t operation = 0;
  std::uint32_t group_size = 0;
  std::uint64_t sequence = 0;
  std::int32_t round = 0;
  std::span<const int> endpoints{};
  Until until = Until::it_comes;
  // Says in words what is awaited. They are asked for only when the wait is shown to others.
  struct Words {
    // Writes a text with a final 0 of at most `size` bytes; nullptr: there are no words.
    void (*write)(const void* about, char* text, std::size_t size) = nullptr;
    const void* about = nullptr;
  };
  Words words{};
  // True if more than is shown here may end the wait, such as a message from anybody. Then nobody's
  // departure makes it vain.
  bool or_more = false;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // The values of the tuning table for this process.
  [[nodiscard]] const base::Tuning& tuning() const { return *tuning_; }

  [[nodiscard]] virtual int self() const = 0;
  // The channel for collectives to `endpoint`, which may be this one. It is made at first use and
  // stays valid as long as the transport.
  virtual Channel& channel(int endpoint) = 0;

  // Largest message that travels within the packet itself, in bytes: at least 40, at most
  // most_inline.
  [[nodiscard]] virtual std::uint32_t inline_limit() const = 0;
  // Largest packet in a fragment, in bytes, at least 64. Longer messages travel as several packets.
  [[nodiscard]] virtual std::uint32_t fragment_limit() const = 0;
  // Largest packet of a message that fits one fragment and whose sender does nothing else
  // meanwhile, in bytes. Smaller packets let the receiver take the first while the sender fills the
  // next.
  [[nodiscard]] virtual std::uint32_t overlap_limit() const { return fragment_limit(); }
  // Returns memory for a packet of `bytes` <= fragment_limit(). The caller posts it to `readers` >=
  // 1 channels before it acquires the next fragment. `data` is nullptr when there is no room now.
  virtual Fragment acquire(std::uint32_t bytes, std::uint32_t readers) = 0;

  // Number of failed polls in a row that a caller makes by itself before it calls idle().
  [[nodiscard]] virtual int spin_turns() const = 0;
  // Returns true if a waiter lets other processes run after its first failed poll, as in an
  // oversubscribed job.
  [[nodiscard]] bool gives_way_at_once() const { return spin_turns() <= 1; }
  // Called after one more failed poll: yields the processor, or sleeps until something may have
  // changed. `turn` counts the failed polls of this wait, from spin_turns() upwards.
  virtual void idle(int turn, const Waiting& waiting) = 0;
  // Called after a look for what has not come, by a process that does not wait for it but may look
  // again. Where processes are more than processors, one of them may have it, and runs now.
  virtual void looked_in_vain() {}
  // Ends a wait in which idle() was called.
  virtual void awake() = 0;
  // Returns what each wait on this transport asks, whatever else may end it.
  [[nodiscard]] virtual GiveUp question() const { return {}; }

 protected:
  // The values must outlive the transport.
  explicit Transport(const base::Tuning& tuning) : tuning_(&tuning) {}

 private:
  const base::Tuning* tuning_;
};

}  // namespace tutti::transport
