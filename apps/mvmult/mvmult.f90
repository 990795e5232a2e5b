! SPDX-License-Identifier: BSD-3-Clause
!
! MVMULT: b = A x for a matrix spread over a process grid, and the infinity norms of A, x and b.
!
! The example of paper 000, appendix A, rewritten for today's BLACS. It uses combines, broadcasts
! and one point to point message. Every process has a block of A. Row 0 of the grid makes the
! pieces of x and broadcasts them down its columns. Each process multiplies its block. A sum along
! each grid row gives b, of which every grid column then has a copy. The result is the same on all
! processes, so the first and the last process compare theirs.
!
! It runs on any number of processes: tutti run -n 4 mvmult. If it is started by hand, it asks the
! BLACS for four.
program mvmult
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: block = 50         ! rows and columns of A on each process
  integer, parameter :: default_size = 4   ! processes to create when there is no job yet
  integer :: me, processes, context, rows, columns, row, column, location(1)
  ! The BLACS take arrays, so a single number is an array with one element.
  real(dp) :: a(block, block), x(block), b(block), norm_a(1), norm_x(1), norm_b(1)
  external :: blacs_pinfo, blacs_setup, blacs_get, blacs_gridinit, blacs_gridinfo, blacs_gridexit, &
      blacs_exit
  external :: dgebs2d, dgebr2d, dgsum2d, dgamx2d, dgesd2d, dgerv2d, dgemv, blacs_abort

  call blacs_pinfo(me, processes)
  if (processes < 1) then
    processes = default_size
    call blacs_setup(me, processes)
  end if

  ! Chooses the most nearly square grid that is not higher than wide. Processes that do not fit stay
  ! outside.
  rows = int(sqrt(real(processes, dp)))
  columns = processes / rows
  call blacs_get(-1, 0, context)
  call blacs_gridinit(context, 'Row-major', rows, columns)
  call blacs_gridinfo(context, rows, columns, row, column)
  if (row >= 0) then
    call multiply()
    call blacs_gridexit(context)
  end if
  call blacs_exit(0)

contains

  subroutine multiply()
    call fill(a, row * columns + column)
    norm_a = norm_of_matrix(a)

    ! Grid row 0 has x; the rows below need a copy.
    if (row == 0) then
      call fill_vector(x, rows * columns + column)
      call dgebs2d(context, 'Column', 'Hypercube', block, 1, x, block)
    else
      call dgebr2d(context, 'Column', 'Hypercube', block, 1, x, block, 0, column)
    end if
    norm_x = largest(x)
    call dgamx2d(context, 'Row', 'Hypercube', 1, 1, norm_x, 1, location, location, -1, -1, 0)

    call dgemv('N', block, block, 1.0_dp, a, block, x, 1, 0.0_dp, b, 1)
    call dgsum2d(context, 'Row', 'Hypercube', block, 1, b, block, -1, 0)
    norm_b = largest(b)
    call dgamx2d(context, 'Column', 'Hypercube', 1, 1, norm_b, 1, location, location, -1, -1, 0)

    if (row == 0 .and. column == 0) then
      print '(a, i0, a, i0, a, i0, a, i0)', 'MVMULT on a ', rows, ' x ', columns, ' grid, A is ', &
          rows * block, ' x ', columns * block
      print '(a, f18.12)', '||A|| = ', norm_a, '||x|| = ', norm_x, '||b|| = ', norm_b
    end if
    call compare_ends()
  end subroutine multiply

  ! Computes the largest sum of magnitudes over a row of the whole matrix. Sums along grid rows end
  ! on grid column 0, which finds the largest one and broadcasts it.
  function norm_of_matrix(matrix) result(norm)
    real(dp), intent(in) :: matrix(block, block)
    real(dp) :: norm(1), sums(block)
    sums = sum(abs(matrix), dim=2)
    call dgsum2d(context, 'Row', '1-tree', block, 1, sums, block, row, 0)
    if (column == 0) then
      norm = largest(sums)
      call dgamx2d(context, 'Column', 'Hypercube', 1, 1, norm, 1, location, location, -1, -1, 0)
      call dgebs2d(context, 'Row', 'Hypercube', 1, 1, norm, 1)
    else
      call dgebr2d(context, 'Row', 'Hypercube', 1, 1, norm, 1, row, 0)
    end if
  end function norm_of_matrix

  pure function largest(vector) result(norm)
    real(dp), intent(in) :: vector(:)
    real(dp) :: norm
    norm = maxval(abs(vector))
  end function largest

  ! The last process sends its norm of b to the first one. Different processes computed the two
  ! norms, so equal values mean that the sums along all grid rows were right.
  subroutine compare_ends()
    real(dp) :: other(1)
    if (rows * columns == 1) then
      print '(a)', 'point to point: one process, its norm agrees with itself'
    else if (row == rows - 1 .and. column == columns - 1) then
      call dgesd2d(context, 1, 1, norm_b, 1, 0, 0)
    else if (row == 0 .and. column == 0) then
      call dgerv2d(context, 1, 1, other, 1, rows - 1, columns - 1)
      if (abs(other(1) - norm_b(1)) > 16 * epsilon(1.0_dp) * norm_b(1)) then
        print '(a, 2g25.16)', 'ERROR: first and last process differ in ||b||: ', norm_b, other
        call blacs_abort(context, 1)
      end if
      print '(a)', 'point to point: first and last process agree on ||b||'
    end if
  end subroutine compare_ends

  ! Returns the same numbers in (0, 1) on every machine, by the generator of Park and Miller (16807
  ! modulo 2**31 - 1).
  subroutine fill_vector(vector, stream)
    real(dp), intent(out) :: vector(:)
    integer, intent(in) :: stream
    integer, parameter :: long = selected_int_kind(18)
    integer(long), parameter :: modulus = 2147483647_long
    integer(long) :: state
    integer :: i
    state = 1 + 7919_long * (stream + 1)
    do i = 1, size(vector)
      state = mod(16807_long * state, modulus)
      vector(i) = real(state, dp) / real(modulus, dp)
    end do
  end subroutine fill_vector

  subroutine fill(matrix, stream)
    real(dp), intent(out) :: matrix(block, block)
    integer, intent(in) :: stream
    real(dp) :: flat(block * block)
    call fill_vector(flat, stream)
    matrix = reshape(flat, [block, block])
  end subroutine fill
end program mvmult
