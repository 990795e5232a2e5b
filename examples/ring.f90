! SPDX-License-Identifier: BSD-3-Clause
!
! Passes a token round the ring of all ranks; each rank adds its number. Then a matrix is broadcast
! and summed.
program ring
  use tutti
  implicit none
  integer :: me, p, token, expected, right
  double precision :: matrix(3, 2)

  call tutti_init()
  me = tutti_rank(tutti_world())
  p = tutti_size(tutti_world())
  token = 0
  if (p > 1) then
    if (me == 0) then
      call tutti_send(tutti_world(), token, 1)
      call tutti_receive(tutti_world(), token, p - 1)
    else
      call tutti_receive(tutti_world(), token, me - 1)
      token = token + me
      call tutti_send(tutti_world(), token, mod(me + 1, p))
    end if
  end if
  call tutti_bcast(tutti_world(), token, 0)
  expected = p * (p - 1) / 2

  matrix = me
  call tutti_allreduce(tutti_world(), matrix, tutti_sum)
  right = merge(1, 0, token == expected .and. all(abs(matrix - expected) < 0.5d0))
  call tutti_allreduce(tutti_world(), right, tutti_min)
  if (me == 0) print '(a, i0, a, i0)', 'ring of ', p, ' ranks: token ', token
  call tutti_finalize()
  if (right /= 1) error stop 1
end program ring
