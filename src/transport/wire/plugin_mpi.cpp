// SPDX-License-Identifier: BSD-3-Clause
// Implements the table of plugin.h over one MPI. It is compiled once per flavour with that
// flavour's mpi.h and knows nothing else of tutti. library.cpp loads it. It calls the MPI by its
// PMPI names, so neither a tool of the profiling interface nor tutti's own library in front of the
// MPI comes in between.
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>

#include "transport/wire/broken_pipe.hpp"
#include "transport/wire/plugin.h"

namespace {

using tutti::transport::wire::CallOfMpi;

// The only state: a process loads this library once and has one MPI.
struct Open {
  MPI_Comm job = MPI_COMM_NULL;
  MPI_Comm all = MPI_COMM_NULL;  // the world; equals `job` where no rank is spare
  int finalize_key = MPI_KEYVAL_INVALID;
  void (*before_finalize)(void*) = nullptr;
  void* user = nullptr;
};
Open opened;

template <class Handle>
tutti_wire_token token_of(Handle handle) {
  static_assert(sizeof(Handle) <= sizeof(tutti_wire_token));
  tutti_wire_token token = 0;
  std::memcpy(&token, &handle, sizeof handle);
  return token;
}
template <class Handle>
Handle handle_of(tutti_wire_token token) {
  Handle handle;
  std::memcpy(&handle, &token, sizeof handle);
  return handle;
}

void look(tutti_wire_state* state) {
  *state = {};
  PMPI_Initialized(&state->begun);
  PMPI_Finalized(&state->ended);
  PMPI_Get_version(&state->version, &state->subversion);
  if (state->begun == 0 || state->ended != 0) return;
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  PMPI_Is_thread_main(&state->main_thread);
  state->threads = level == MPI_THREAD_SINGLE       ? 0
                   : level == MPI_THREAD_FUNNELED   ? 1
                   : level == MPI_THREAD_SERIALIZED ? 2
                                                    : 3;
}

void ignore(MPI_Comm*, int*, ...) {}

// Makes errors on a communicator be returned. MPI_ERRORS_RETURN is not asked for, because in the
// standard interface MPICH 5.0 and Intel MPI 2021.18 give it different numbers.
int return_errors(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (const int error = PMPI_Comm_create_errhandler(ignore, &handler)) return error;
  const int error = PMPI_Comm_set_errhandler(comm, handler);
  PMPI_Errhandler_free(&handler);
  return error;
}

int lowest_rank_here(MPI_Comm all, int rank, int* host) {
  MPI_Comm here = MPI_COMM_NULL;
  int error = PMPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
  if (error != MPI_SUCCESS) return error;
  *host = rank;
  error = PMPI_Bcast(host, 1, MPI_INT, 0, here);
  PMPI_Comm_free(&here);
  return error;
}

// Makes the communicator of the world, without spare ranks. The other ranks keep their order.
int leave_out_spares(int spare, tutti_wire_world* world) {
  int spares = 0;
  int error = PMPI_Allreduce(&spare, &spares, 1, MPI_INT, MPI_SUM, opened.job);
  opened.all = opened.job;
  if (error == MPI_SUCCESS && spares > 0)
    error = PMPI_Comm_split(opened.job, spare, world->job_rank, &opened.all);
  if (error != MPI_SUCCESS) return error;
  PMPI_Comm_rank(opened.all, &world->rank);
  PMPI_Comm_size(opened.all, &world->size);
  world->host = world->machine;
  return spares > 0 ? lowest_rank_here(opened.all, world->rank, &world->host) : MPI_SUCCESS;
}

int open_world(int spare, tutti_wire_world* world) {
  int begun = 0, provided = 0;
  PMPI_Initialized(&begun);
  if (begun == 0) {
    // tutti's libraries for the BLACS replace MPI_Init_thread by one that joins, which happens
    // here.
    if (const int error = PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided))
      return error;
  }
  if (const int error = PMPI_Comm_dup(MPI_COMM_WORLD, &opened.job)) return error;
  if (const int error = return_errors(opened.job)) return error;
  PMPI_Comm_rank(opened.job, &world->job_rank);
  PMPI_Comm_size(opened.job, &world->job_size);
  if (const int error = lowest_rank_here(opened.job, world->job_rank, &world->machine))
    return error;
  CallOfMpi::outlast_broken_pipes();
  return leave_out_spares(spare, world);
}

int broadcast(void* data, int bytes, int root) {
  return PMPI_Bcast(data, bytes, MPI_BYTE, root, opened.all);
}

// This sleeps, because others may take long to join, and an MPI that waits keeps a processor busy.
int gather(const void* mine, void* all, int bytes, int of_job) {
  constexpr int looks_without_sleep = 200;
  const MPI_Comm comm = of_job != 0 ? opened.job : opened.all;
  MPI_Request request = MPI_REQUEST_NULL;
  int done = 0,
      error = PMPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm, &request);
  for (int look = 0; error == MPI_SUCCESS && done == 0; ++look) {
    if (look > looks_without_sleep) std::this_thread::sleep_for(std::chrono::microseconds(50));
    error = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  return error;
}

int count_of(std::int64_t bytes) {
  return static_cast<int>(bytes);  // the core never sends more than fits in int
}

int send(const void* data, std::int64_t bytes, int to, int tag, tutti_wire_token* request) {
  MPI_Request made = MPI_REQUEST_NULL;
  const int error = PMPI_Isend(data, count_of(bytes), MPI_BYTE, to, tag, opened.all, &made);
  *request = token_of(made);
  return error;
}

int receive(void* data, std::int64_t bytes, int from, int tag, tutti_wire_token* request) {
  MPI_Request made = MPI_REQUEST_NULL;
  const int error = PMPI_Irecv(data, count_of(bytes), MPI_BYTE, from, tag, opened.all, &made);
  *request = token_of(made);
  return error;
}

int find(int tag, int* found, int* from, std::int64_t* bytes, tutti_wire_token* message) {
  MPI_Message matched = MPI_MESSAGE_NULL;
  MPI_Status status;
  const int error = PMPI_Improbe(MPI_ANY_SOURCE, tag, opened.all, found, &matched, &status);
  if (error != MPI_SUCCESS || *found == 0) return error;
  int count = 0;
  PMPI_Get_count(&status, MPI_BYTE, &count);
  *from = status.MPI_SOURCE;
  *bytes = count;
  *message = token_of(matched);
  return MPI_SUCCESS;
}

int receive_found(void* data, std::int64_t bytes, tutti_wire_token* message,
                  tutti_wire_token* request) {
  auto matched = handle_of<MPI_Message>(*message);
  MPI_Request made = MPI_REQUEST_NULL;
  const int error = PMPI_Imrecv(data, count_of(bytes), MPI_BYTE, &matched, &made);
  *request = token_of(made);
  return error;
}

// Nothing else is made of this communicator, so one tag of MPI_Comm_create_group serves all.
int make_group(int count, const int* ranks, tutti_wire_token* group) {
  constexpr int tag = 0;
  MPI_Group all = MPI_GROUP_NULL, wanted = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  PMPI_Comm_group(opened.all, &all);
  PMPI_Group_incl(all, count, ranks, &wanted);
  const int error = PMPI_Comm_create_group(opened.all, wanted, tag, &made);
  PMPI_Group_free(&wanted);
  PMPI_Group_free(&all);
  if (error != MPI_SUCCESS) return error;
  *group = token_of(made);
  return return_errors(made);
}

int free_group(tutti_wire_token group) {
  auto made = handle_of<MPI_Comm>(group);
  return PMPI_Comm_free(&made);
}

MPI_Comm communicator_of(const tutti_wire_collective& what) {
  return what.group == 0 ? opened.all : handle_of<MPI_Comm>(what.group);
}

// The MPI type of the elements. The core passes data that is only moved as a type of that size.
// Bytes are MPI_UINT8_T, not MPI_BYTE, because operators need a C type. So are booleans, because in
// MPI_C_BOOL only 0 and 1 have a meaning.
MPI_Datatype type_of(const tutti_wire_collective& what) {
  switch (what.type) {
    case TUTTI_WIRE_INT32:
      return MPI_INT32_T;
    case TUTTI_WIRE_INT64:
      return MPI_INT64_T;
    case TUTTI_WIRE_FLOAT32:
      return MPI_FLOAT;
    case TUTTI_WIRE_FLOAT64:
      return MPI_DOUBLE;
    case TUTTI_WIRE_COMPLEX64:
      return MPI_C_FLOAT_COMPLEX;
    case TUTTI_WIRE_COMPLEX128:
      return MPI_C_DOUBLE_COMPLEX;
    case TUTTI_WIRE_INT8:
      return MPI_INT8_T;
    case TUTTI_WIRE_INT16:
      return MPI_INT16_T;
    case TUTTI_WIRE_UINT16:
      return MPI_UINT16_T;
    case TUTTI_WIRE_UINT32:
      return MPI_UINT32_T;
    case TUTTI_WIRE_UINT64:
      return MPI_UINT64_T;
    default:
      return MPI_UINT8_T;
  }
}

MPI_Op operator_of(tutti_wire_operator op) {
  const MPI_Op ops[] = {MPI_SUM,  MPI_PROD, MPI_MAX,  MPI_MIN,  MPI_OP_NULL, MPI_OP_NULL,
                        MPI_LAND, MPI_LOR,  MPI_LXOR, MPI_BAND, MPI_BOR,     MPI_BXOR};
  return ops[op];
}

int start_moving(const tutti_wire_collective& what, MPI_Request* request) {
  const MPI_Comm all = communicator_of(what);
  const MPI_Datatype type = type_of(what);
  const int count = what.count, root = what.root;
  const void* const in = what.in_place != 0 ? MPI_IN_PLACE : what.input;
  switch (what.operation) {
    case TUTTI_WIRE_BROADCAST:
      return PMPI_Ibcast(what.output, count, type, root, all, request);
    case TUTTI_WIRE_SCATTER:
      return PMPI_Iscatter(what.input, count, type, what.in_place != 0 ? MPI_IN_PLACE : what.output,
                           count, type, root, all, request);
    case TUTTI_WIRE_GATHER:
      return PMPI_Igather(in, count, type, what.output, count, type, root, all, request);
    case TUTTI_WIRE_ALLGATHER:
      return PMPI_Iallgather(what.input, count, type, what.output, count, type, all, request);
    case TUTTI_WIRE_ALLTOALL:
      return PMPI_Ialltoall(what.input, count, type, what.output, count, type, all, request);
    default:
      return PMPI_Ibarrier(all, request);
  }
}

int start_combining(const tutti_wire_collective& what, MPI_Request* request) {
  const MPI_Comm all = communicator_of(what);
  const MPI_Datatype type = type_of(what);
  const MPI_Op op = operator_of(what.op);
  const int count = what.count;
  switch (what.operation) {
    case TUTTI_WIRE_REDUCE:
      return PMPI_Ireduce(what.in_place != 0 ? MPI_IN_PLACE : what.input, what.output, count, type,
                          op, what.root, all, request);
    case TUTTI_WIRE_REDUCE_SCATTER:
      return PMPI_Ireduce_scatter_block(what.input, what.output, count, type, op, all, request);
    case TUTTI_WIRE_SCAN:
      return PMPI_Iscan(what.input, what.output, count, type, op, all, request);
    case TUTTI_WIRE_EXSCAN:
      return PMPI_Iexscan(what.input, what.output, count, type, op, all, request);
    default:
      return PMPI_Iallreduce(what.input, what.output, count, type, op, all, request);
  }
}

int start(const tutti_wire_collective* what, tutti_wire_token* request) {
  const tutti_wire_operation operation = what->operation;
  const bool combines = operation == TUTTI_WIRE_REDUCE || operation == TUTTI_WIRE_ALLREDUCE ||
                        operation == TUTTI_WIRE_REDUCE_SCATTER || operation >= TUTTI_WIRE_SCAN;
  MPI_Request made = MPI_REQUEST_NULL;
  const int error = combines ? start_combining(*what, &made) : start_moving(*what, &made);
  *request = token_of(made);
  return error;
}

int test(tutti_wire_token* request, int* done) {
  auto handle = handle_of<MPI_Request>(*request);
  const int error = PMPI_Test(&handle, done, MPI_STATUS_IGNORE);
  *request = token_of(handle);
  return error;
}

int poke() {
  int found = 0;
  return PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, opened.all, &found, MPI_STATUS_IGNORE);
}

// Called by MPI_Finalize, which deletes the attributes of MPI_COMM_SELF before anything else.
int on_finalize(MPI_Comm, int, void*, void*) {
  if (opened.before_finalize != nullptr) opened.before_finalize(opened.user);
  opened.before_finalize = nullptr;
  return MPI_SUCCESS;
}

int before_finalize(void (*function)(void*), void* user) {
  opened.before_finalize = function;
  opened.user = user;
  if (opened.finalize_key != MPI_KEYVAL_INVALID) return MPI_SUCCESS;
  if (const int error = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize,
                                                &opened.finalize_key, nullptr)) {
    return error;
  }
  return PMPI_Comm_set_attr(MPI_COMM_SELF, opened.finalize_key, nullptr);
}

int close_world(int finalize) {
  opened.before_finalize = nullptr;
  tutti_wire_state state;
  look(&state);
  if (state.begun == 0 || state.ended != 0) return MPI_SUCCESS;
  if (opened.all != MPI_COMM_NULL && opened.all != opened.job) PMPI_Comm_free(&opened.all);
  if (opened.job != MPI_COMM_NULL) PMPI_Comm_free(&opened.job);
  opened.all = MPI_COMM_NULL;
  return finalize != 0 ? PMPI_Finalize() : MPI_SUCCESS;
}

void abort_world(int code) {
  PMPI_Abort(MPI_COMM_WORLD, code);
}

void text(int code, char* where, std::size_t space) {
  char found[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(code, found, &length);
  std::snprintf(where, space, "%s", found);
}

// Runs a function of the table as a call of the MPI, so that a broken connection does not end the
// process in it.
template <auto function>
struct Guarded;
template <class... Arguments, int (*function)(Arguments...)>
struct Guarded<function> {
  static int call(Arguments... arguments) {
    const CallOfMpi guard;
    return function(arguments...);
  }
};

constexpr tutti_wire table = {TUTTI_WIRE_VERSION,
                              TUTTI_MPI_FLAVOUR,
                              look,
                              open_world,
                              Guarded<broadcast>::call,
                              Guarded<gather>::call,
                              Guarded<send>::call,
                              Guarded<receive>::call,
                              Guarded<find>::call,
                              Guarded<receive_found>::call,
                              Guarded<make_group>::call,
                              Guarded<free_group>::call,
                              Guarded<start>::call,
                              Guarded<test>::call,
                              Guarded<poke>::call,
                              nullptr,
                              nullptr,
                              nullptr,
                              before_finalize,
                              Guarded<close_world>::call,
                              abort_world,
                              text};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tutti_wire* tutti_wire_table() {
  return &table;
}
