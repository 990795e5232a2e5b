! SPDX-License-Identifier: BSD-3-Clause
! A program of mpif.h that knows nothing of tutti. It prints "right" once.
program peer
  implicit none
  include 'mpif.h'
  integer :: rank, ranks, turn, code
  double precision :: mine(3), total(3), wrong(1), worst(1)

  wrong = 0
  call MPI_INIT(code)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, code)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, code)
  do turn = 1, 20
    mine = [dble(rank), dble(turn), 1d0]
    call MPI_ALLREDUCE(mine, total, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    if (any(total /= [ranks*(ranks - 1)/2d0, dble(turn)*ranks, dble(ranks)])) wrong = 1
    call MPI_BARRIER(MPI_COMM_WORLD, code)
  end do
  call MPI_ALLREDUCE(wrong, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, code)
  if (rank == 0 .and. worst(1) == 0) print '(a)', 'right'
  call MPI_FINALIZE(code)
end program peer
