// SPDX-License-Identifier: BSD-3-Clause
// The names of NX in Fortran. All arguments are references, and integers are INTEGER*4, also those
// that giand, gisum and their like combine. fnx.h declares the functions.
#include <tutti-nx/nx.h>

#include <bit>
#include <cstdint>

#include "collectives.hpp"
#include "forms.hpp"
#include "handlers.hpp"
#include "machine.hpp"
#include "message_table.hpp"
#include "messages.hpp"
#include "nodes.hpp"

using namespace tutti::nx;

namespace {

using FortranHandler = void (*)(const int* type, const int* count, const int* node,
                                const int* ptype);
using FortranExtendedHandler = void (*)(const int* hparam);

MessageHandlers::Action action_of(FortranHandler proc) {
  return [proc](const tutti_envelope& message) {
    const MessageInfo info = info_of(message);
    const int type = static_cast<int>(info[0]), count = static_cast<int>(info[1]),
              node = static_cast<int>(info[2]), ptype = static_cast<int>(info[3]);
    proc(&type, &count, &node, &ptype);
  };
}

MessageHandlers::Action action_of(FortranExtendedHandler xproc, int hparam) {
  return [xproc, hparam](const tutti_envelope&) { xproc(&hparam); };
}

}  // namespace

extern "C" {

TUTTI_NX_NUMBER(mynode, (), nodes().self())
TUTTI_NX_NUMBER(numnodes, (), nodes().count())
TUTTI_NX_NUMBER(mypid, (), nodes().ptype())
TUTTI_NX_NUMBER(myptype, (), nodes().ptype())
TUTTI_NX_NUMBER(myphysnode, (), nodes().self())
TUTTI_NX_NUMBER(nodedim, (), std::bit_width(static_cast<unsigned>(nodes().count())) - 1)
TUTTI_NX_NUMBER(myhost, (), nodes().count())
TUTTI_NX_FORTRAN(void, setptype, (const int* ptype), nodes().set_ptype(*ptype))
TUTTI_NX_FORTRAN(void, setpid, (const int* ptype), nodes().set_ptype(*ptype))

TUTTI_NX_FORTRAN(double, dclock, (), return seconds())
TUTTI_NX_NUMBER(mclock, (), milliseconds())
TUTTI_NX_FORTRAN(void, hwclock, (std::int32_t * halves), long ticks = 0; tell_ticks(&ticks);
                 halves[0] = static_cast<std::int32_t>(ticks);
                 halves[1] = static_cast<std::int32_t>(ticks >> 32))
TUTTI_NX_FORTRAN(void, flick, (), give_way())
TUTTI_NX_FORTRAN(void, led, (const int*), static_cast<void>(0))
TUTTI_NX_NUMBER(gray, (const int* n), gray_of(*n))
TUTTI_NX_NUMBER(ginv, (const int* n), number_of_gray(*n))
TUTTI_NX_FORTRAN(int, nx_app_rect, (int* rows, int* cols), tell_mesh(rows, cols); return 0)
TUTTI_NX_FORTRAN(int, mypart, (int* rows, int* cols), tell_mesh(rows, cols); return 0)

TUTTI_NX_FORTRAN(void, csend,
                 (const int* type, const void* buf, const int* count, const int* node, const int*),
                 send({*type, buf, *count, *node}))
TUTTI_NX_FORTRAN(void, crecv, (const int* typesel, void* buf, const int* count),
                 static_cast<void>(receive({*typesel, buf, *count}, {})))
TUTTI_NX_FORTRAN(void, crecvx,
                 (const int* typesel, void* buf, const int* count, const int* nodesel,
                  const int* ptypesel, int* info),
                 static_cast<void>(receive({*typesel, buf, *count, *nodesel, *ptypesel},
                                           {nullptr, info})))
TUTTI_NX_FORTRAN(int, csendrecv,
                 (const int* type, const void* sbuf, const int* scount, const int* node, const int*,
                  const int* typesel, void* rbuf, const int* rcount),
                 messages().exchange({*type, sbuf, *scount, *node}, {*typesel, rbuf, *rcount});
                 return static_cast<int>(msginfo[1]))
TUTTI_NX_FORTRAN(void, gsendx,
                 (const int* type, const void* x, const int* xlen, const int* list, const int* n),
                 send_to_list(*type, x, *xlen, list, *n))

TUTTI_NX_NUMBER(isend,
                (const int* type, const void* buf, const int* count, const int* node, const int*),
                messages().start_send({*type, buf, *count, *node}))
TUTTI_NX_NUMBER(irecv, (const int* typesel, void* buf, const int* count),
                messages().start_receive({*typesel, buf, *count}, {}))
TUTTI_NX_NUMBER(irecvx,
                (const int* typesel, void* buf, const int* count, const int* nodesel,
                 const int* ptypesel, int* info),
                messages().start_receive({*typesel, buf, *count, *nodesel, *ptypesel},
                                         {nullptr, info}))
TUTTI_NX_NUMBER(isendrecv,
                (const int* type, const void* sbuf, const int* scount, const int* node, const int*,
                 const int* typesel, void* rbuf, const int* rcount),
                messages().start_both({*type, sbuf, *scount, *node}, {*typesel, rbuf, *rcount}))
TUTTI_NX_FORTRAN(void, msgwait, (const int* id), messages().wait(*id))
TUTTI_NX_NUMBER(msgdone, (const int* id), messages().done(*id) ? 1 : 0)
TUTTI_NX_FORTRAN(void, msgignore, (const int* id), messages().ignore(*id))
TUTTI_NX_FORTRAN(void, msgcancel, (const int* id), messages().cancel(*id))
TUTTI_NX_NUMBER(msgmerge, (const int* id1, const int* id2), messages().merge(*id1, *id2))

TUTTI_NX_FORTRAN(void, hsend,
                 (const int* type, const void* buf, const int* count, const int* node, const int*,
                  FortranHandler proc),
                 handlers().on_send({*type, buf, *count, *node}, action_of(proc)))
TUTTI_NX_FORTRAN(void, hrecv,
                 (const int* typesel, void* buf, const int* count, FortranHandler proc),
                 handlers().on_receive({*typesel, buf, *count}, action_of(proc)))
TUTTI_NX_FORTRAN(void, hsendrecv,
                 (const int* type, const void* sbuf, const int* scount, const int* node, const int*,
                  const int* typesel, void* rbuf, const int* rcount, FortranHandler proc),
                 handlers().on_both({*type, sbuf, *scount, *node}, {*typesel, rbuf, *rcount},
                                    action_of(proc)))
TUTTI_NX_FORTRAN(void, hsendx,
                 (const int* type, const void* buf, const int* count, const int* node, const int*,
                  FortranExtendedHandler xproc, const int* hparam),
                 handlers().on_send({*type, buf, *count, *node}, action_of(xproc, *hparam)))
TUTTI_NX_FORTRAN(void, hrecvx,
                 (const int* typesel, void* buf, const int* count, const int* nodesel,
                  const int* ptypesel, FortranExtendedHandler xproc, const int* hparam),
                 handlers().on_receive({*typesel, buf, *count, *nodesel, *ptypesel},
                                       action_of(xproc, *hparam)))
TUTTI_NX_NUMBER(masktrap, (const int* state), handlers().mask(*state))

TUTTI_NX_FORTRAN(void, cprobe, (const int* typesel),
                 static_cast<void>(probe({*typesel, nullptr, 0}, Patience::wait, {})))
TUTTI_NX_FORTRAN(void, cprobex,
                 (const int* typesel, const int* nodesel, const int* ptypesel, int* info),
                 static_cast<void>(probe({*typesel, nullptr, 0, *nodesel, *ptypesel},
                                         Patience::wait, {nullptr, info})))
TUTTI_NX_NUMBER(iprobe, (const int* typesel),
                probe({*typesel, nullptr, 0}, Patience::look, {}) ? 1 : 0)
TUTTI_NX_NUMBER(iprobex, (const int* typesel, const int* nodesel, const int* ptypesel, int* info),
                probe({*typesel, nullptr, 0, *nodesel, *ptypesel}, Patience::look, {nullptr, info})
                    ? 1
                    : 0)
TUTTI_NX_FORTRAN(void, flushmsg, (const int* typesel, const int* nodesel, const int* ptypesel),
                 flush({*typesel, nullptr, 0, *nodesel, *ptypesel}))
TUTTI_NX_NUMBER(infocount, (), msginfo[1])
TUTTI_NX_NUMBER(infonode, (), msginfo[2])
TUTTI_NX_NUMBER(infopid, (), msginfo[3])
TUTTI_NX_NUMBER(infoptype, (), msginfo[3])
TUTTI_NX_NUMBER(infotype, (), msginfo[0])

TUTTI_NX_FORTRAN(void, gsync, (), synchronise())
#define TUTTI_NX_COMBINE_REALS(name, T, type, op) \
  TUTTI_NX_FORTRAN(void, name, (T * x, const int* n, T*), combine(x, *n, type, op))
#define TUTTI_NX_COMBINE_INTEGERS(name, op) TUTTI_NX_COMBINE_REALS(name, int, TUTTI_INT32, op)
#include "combines.def"
TUTTI_NX_FORTRAN(void, gcol, (const void* x, const int* xlen, void* y, const int* ylen, int* ncnt),
                 *ncnt = static_cast<int>(collect(x, *xlen, y, *ylen)))
TUTTI_NX_FORTRAN(void, gcolx, (const void* x, const int* xlens, void* y),
                 collect_known(x, xlens, y))
TUTTI_NX_FORTRAN(void, gopf,
                 (void* x, const int* xlen, void* work, void (*function)(void* x, void* work)),
                 combine_by(function, x, *xlen, work))

}  // extern "C"
