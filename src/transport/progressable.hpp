// SPDX-License-Identifier: BSD-3-Clause
// Something that goes on while its process waits for something else: an operation that was started,
// or messages under way.
#pragma once

#include <cstdint>

#include "transport/label.hpp"
#include "transport/wait_info.hpp"

namespace tutti::transport {

// The answer of a poll. `progress`: something has moved, but more is missing.
enum class Look : std::uint8_t { nothing, progress, done };

class Progressable {
 public:
  virtual ~Progressable() = default;
  // Does what can be done now.
  virtual Look advance() = 0;
  // Returns true if a packet with this label belongs to it.
  [[nodiscard]] virtual bool expects(Label label) const = 0;
  // Says what it waits for.
  virtual void describe(WaitInfo& info) const = 0;
};

}  // namespace tutti::transport
