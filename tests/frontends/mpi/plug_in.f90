! SPDX-License-Identifier: BSD-3-Clause
! A program of MPI in a library (plug_in.c), which has addresses of its own for MPI's constants.
subroutine run() bind(c)
  implicit none
  include 'mpif.h'
  integer :: rank, ranks, error, sum, first
  integer(MPI_ADDRESS_KIND) :: place
  integer :: absolute

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call MPI_Type_set_name(MPI_INTEGER2, 'mine', error)
  sum = 1
  call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (sum /= ranks) error stop 'the sum is wrong'

  first = rank + 7
  call MPI_Get_address(first, place, error)
  call MPI_Type_create_hindexed(1, [1], [place], MPI_INTEGER, absolute, error)
  call MPI_Type_commit(absolute, error)
  call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, error)
  if (first /= 7) error stop 'the broadcast number is wrong'
  call MPI_Type_free(absolute, error)
  if (rank == 0) print '(a)', 'right'
  call MPI_Finalize(error)
end subroutine run
