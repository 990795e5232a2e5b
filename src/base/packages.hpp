// SPDX-License-Identifier: BSD-3-Clause
// Names the Debian packages that tutti needs when it is built, by the transport or MPI that needs
// them. Messages about a missing part name them.
#pragma once

#include <string_view>

namespace tutti::base {

constexpr std::string_view packages_for(std::string_view flavour) {
  if (flavour == "openmpi") return "openmpi-bin and libopenmpi-dev";
  if (flavour == "mpich" || flavour == "abi") return "mpich and libmpich-dev";
  return "pvm";
}

}  // namespace tutti::base
