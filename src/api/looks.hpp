// SPDX-License-Identifier: BSD-3-Clause
// Looks of a program for what may not have come: tutti_test, probes, receives that do not wait. All
// of them follow one rule, so that a program may look in a loop on fewer processors than processes:
// a look that finds nothing lets others run if the look before it has found nothing, too.
#pragma once

#include "transport/idler.hpp"

namespace tutti::api {

class Looks {
 public:
  // The first look in vain may be the one behind the last message, by which a program knows that
  // there is no more.
  void end(bool found, transport::Idler& idler) {
    if (!found && was_vain_) idler.pass();
    was_vain_ = !found;
  }
  // Something has come without a look.
  void received() { was_vain_ = false; }

 private:
  bool was_vain_ = false;
};

}  // namespace tutti::api
