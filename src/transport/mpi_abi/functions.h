/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of MPI that tutti calls or takes over, each by its name and by its name of the
 * profiling interface. mpi.h includes this file, which needs its types.
 */
#ifndef TUTTI_MPI_ABI_FUNCTIONS_H
#define TUTTI_MPI_ABI_FUNCTIONS_H

#define TUTTI_MPI_DECLARE(name, ...) TUTTI_MPI_DECLARE_EXPANDED(name, __VA_ARGS__)
#define TUTTI_MPI_DECLARE_EXPANDED(name, ...) \
  int MPI_##name(__VA_ARGS__);                \
  int PMPI_##name(__VA_ARGS__);

/* Start and end. */
TUTTI_MPI_DECLARE(Init, int*, char***)
TUTTI_MPI_DECLARE(Init_thread, int*, char***, int, int*)
TUTTI_MPI_DECLARE(Initialized, int*)
TUTTI_MPI_DECLARE(Finalize, void)
TUTTI_MPI_DECLARE(Finalized, int*)
TUTTI_MPI_DECLARE(Abort, MPI_Comm, int)
TUTTI_MPI_DECLARE(Query_thread, int*)
TUTTI_MPI_DECLARE(Is_thread_main, int*)
TUTTI_MPI_DECLARE(Get_version, int*, int*)
TUTTI_MPI_DECLARE(Get_library_version, char*, int*)
TUTTI_MPI_DECLARE(Error_string, int, char*, int*)
TUTTI_MPI_DECLARE(Error_class, int, int*)
TUTTI_MPI_DECLARE(Session_init, MPI_Info, MPI_Errhandler, MPI_Session*)
TUTTI_MPI_DECLARE(Session_finalize, MPI_Session*)
TUTTI_MPI_DECLARE(Group_from_session_pset, MPI_Session, const char*, MPI_Group*)

/* Communicators and groups. */
TUTTI_MPI_DECLARE(Comm_size, MPI_Comm, int*)
TUTTI_MPI_DECLARE(Comm_rank, MPI_Comm, int*)
TUTTI_MPI_DECLARE(Comm_dup, MPI_Comm, MPI_Comm*)
TUTTI_MPI_DECLARE(Comm_split, MPI_Comm, int, int, MPI_Comm*)
TUTTI_MPI_DECLARE(Comm_split_type, MPI_Comm, int, int, MPI_Info, MPI_Comm*)
TUTTI_MPI_DECLARE(Comm_create_group, MPI_Comm, MPI_Group, int, MPI_Comm*)
TUTTI_MPI_DECLARE(Comm_free, MPI_Comm*)
TUTTI_MPI_DECLARE(Comm_group, MPI_Comm, MPI_Group*)
TUTTI_MPI_DECLARE(Comm_test_inter, MPI_Comm, int*)
TUTTI_MPI_DECLARE(Comm_remote_size, MPI_Comm, int*)
TUTTI_MPI_DECLARE(Comm_create_keyval, MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*,
                  int*, void*)
TUTTI_MPI_DECLARE(Comm_set_attr, MPI_Comm, int, void*)
TUTTI_MPI_DECLARE(Comm_get_attr, MPI_Comm, int, void*, int*)
TUTTI_MPI_DECLARE(Comm_create_errhandler, MPI_Comm_errhandler_function*, MPI_Errhandler*)
TUTTI_MPI_DECLARE(Comm_set_errhandler, MPI_Comm, MPI_Errhandler)
TUTTI_MPI_DECLARE(Comm_get_errhandler, MPI_Comm, MPI_Errhandler*)
TUTTI_MPI_DECLARE(Comm_call_errhandler, MPI_Comm, int)
TUTTI_MPI_DECLARE(Errhandler_free, MPI_Errhandler*)
TUTTI_MPI_DECLARE(Group_size, MPI_Group, int*)
TUTTI_MPI_DECLARE(Group_rank, MPI_Group, int*)
TUTTI_MPI_DECLARE(Group_incl, MPI_Group, int, const int[], MPI_Group*)
TUTTI_MPI_DECLARE(Group_translate_ranks, MPI_Group, int, const int[], MPI_Group, int[])
TUTTI_MPI_DECLARE(Group_free, MPI_Group*)

/* Types and operators. */
TUTTI_MPI_DECLARE(Type_create_keyval, MPI_Type_copy_attr_function*, MPI_Type_delete_attr_function*,
                  int*, void*)
TUTTI_MPI_DECLARE(Type_set_attr, MPI_Datatype, int, void*)
TUTTI_MPI_DECLARE(Type_get_attr, MPI_Datatype, int, void*, int*)
TUTTI_MPI_DECLARE(Type_get_envelope, MPI_Datatype, int*, int*, int*, int*)
TUTTI_MPI_DECLARE(Type_get_envelope_c, MPI_Datatype, MPI_Count*, MPI_Count*, MPI_Count*, MPI_Count*,
                  int*)
TUTTI_MPI_DECLARE(Type_get_contents, MPI_Datatype, int, int, int, int[], MPI_Aint[], MPI_Datatype[])
TUTTI_MPI_DECLARE(Type_create_hindexed, int, const int[], const MPI_Aint[], MPI_Datatype,
                  MPI_Datatype*)
TUTTI_MPI_DECLARE(Type_commit, MPI_Datatype*)
TUTTI_MPI_DECLARE(Type_free, MPI_Datatype*)
TUTTI_MPI_DECLARE(Type_set_name, MPI_Datatype, const char*)
TUTTI_MPI_DECLARE(Type_get_name, MPI_Datatype, char*, int*)
TUTTI_MPI_DECLARE(Type_size_x, MPI_Datatype, MPI_Count*)
TUTTI_MPI_DECLARE(Type_get_extent_x, MPI_Datatype, MPI_Count*, MPI_Count*)
TUTTI_MPI_DECLARE(Type_get_true_extent_x, MPI_Datatype, MPI_Count*, MPI_Count*)
TUTTI_MPI_DECLARE(Pack, const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm)
TUTTI_MPI_DECLARE(Unpack, const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm)
TUTTI_MPI_DECLARE(Reduce_local, const void*, void*, int, MPI_Datatype, MPI_Op)
TUTTI_MPI_DECLARE(Op_create, MPI_User_function*, int, MPI_Op*)
TUTTI_MPI_DECLARE(Op_free, MPI_Op*)
TUTTI_MPI_DECLARE(Op_commutative, MPI_Op, int*)

/* Messages. */
TUTTI_MPI_DECLARE(Isend, const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)
TUTTI_MPI_DECLARE(Irecv, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)
TUTTI_MPI_DECLARE(Sendrecv, const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int,
                  int, MPI_Comm, MPI_Status*)
TUTTI_MPI_DECLARE(Iprobe, int, int, MPI_Comm, int*, MPI_Status*)
TUTTI_MPI_DECLARE(Improbe, int, int, MPI_Comm, int*, MPI_Message*, MPI_Status*)
TUTTI_MPI_DECLARE(Imrecv, void*, int, MPI_Datatype, MPI_Message*, MPI_Request*)
TUTTI_MPI_DECLARE(Get_count, const MPI_Status*, MPI_Datatype, int*)
TUTTI_MPI_DECLARE(Test, MPI_Request*, int*, MPI_Status*)
TUTTI_MPI_DECLARE(Wait, MPI_Request*, MPI_Status*)

/* Collectives: those that return at the end, with counts in int and in MPI_Count, and those that
 * are only started. */
#define TUTTI_MPI_MOVES(FORM, Count, Place)                                                        \
  TUTTI_MPI_DECLARE(FORM(Bcast), void*, Count, MPI_Datatype, int, MPI_Comm)                        \
  TUTTI_MPI_DECLARE(FORM(Gather), const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype,    \
                    int, MPI_Comm)                                                                 \
  TUTTI_MPI_DECLARE(FORM(Gatherv), const void*, Count, MPI_Datatype, void*, const Count[],         \
                    const Place[], MPI_Datatype, int, MPI_Comm)                                    \
  TUTTI_MPI_DECLARE(FORM(Scatter), const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype,   \
                    int, MPI_Comm)                                                                 \
  TUTTI_MPI_DECLARE(FORM(Scatterv), const void*, const Count[], const Place[], MPI_Datatype,       \
                    void*, Count, MPI_Datatype, int, MPI_Comm)                                     \
  TUTTI_MPI_DECLARE(FORM(Allgather), const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, \
                    MPI_Comm)                                                                      \
  TUTTI_MPI_DECLARE(FORM(Allgatherv), const void*, Count, MPI_Datatype, void*, const Count[],      \
                    const Place[], MPI_Datatype, MPI_Comm)                                         \
  TUTTI_MPI_DECLARE(FORM(Alltoall), const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype,  \
                    MPI_Comm)                                                                      \
  TUTTI_MPI_DECLARE(FORM(Alltoallv), const void*, const Count[], const Place[], MPI_Datatype,      \
                    void*, const Count[], const Place[], MPI_Datatype, MPI_Comm)                   \
  TUTTI_MPI_DECLARE(FORM(Alltoallw), const void*, const Count[], const Place[],                    \
                    const MPI_Datatype[], void*, const Count[], const Place[],                     \
                    const MPI_Datatype[], MPI_Comm)
#define TUTTI_MPI_COMBINES(FORM, Count)                                                            \
  TUTTI_MPI_DECLARE(FORM(Reduce), const void*, void*, Count, MPI_Datatype, MPI_Op, int, MPI_Comm)  \
  TUTTI_MPI_DECLARE(FORM(Allreduce), const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm)    \
  TUTTI_MPI_DECLARE(FORM(Scan), const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm)         \
  TUTTI_MPI_DECLARE(FORM(Exscan), const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm)       \
  TUTTI_MPI_DECLARE(FORM(Reduce_scatter), const void*, void*, const Count[], MPI_Datatype, MPI_Op, \
                    MPI_Comm)                                                                      \
  TUTTI_MPI_DECLARE(FORM(Reduce_scatter_block), const void*, void*, Count, MPI_Datatype, MPI_Op,   \
                    MPI_Comm)
#define TUTTI_MPI_SMALL(name) name
#define TUTTI_MPI_LARGE(name) name##_c
TUTTI_MPI_DECLARE(Barrier, MPI_Comm)
TUTTI_MPI_MOVES(TUTTI_MPI_SMALL, int, int)
TUTTI_MPI_MOVES(TUTTI_MPI_LARGE, MPI_Count, MPI_Aint)
TUTTI_MPI_COMBINES(TUTTI_MPI_SMALL, int)
TUTTI_MPI_COMBINES(TUTTI_MPI_LARGE, MPI_Count)
TUTTI_MPI_DECLARE(Ibarrier, MPI_Comm, MPI_Request*)
TUTTI_MPI_DECLARE(Ibcast, void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*)
TUTTI_MPI_DECLARE(Igather, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm,
                  MPI_Request*)
TUTTI_MPI_DECLARE(Iscatter, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm,
                  MPI_Request*)
TUTTI_MPI_DECLARE(Iallgather, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm,
                  MPI_Request*)
TUTTI_MPI_DECLARE(Ialltoall, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm,
                  MPI_Request*)
TUTTI_MPI_DECLARE(Ireduce, const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm,
                  MPI_Request*)
TUTTI_MPI_DECLARE(Iallreduce, const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*)
TUTTI_MPI_DECLARE(Iscan, const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*)
TUTTI_MPI_DECLARE(Iexscan, const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*)
TUTTI_MPI_DECLARE(Ireduce_scatter_block, const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm,
                  MPI_Request*)

/* Windows and files. */
TUTTI_MPI_DECLARE(Alloc_mem, MPI_Aint, MPI_Info, void*)
TUTTI_MPI_DECLARE(Free_mem, void*)
TUTTI_MPI_DECLARE(Win_create, void*, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win*)
TUTTI_MPI_DECLARE(Win_create_c, void*, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm, MPI_Win*)
TUTTI_MPI_DECLARE(Win_create_dynamic, MPI_Info, MPI_Comm, MPI_Win*)
TUTTI_MPI_DECLARE(Win_allocate, MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*)
TUTTI_MPI_DECLARE(Win_allocate_c, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm, void*, MPI_Win*)
TUTTI_MPI_DECLARE(Win_allocate_shared, MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*)
TUTTI_MPI_DECLARE(Win_allocate_shared_c, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm, void*, MPI_Win*)
TUTTI_MPI_DECLARE(Win_free, MPI_Win*)
TUTTI_MPI_DECLARE(File_open, MPI_Comm, const char*, int, MPI_Info, MPI_File*)
TUTTI_MPI_DECLARE(File_close, MPI_File*)

#endif
