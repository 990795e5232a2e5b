// SPDX-License-Identifier: BSD-3-Clause
#include "papers/common/effort.hpp"

namespace tutti::papers {
namespace {

Effort chosen = Effort::usual;

}  // namespace

void set_effort(Effort effort) {
  chosen = effort;
}

Effort effort() {
  return chosen;
}

}  // namespace tutti::papers
