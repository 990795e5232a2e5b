! SPDX-License-Identifier: BSD-3-Clause
!
! Makes the mistake that its argument names and asks for no status. It must never come to its end;
! with "caught" in front it asks for the status of tutti_bcast and must.
program wrong_calls
  use tutti
  use, intrinsic :: iso_c_binding, only: c_int64_t
  implicit none
  character(len=16) :: mistake, second
  type(tutti_group) :: world
  double precision :: x(8)
  integer(c_int64_t) :: other(1)
  integer :: rank, status

  call get_command_argument(1, mistake)
  call get_command_argument(2, second)
  x = 0
  other = 0
  if (mistake /= 'uninitialised') call tutti_init()
  world = tutti_world()
  rank = tutti_rank(world)
  print '(a, i0, a, i0)', 'rank ', rank, ' of ', tutti_size(world)
  select case (mistake)
  case ('calls')
    if (rank == 2) then
      call tutti_barrier(world)
    else
      call tutti_allreduce(world, x(1:1), tutti_sum)
    end if
  case ('counts')
    call tutti_allreduce(world, x(1:merge(8, 4, rank == 0)), tutti_sum)
  case ('types')
    if (rank == 0) then
      call tutti_allreduce(world, tutti_array(other), tutti_array(other), tutti_sum)
    else
      call tutti_allreduce(world, x(1:1), tutti_sum)
    end if
  case ('root')
    call tutti_bcast(world, x, 9)
  case ('roots')
    call tutti_bcast(world, x, merge(1, 0, rank == 1))
  case ('one')
    if (rank == 0) call tutti_bcast(world, x, 0)
  case ('caught')
    call tutti_bcast(world, x, 9, status)
    print '(a, i0)', 'caught: status ', status
  end select
  call tutti_finalize()
  print '(a)', 'came to its end'
end program wrong_calls
