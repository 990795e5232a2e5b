// SPDX-License-Identifier: BSD-3-Clause
// The Debian packages that tutti has to find when it is built, by the name of the transport or MPI
// that needs them. Messages about a part that was left out name them.
#pragma once

#include <string_view>

namespace tutti::base {

constexpr std::string_view packages_for(std::string_view flavour) {
  if (flavour == "openmpi") return "openmpi-bin and libopenmpi-dev";
  if (flavour == "mpich") return "mpich and libmpich-dev";
  return "pvm";
}

}  // namespace tutti::base
