! SPDX-License-Identifier: BSD-3-Clause
!
! Uses a receive from anybody: process 0 gives pieces of an integral to the others. A process that
! has done a piece gets the next one at once, so that nobody waits for a slower process.
program task_farm
  implicit none
  integer, parameter :: pieces = 100
  integer :: me, processes, context, row, column, piece, given, rows, columns
  double precision :: part, pi
  external :: blacs_pinfo, blacs_setup, blacs_get, blacs_gridinit, blacs_gridinfo, blacs_gridexit, &
      blacs_exit
  external :: igesd2d, igerv2d, dgesd2d, dgerv2d

  call blacs_pinfo(me, processes)
  if (processes < 1) then
    processes = 4
    call blacs_setup(me, processes)
  end if
  call blacs_get(-1, 0, context)
  call blacs_gridinit(context, 'Row', 1, processes)
  call blacs_gridinfo(context, rows, columns, row, column)

  if (column == 0) then
    pi = 0
    given = 0
    do piece = 1, processes - 1
      call give(piece)
    end do
    do piece = 1, merge(pieces, 0, processes > 1)
      row = -1
      call dgerv2d(context, 1, 1, part, 1, row, column)
      pi = pi + part
      call give(column)
    end do
    do piece = 1, merge(0, pieces, processes > 1)
      pi = pi + integral(piece)
    end do
    print '(a, f10.8)', 'pi is about ', pi
  else
    do
      call igerv2d(context, 1, 1, piece, 1, 0, 0)
      if (piece == 0) exit
      part = integral(piece)
      call dgesd2d(context, 1, 1, part, 1, 0, 0)
    end do
  end if
  call blacs_gridexit(context)
  call blacs_exit(0)

contains

  ! Sends the next piece to a process, or 0 if all are given.
  subroutine give(to)
    integer, intent(in) :: to
    integer :: next

    given = given + 1
    next = merge(given, 0, given <= pieces)
    call igesd2d(context, 1, 1, next, 1, 0, to)
  end subroutine give

  ! The integral of 4/(1 + x^2) over one piece of [0, 1].
  double precision function integral(piece)
    integer, intent(in) :: piece
    integer, parameter :: steps = 1000
    integer :: i
    double precision :: x

    integral = 0
    do i = 1, steps
      x = (piece - 1 + (i - 0.5d0) / steps) / pieces
      integral = integral + 4 / (1 + x * x) / steps / pieces
    end do
  end function integral
end program task_farm
