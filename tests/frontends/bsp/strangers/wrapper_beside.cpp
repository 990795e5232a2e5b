// SPDX-License-Identifier: BSD-3-Clause
// The part in C++ of textbook.c: a broadcast through the C++ interface.
#include <tutti-bsp/bsp.hpp>

extern "C" void broadcast_by_wrapper(int root, int* value) {
  BSPWrapper::Pid = BSPWrapper::Backend().pid();
  BSPWrapper::P = BSPWrapper::Backend().nprocs();
  BSPWrapper::Broadcast(root, sizeof *value, value, value);
}
