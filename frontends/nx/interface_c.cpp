// SPDX-License-Identifier: BSD-3-Clause
// The names of NX in C. Each call has two forms, which differ in what they do about errors.
#include <tutti-nx/nx.h>

#include <bit>

#include "collectives.hpp"
#include "failure.hpp"
#include "forms.hpp"
#include "handlers.hpp"
#include "machine.hpp"
#include "message_table.hpp"
#include "messages.hpp"
#include "nodes.hpp"

using namespace tutti::nx;

namespace {

MessageHandlers::Action action_of(tutti_nx_handler proc) {
  if (proc == nullptr) fail(EFAULT, "argument 'proc' is NULL");
  return [proc](const tutti_envelope& message) {
    const MessageInfo info = info_of(message);
    proc(info[0], info[1], info[2], info[3]);
  };
}

MessageHandlers::Action action_of(tutti_nx_extended_handler xproc, long hparam) {
  if (xproc == nullptr) fail(EFAULT, "argument 'xproc' is NULL");
  return [xproc, hparam](const tutti_envelope&) { xproc(hparam); };
}

}  // namespace

extern "C" {

TUTTI_API long msginfo[info_numbers] = {};
TUTTI_API int msginfo_i[info_numbers] = {};

TUTTI_NX_DEFINE(long, mynode, (void), return nodes().self())
TUTTI_NX_DEFINE(long, numnodes, (void), return nodes().count())
TUTTI_NX_DEFINE(long, mypid, (void), return nodes().ptype())
TUTTI_NX_DEFINE(long, myptype, (void), return nodes().ptype())
TUTTI_NX_DEFINE(long, myphysnode, (void), return nodes().self())
TUTTI_NX_DEFINE(long, nodedim, (void),
                return std::bit_width(static_cast<unsigned>(nodes().count())) - 1)
TUTTI_NX_DEFINE(long, myhost, (void), return nodes().count())
TUTTI_NX_DEFINE(void, setptype, (long ptype), nodes().set_ptype(ptype))
TUTTI_NX_DEFINE(void, setpid, (long ptype), nodes().set_ptype(ptype))

TUTTI_API double dclock(void) {
  return seconds();
}
TUTTI_API double _dclock(void) {
  return seconds();
}
TUTTI_API unsigned long mclock(void) {
  return milliseconds();
}
TUTTI_API unsigned long _mclock(void) {
  return milliseconds();
}
TUTTI_NX_DEFINE(void, hwclock, (esize_t * clock), tell_ticks(clock))
TUTTI_NX_DEFINE(void, flick, (void), give_way())
TUTTI_NX_DEFINE(void, led, (long), static_cast<void>(0))
TUTTI_NX_DEFINE(long, gray, (long n), return gray_of(n))
TUTTI_NX_DEFINE(long, ginv, (long n), return number_of_gray(n))
TUTTI_NX_DEFINE(long, nx_app_rect, (long* rows, long* cols), tell_mesh(rows, cols); return 0)
TUTTI_NX_DEFINE(long, mypart, (long* rows, long* cols), tell_mesh(rows, cols); return 0)

TUTTI_NX_DEFINE(void, csend, (long type, const void* buf, long count, long node, long),
                send({type, buf, count, node}))
TUTTI_NX_DEFINE(void, crecv, (long typesel, void* buf, long count),
                static_cast<void>(receive({typesel, buf, count}, {})))
TUTTI_NX_DEFINE(void, crecvx,
                (long typesel, void* buf, long count, long nodesel, long ptypesel, long* info),
                static_cast<void>(receive({typesel, buf, count, nodesel, ptypesel}, {info})))
TUTTI_NX_DEFINE(long, csendrecv,
                (long type, const void* sbuf, long scount, long node, long, long typesel,
                 void* rbuf, long rcount),
                messages().exchange({type, sbuf, scount, node}, {typesel, rbuf, rcount});
                return msginfo[1])
TUTTI_NX_DEFINE(void, gsendx, (long type, const void* x, long xlen, const long* list, long n),
                send_to_list(type, x, xlen, list, n))

TUTTI_NX_DEFINE(long, isend, (long type, const void* buf, long count, long node, long),
                return messages().start_send({type, buf, count, node}))
TUTTI_NX_DEFINE(long, irecv, (long typesel, void* buf, long count),
                return messages().start_receive({typesel, buf, count}, {}))
TUTTI_NX_DEFINE(long, irecvx,
                (long typesel, void* buf, long count, long nodesel, long ptypesel, long* info),
                return messages().start_receive({typesel, buf, count, nodesel, ptypesel}, {info}))
TUTTI_NX_DEFINE(long, isendrecv,
                (long type, const void* sbuf, long scount, long node, long, long typesel,
                 void* rbuf, long rcount),
                return messages().start_both({type, sbuf, scount, node}, {typesel, rbuf, rcount}))
TUTTI_NX_DEFINE(void, msgwait, (long id), messages().wait(id))
TUTTI_NX_DEFINE(long, msgdone, (long id), return messages().done(id) ? 1 : 0)
TUTTI_NX_DEFINE(void, msgignore, (long id), messages().ignore(id))
TUTTI_NX_DEFINE(void, msgcancel, (long id), messages().cancel(id))
TUTTI_NX_DEFINE(long, msgmerge, (long id1, long id2), return messages().merge(id1, id2))

TUTTI_NX_DEFINE(void, hsend,
                (long type, const void* buf, long count, long node, long, tutti_nx_handler proc),
                handlers().on_send({type, buf, count, node}, action_of(proc)))
TUTTI_NX_DEFINE(void, hrecv, (long typesel, void* buf, long count, tutti_nx_handler proc),
                handlers().on_receive({typesel, buf, count}, action_of(proc)))
TUTTI_NX_DEFINE(void, hsendrecv,
                (long type, const void* sbuf, long scount, long node, long, long typesel,
                 void* rbuf, long rcount, tutti_nx_handler proc),
                handlers().on_both({type, sbuf, scount, node}, {typesel, rbuf, rcount},
                                   action_of(proc)))
TUTTI_NX_DEFINE(void, hsendx,
                (long type, const void* buf, long count, long node, long,
                 tutti_nx_extended_handler xproc, long hparam),
                handlers().on_send({type, buf, count, node}, action_of(xproc, hparam)))
TUTTI_NX_DEFINE(void, hrecvx,
                (long typesel, void* buf, long count, long nodesel, long ptypesel,
                 tutti_nx_extended_handler xproc, long hparam),
                handlers().on_receive({typesel, buf, count, nodesel, ptypesel},
                                      action_of(xproc, hparam)))
TUTTI_NX_DEFINE(long, masktrap, (long state), return handlers().mask(state))

TUTTI_NX_DEFINE(void, cprobe, (long typesel),
                static_cast<void>(probe({typesel, nullptr, 0}, Patience::wait, {})))
TUTTI_NX_DEFINE(void, cprobex, (long typesel, long nodesel, long ptypesel, long* info),
                static_cast<void>(probe({typesel, nullptr, 0, nodesel, ptypesel}, Patience::wait,
                                        {info})))
TUTTI_NX_DEFINE(long, iprobe, (long typesel),
                return probe({typesel, nullptr, 0}, Patience::look, {}) ? 1 : 0)
TUTTI_NX_DEFINE(long, iprobex, (long typesel, long nodesel, long ptypesel, long* info),
                return probe({typesel, nullptr, 0, nodesel, ptypesel}, Patience::look, {info}) ? 1
                                                                                               : 0)
TUTTI_NX_DEFINE(void, flushmsg, (long typesel, long nodesel, long ptypesel),
                flush({typesel, nullptr, 0, nodesel, ptypesel}))
TUTTI_NX_DEFINE(long, infocount, (void), return msginfo[1])
TUTTI_NX_DEFINE(long, infonode, (void), return msginfo[2])
TUTTI_NX_DEFINE(long, infopid, (void), return msginfo[3])
TUTTI_NX_DEFINE(long, infoptype, (void), return msginfo[3])
TUTTI_NX_DEFINE(long, infotype, (void), return msginfo[0])

TUTTI_NX_DEFINE(void, gsync, (void), synchronise())
#define TUTTI_NX_COMBINE_REALS(name, T, type, op) \
  TUTTI_NX_DEFINE(void, name, (T * x, long n, T*), combine(x, n, type, op))
#define TUTTI_NX_COMBINE_INTEGERS(name, op) TUTTI_NX_COMBINE_REALS(name, long, TUTTI_INT64, op)
#include "combines.def"
TUTTI_NX_DEFINE(void, gcol, (const void* x, long xlen, void* y, long ylen, long* ncnt),
                const long all = collect(x, xlen, y, ylen);
                if (ncnt != nullptr) * ncnt = all)
TUTTI_NX_DEFINE(void, gcolx, (const void* x, const long* xlens, void* y),
                collect_known(x, xlens, y))
TUTTI_NX_DEFINE(void, gopf, (void* x, long xlen, void* work, tutti_nx_function function),
                combine_by(function, x, xlen, work))

}  // extern "C"
