! SPDX-License-Identifier: BSD-3-Clause
! A program of the module mpi_f08 without a word of C. It leaves out the argument ierror.
program f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer, c_double
  use mpi_f08
  implicit none
  integer :: rank, ranks, total, i
  integer(2) :: one, sum_of_ones
  integer, allocatable :: counts(:), places(:), mine(:), all(:)
  type(c_ptr) :: memory
  real(c_double), pointer :: values(:)
  type(MPI_Win) :: window
  type(MPI_File) :: file

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  counts = [(i, i=1, ranks)]
  places = [(i*(i - 1)/2, i=1, ranks)]
  mine = [(rank, i=0, rank)]
  allocate (all(sum(counts)))

  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (total /= ranks*(ranks - 1)/2) error stop 'the sum is wrong'
  call MPI_Gatherv(mine, rank + 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (rank == 0) then
    do i = 1, ranks
      if (any(all(places(i) + 1:places(i) + i) /= i - 1)) error stop 'the gathered blocks are wrong'
    end do
  end if

  ! Only process 0 has a name of its own for a type.
  if (rank == 0) call MPI_Type_set_name(MPI_INTEGER2, 'mine')
  one = 1_2
  call MPI_Allreduce(one, sum_of_ones, 1, MPI_INTEGER2, MPI_SUM, MPI_COMM_WORLD)
  if (sum_of_ones /= ranks) error stop 'the sum of ones is wrong'

  call MPI_Alloc_mem(8000_MPI_ADDRESS_KIND, MPI_INFO_NULL, memory)
  call c_f_pointer(memory, values, [1000])
  values = rank
  call MPI_Allreduce(MPI_IN_PLACE, values, 1000, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (any(nint(values) /= ranks*(ranks - 1)/2)) error stop 'the sum in memory of MPI is wrong'
  call MPI_Free_mem(values)

  call MPI_Win_allocate(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_free(window)
  call MPI_File_open(MPI_COMM_WORLD, '/dev/null', MPI_MODE_RDONLY, MPI_INFO_NULL, file)
  call MPI_File_close(file)
  if (rank == 0) print '(a)', 'right'
  call MPI_Finalize()
end program f08
