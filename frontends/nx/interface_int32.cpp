// SPDX-License-Identifier: BSD-3-Clause
// The calls of C for programs that were compiled with -DTUTTI_NX_INT32: integers in memory have 32
// bits. nx.h gives them their names. Old programs have int and long in such places, because long
// had 32 bits on the machines.
#include "collectives.hpp"
#include "forms.hpp"
#include "machine.hpp"
#include "message_table.hpp"
#include "messages.hpp"
#include "nodes.hpp"

using namespace tutti::nx;

#define TUTTI_NX_INT32_DEFINE(result, name, parameters, ...) \
  TUTTI_NX_FORMS(result, name, _i, parameters, __VA_ARGS__)

namespace {

InfoPlace place_of(int* info) {
  if (info == msginfo_i) return {};
  return {nullptr, info};
}

}  // namespace

extern "C" {

TUTTI_NX_INT32_DEFINE(void, crecvx,
                      (long typesel, void* buf, long count, long nodesel, long ptypesel, int* info),
                      static_cast<void>(receive({typesel, buf, count, nodesel, ptypesel},
                                                place_of(info))))
TUTTI_NX_INT32_DEFINE(long, irecvx,
                      (long typesel, void* buf, long count, long nodesel, long ptypesel, int* info),
                      return messages().start_receive({typesel, buf, count, nodesel, ptypesel},
                                                      place_of(info)))
TUTTI_NX_INT32_DEFINE(void, cprobex, (long typesel, long nodesel, long ptypesel, int* info),
                      static_cast<void>(probe({typesel, nullptr, 0, nodesel, ptypesel},
                                              Patience::wait, place_of(info))))
TUTTI_NX_INT32_DEFINE(
    long, iprobex, (long typesel, long nodesel, long ptypesel, int* info),
    return probe({typesel, nullptr, 0, nodesel, ptypesel}, Patience::look, place_of(info)) ? 1 : 0)
TUTTI_NX_INT32_DEFINE(void, gsendx, (long type, const void* x, long xlen, const int* list, long n),
                      send_to_list(type, x, xlen, list, n))
TUTTI_NX_INT32_DEFINE(long, nx_app_rect, (int* rows, int* cols), tell_mesh(rows, cols); return 0)
TUTTI_NX_INT32_DEFINE(long, mypart, (int* rows, int* cols), tell_mesh(rows, cols); return 0)
TUTTI_NX_INT32_DEFINE(long, nx_app_nodes, (int, int** list, unsigned long* size),
                      list_nodes(list, size);
                      return 0)

TUTTI_NX_INT32_DEFINE(void, gcol, (const void* x, long xlen, void* y, long ylen, int* ncnt),
                      const long all = collect(x, xlen, y, ylen);
                      if (ncnt != nullptr) * ncnt = static_cast<int>(all))
TUTTI_NX_INT32_DEFINE(void, gcolx, (const void* x, const int* xlens, void* y),
                      collect_known(x, xlens, y))
#define TUTTI_NX_COMBINE_REALS(name, T, type, op)
#define TUTTI_NX_COMBINE_INTEGERS(name, op) \
  TUTTI_NX_INT32_DEFINE(void, name, (int* x, long n, int*), combine(x, n, TUTTI_INT32, op))
#include "combines.def"

}  // extern "C"
