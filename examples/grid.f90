! SPDX-License-Identifier: BSD-3-Clause
!
! Uses the BLACS from Fortran: the first process of a column of processes broadcasts a matrix to all
! processes of the column.
program grid
  implicit none
  integer :: me, processes, context, rows, columns, row, column, failures(1)
  double precision :: a(4, 3)
  external :: blacs_pinfo, blacs_setup, blacs_get, blacs_gridinit, blacs_gridinfo, blacs_gridexit, &
      blacs_exit
  external :: dgebs2d, dgebr2d, igsum2d

  call blacs_pinfo(me, processes)
  if (processes < 1) then
    processes = 2
    call blacs_setup(me, processes)
  end if
  call blacs_get(-1, 0, context)
  call blacs_gridinit(context, 'Column', processes, 1)
  call blacs_gridinfo(context, rows, columns, row, column)
  a = row
  if (row == 0) then
    a = 7
    call dgebs2d(context, 'All', 'I', 4, 3, a, 4)
  else
    call dgebr2d(context, 'All', 'I', 4, 3, a, 4, 0, 0)
  end if
  failures = merge(0, 1, all(abs(a - 7) < 0.5d0))
  call igsum2d(context, 'All', ' ', 1, 1, failures, 1, -1, -1)
  if (row == 0) print '(a, i0, a, i0, a)', 'grid ', rows, ' x 1: ', failures(1), ' failures'
  call blacs_gridexit(context)
  call blacs_exit(0)
  if (failures(1) /= 0) error stop 1
end program grid
