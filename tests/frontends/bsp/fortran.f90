! SPDX-License-Identifier: BSD-3-Clause
! BSPlib from Fortran, in both spellings of its names.
program bsp_from_fortran
  implicit none
  integer, external :: bsp_nprocs, bsp_pid, bspnprocs, bsppid, bsp_group_split
  double precision, external :: bsp_time
  external :: add
  integer :: p, s, area(4), value, seen, tag_size, status, tag, messages, bytes, payload, group
  integer, allocatable :: counts(:)
  double precision :: own, total

  call bsp_begin(bsp_nprocs())
  p = bsp_nprocs()
  s = bsp_pid()
  if (p /= bspnprocs() .or. s /= bsppid()) call bsp_abort('the two spellings differ')
  area = 0
  call bsp_push_reg(area, 16)
  call bspsync()
  value = 100 + s
  call bsp_put(mod(s + 1, p), value, area, 4, 4)
  call bspput(mod(s + 1, p), value, area, 8, 4)
  call bsp_hpput(mod(s + 1, p), value, area, 12, 4)
  call bsp_sync()
  if (any(area(2:4) /= 100 + mod(s + p - 1, p))) call bsp_abort('put')
  call bsp_get(mod(s + 1, p), area, 4, seen, 4)
  call bsp_sync()
  if (seen /= 100 + s) call bsp_abort('get')
  call bsp_pop_reg(area)

  tag_size = 4
  call bsp_set_tagsize(tag_size)
  call bsp_sync()
  call bsp_send(mod(s + 1, p), s, value, 4)
  call bsp_sync()
  call bsp_qsize(messages, bytes)
  call bsp_get_tag(status, tag)
  call bsp_move(payload, 4)
  if (messages /= 1 .or. bytes /= 4 .or. status /= 4 .or. tag /= mod(s + p - 1, p) .or. &
      payload /= 100 + tag) then
    call bsp_abort('message')
  end if

  ! One message from the left neighbour, and nobody else is waited for.
  allocate (counts(0:p - 1))
  counts = 0
  counts(mod(s + p - 1, p)) = 1
  call bsp_send(mod(s + 1, p), s, value, 4)
  call bsp_sync_counts(counts)
  deallocate (counts)
  call bsp_qsize(messages, bytes)
  if (messages /= 1) call bsp_abort('counts')
  call bsp_sync()
  group = bsp_group_split(mod(s, 2), -s)
  call bsp_group_enter(group)
  if (bsp_nprocs() /= (p + 1 - mod(s, 2)) / 2 .or. &
      bsp_pid() /= (p - 1 - s) / 2) call bsp_abort('group')
  call bsp_sync()
  call bsp_group_leave()
  call bsp_group_free(group)

  own = s + 1
  call bsp_fold(add, own, total, 8)
  if (total /= p * (p + 1) / 2) call bsp_abort('fold')
  call bsp_bcast(p - 1, own, total, 8)
  if (total /= p) call bsp_abort('bcast')
  if (bsp_time() < 0) call bsp_abort('time')
  if (s == 0) print '(a, i0, a)', 'Fortran works on ', p, ' processes'
  call bsp_end()
end program bsp_from_fortran

subroutine add(result, left, right, size)
  implicit none
  double precision, intent(out) :: result
  double precision, intent(in) :: left, right
  integer, intent(in) :: size
  if (size == 8) result = left + right
end subroutine add
