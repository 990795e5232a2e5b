! SPDX-License-Identifier: BSD-3-Clause
!
! Uses a list of processes as a scope: the processes on the diagonal of a grid add up the trace of a
! matrix, of which each process of the grid has a block. The others take no part in the sum.
program trace
  implicit none
  integer, parameter :: block = 3
  integer :: me, processes, context, side, rows, columns, row, column, i
  integer, allocatable :: diagonal(:)
  double precision :: a(block, block), total, expected
  external :: blacs_pinfo, blacs_setup, blacs_get, blacs_gridinit, blacs_gridinfo, blacs_gridexit, &
      blacs_exit, blacs_scopemap
  external :: dgsum2d
  integer, external :: blacs_pnum

  call blacs_pinfo(me, processes)
  if (processes < 1) then
    processes = 4
    call blacs_setup(me, processes)
  end if
  side = int(sqrt(dble(processes) + 0.5d0))
  call blacs_get(-1, 0, context)
  call blacs_gridinit(context, 'Row', side, side)
  call blacs_gridinfo(context, rows, columns, row, column)
  ! A process outside of the grid has row -1, and so has its column.
  if (row >= 0 .and. row == column) then
    allocate (diagonal(side))
    do i = 1, side
      diagonal(i) = blacs_pnum(context, i - 1, i - 1)
    end do
    call blacs_scopemap(context, 'Diagonal', side, diagonal)
    a = row + 1
    total = sum([(a(i, i), i = 1, block)])
    call dgsum2d(context, 'Diagonal', ' ', 1, 1, total, 1, -1, -1)
    expected = block * side * (side + 1) / 2
    if (row == 0) print '(a, i0, a, f5.1)', 'the trace of ', side * block, ' rows is ', total
    if (abs(total - expected) > 0.5d0) error stop 1
  end if
  if (row >= 0) call blacs_gridexit(context)
  call blacs_exit(0)
end program trace
