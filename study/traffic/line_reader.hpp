// SPDX-License-Identifier: BSD-3-Clause
// Base class of the readers of files about a topology (charts and lists of pairs). It makes errors
// that name file and line, and finds nodes by their labels.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "machine/topology.hpp"
#include "traffic/text.hpp"

namespace tutti::traffic {

class LineReader {
 protected:
  LineReader(const std::string& origin, const machine::Topology& topology)
      : origin_(origin), topology_(topology) {}

  template <class... Args>
  [[noreturn]] void fail(const TextLine& line, fmt::format_string<Args...> format,
                         Args&&... args) const {
    base::fail(base::Status::invalid_argument, "{}:{}: {}", origin_, line.number,
               fmt::format(format, std::forward<Args>(args)...));
  }

  [[nodiscard]] int node(std::string_view label, const TextLine& line) const {
    const int node = topology_.node(label);
    if (node < 0) fail(line, "'{}' is no node of {}", label, topology_.name());
    return node;
  }

  const std::string& origin_;
  const machine::Topology& topology_;
};

}  // namespace tutti::traffic
