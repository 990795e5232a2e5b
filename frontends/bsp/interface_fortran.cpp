// SPDX-License-Identifier: BSD-3-Clause
// BSPlib's Fortran names in the spelling of C, CALL BSP_PUSH_REG(...), and in Oxford's without
// underscores, CALL BSPPUSHREG(...). fbsp.h is the header for the second. All arguments are
// references and sizes are int. There is no bsp_hpmove, because Fortran 77 cannot take an address.
#include <tutti-bsp/bsp.h>
#include <tutti-bsp/bsp_level1.h>
#include <tutti-bsp/bsp_tutti.h>

#include <string>

#include "errors.hpp"
#include "life.hpp"

// Defines one function under both names. A name of several words has Oxford's spelling by
// TUTTI_BSP_OXFORD, because a macro cannot remove an underscore.
#define TUTTI_BSP_FORTRAN(result, name, parameters, body) \
  TUTTI_API result bsp_##name##_ parameters {             \
    body;                                                 \
  }                                                       \
  TUTTI_API result bsp##name##_ parameters __attribute__((alias("bsp_" #name "_")));

// Gives a function of the first spelling Oxford's name.
#define TUTTI_BSP_OXFORD(result, oxford, name, parameters) \
  TUTTI_API result bsp##oxford##_ parameters __attribute__((alias("bsp_" #name "_")));

extern "C" {

TUTTI_BSP_FORTRAN(void, begin, (const int* processes), bsp_begin(*processes))
TUTTI_BSP_FORTRAN(void, end, (), bsp_end())
TUTTI_BSP_FORTRAN(int, nprocs, (), return bsp_nprocs())
TUTTI_BSP_FORTRAN(int, pid, (), return bsp_pid())
TUTTI_BSP_FORTRAN(double, time, (), return bsp_time())
TUTTI_BSP_FORTRAN(void, sync, (), bsp_sync())
TUTTI_BSP_FORTRAN(void, sync_counts, (const int* counts), bsp_sync_counts(counts))
TUTTI_BSP_FORTRAN(void, sync_neighbours, (const int* count, const int* pids),
                  bsp_sync_neighbours(*count, pids))
TUTTI_BSP_FORTRAN(int, group_split, (const int* color, const int* key),
                  return bsp_group_split(*color, *key))
TUTTI_BSP_FORTRAN(void, group_enter, (const int* group), bsp_group_enter(*group))
TUTTI_BSP_FORTRAN(void, group_leave, (), bsp_group_leave())
TUTTI_BSP_FORTRAN(void, group_free, (const int* group), bsp_group_free(*group))
TUTTI_BSP_FORTRAN(void, init, (void (*spmd)()), bsp_init(spmd, 0, nullptr))
// Fortran passes the length of a CHARACTER after all other arguments.
TUTTI_BSP_FORTRAN(void, abort, (const char* text, std::size_t length),
                  tutti::bsp::abort_all(std::string(text, length).c_str()))

TUTTI_BSP_FORTRAN(void, push_reg, (const void* address, const int* size),
                  bsp_push_reg(address, *size))
TUTTI_BSP_FORTRAN(void, pop_reg, (const void* address), bsp_pop_reg(address))
TUTTI_BSP_FORTRAN(void, put,
                  (const int* pid, const void* source, void* destination, const int* offset,
                   const int* size),
                  bsp_put(*pid, source, destination, *offset, *size))
TUTTI_BSP_FORTRAN(void, get,
                  (const int* pid, const void* source, const int* offset, void* destination,
                   const int* size),
                  bsp_get(*pid, source, *offset, destination, *size))
TUTTI_BSP_FORTRAN(void, hpput,
                  (const int* pid, const void* source, void* destination, const int* offset,
                   const int* size),
                  bsp_hpput(*pid, source, destination, *offset, *size))
TUTTI_BSP_FORTRAN(void, hpget,
                  (const int* pid, const void* source, const int* offset, void* destination,
                   const int* size),
                  bsp_hpget(*pid, source, *offset, destination, *size))

TUTTI_BSP_FORTRAN(void, set_tagsize, (int* size), bsp_set_tagsize(size))
TUTTI_BSP_FORTRAN(void, send,
                  (const int* pid, const void* tag, const void* payload, const int* size),
                  bsp_send(*pid, tag, payload, *size))
TUTTI_BSP_FORTRAN(void, qsize, (int* messages, int* bytes), bsp_qsize(messages, bytes))
TUTTI_BSP_FORTRAN(void, get_tag, (int* status, void* tag), bsp_get_tag(status, tag))
TUTTI_BSP_FORTRAN(void, move, (void* payload, const int* size), bsp_move(payload, *size))

TUTTI_BSP_FORTRAN(void, bcast,
                  (const int* root, const void* source, void* destination, const int* size),
                  bsp_bcast(*root, source, destination, *size))
TUTTI_BSP_FORTRAN(void, fold,
                  (bsp_operator op, const void* source, void* destination, const int* size),
                  bsp_fold(op, source, destination, *size))
TUTTI_BSP_FORTRAN(void, scan,
                  (bsp_operator op, const void* source, void* destination, const int* size),
                  bsp_scan(op, source, destination, *size))
TUTTI_BSP_FORTRAN(void, gather,
                  (const int* root, const void* source, void* destination, const int* size),
                  bsp_gather(*root, source, destination, *size))
TUTTI_BSP_FORTRAN(void, scatter,
                  (const int* root, const void* source, void* destination, const int* size),
                  bsp_scatter(*root, source, destination, *size))
TUTTI_BSP_FORTRAN(void, total_exchange, (const void* source, void* destination, const int* size),
                  bsp_total_exchange(source, destination, *size))

TUTTI_BSP_OXFORD(void, pushreg, push_reg, (const void* address, const int* size))
TUTTI_BSP_OXFORD(void, pushregister, push_reg, (const void* address, const int* size))
TUTTI_BSP_OXFORD(void, popreg, pop_reg, (const void* address))
TUTTI_BSP_OXFORD(void, popregister, pop_reg, (const void* address))
TUTTI_BSP_OXFORD(void, settagsize, set_tagsize, (int* size))
TUTTI_BSP_OXFORD(void, gettag, get_tag, (int* status, void* tag))
TUTTI_BSP_FORTRAN(double, dtime, (), return bsp_dtime())
TUTTI_BSP_FORTRAN(double, cputime, (), return bsp_cputime())

// Oxford's routines for variables in COMMON blocks. A block is registered by its first variable;
// the place that is meant is given by the variable there instead of by an offset.
TUTTI_API void bspput_common_(const int* pid, const void* source, char* block, const char* place,
                              const int* size) {
  bsp_put(*pid, source, block, static_cast<int>(place - block), *size);
}
TUTTI_API void bsphpput_common_(const int* pid, const void* source, char* block, const char* place,
                                const int* size) {
  bsp_hpput(*pid, source, block, static_cast<int>(place - block), *size);
}
TUTTI_API void bspget_common_(const int* pid, const char* block, const char* place,
                              void* destination, const int* size) {
  bsp_get(*pid, block, static_cast<int>(place - block), destination, *size);
}
TUTTI_API void bsphpget_common_(const int* pid, const char* block, const char* place,
                                void* destination, const int* size) {
  bsp_hpget(*pid, block, static_cast<int>(place - block), destination, *size);
}
// Ends a superstep to which the program gives a number. All processes must give the same.
TUTTI_API void bspsync_number_(const int* number) {
  if (bsp_constantI(*number) == 0)
    tutti::bsp::fail("bspsync_number", "this process ends superstep {}, another process does not",
                     *number);
  bsp_sync();
}

}  // extern "C"
