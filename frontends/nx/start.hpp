// SPDX-License-Identifier: BSD-3-Clause
// How the program was started.
#pragma once

namespace tutti::nx {

// The nodes that -sz or NX_DFLT_SIZE asks for.
struct NodeMesh {
  int rows = 0;  // 0: only the number of nodes was given
  int columns = 1;
  [[nodiscard]] int nodes() const { return rows == 0 ? columns : rows * columns; }
};
[[nodiscard]] const NodeMesh& mesh_asked_for();
// The type of the process that -pt asks for, else 0.
[[nodiscard]] long ptype_asked_for();
// Tells on stderr which options could not be obeyed. One node calls it.
void tell_what_differs(int nodes);

}  // namespace tutti::nx
