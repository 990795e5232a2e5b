! SPDX-License-Identifier: BSD-3-Clause
!
! Calls of the module tutti that may end early, waits with a time limit and operators that fail;
! members of groups; and arrays of short elements. Runs with any number of ranks and ends with an
! error stop where a result is wrong.
module operator_that_fails
  use, intrinsic :: iso_c_binding
  implicit none

contains

  ! Adds; where `user` points to a 1, it fails.
  integer(c_int) function add(result, left, right, count, user) bind(c)
    type(c_ptr), value :: result, left, right, user
    integer(c_int64_t), value :: count
    integer(c_int64_t), pointer :: sum(:), first(:), last(:), fails
    call c_f_pointer(result, sum, [count])
    call c_f_pointer(left, first, [count])
    call c_f_pointer(right, last, [count])
    call c_f_pointer(user, fails)
    sum = first + last
    add = merge(9_c_int, 0_c_int, fails == 1)
  end function add
end module operator_that_fails

program fortran_limits
  use tutti
  use operator_that_fails
  implicit none
  type(tutti_group) :: world
  integer :: me, p
  logical :: joins

  joins = tutti_would_join()
  call tutti_init()
  world = tutti_world()
  me = tutti_rank(world)
  p = tutti_size(world)
  call require(joins .eqv. tutti_would_join(), 'tutti_would_join')
  call waits()
  call members()
  call fallible()
  call short_elements()
  call tutti_finalize()

contains

  subroutine require(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (right) return
    print '(a, i0, 2a)', 'rank ', me, ': wrong: ', what
    error stop 1
  end subroutine require

  subroutine waits()
    integer(c_int64_t), target, asynchronous :: in(2)
    integer, target, asynchronous :: from(2), with(2)
    integer(c_int64_t) :: bytes, out
    integer :: sender, tag, index, before
    logical :: found, done
    type(tutti_request) :: both(2)
    real(c_double), parameter :: short = 1e-3_c_double, long = 60
    before = mod(me + p - 1, p)
    out = me
    call tutti_probe_for(world, tutti_any, 1, short, found, sender, tag, bytes)
    call require(.not. found, 'no message in time')
    call tutti_ireceive(world, tutti_array(in(1)), before, 1, from(1), with(1), both(1))
    call tutti_ireceive(world, tutti_array(in(2)), before, 2, from(2), with(2), both(2))
    call tutti_wait_for(both(1), short, done)
    call require(.not. done, 'no receive in time')
    call tutti_waitany_for(both, short, index, done)
    call require(.not. done .and. index == 0, 'none of two in time')
    call tutti_barrier(world)
    call tutti_send(world, tutti_array(out), mod(me + 1, p), 2)
    call tutti_waitany_for(both, long, index, done)
    call require(done .and. index == 2 .and. in(2) == before, 'the second of two')
    call tutti_waitall_for(both, short, done)
    call require(.not. done, 'not both in time')
    call tutti_barrier(world)
    call tutti_send(world, tutti_array(out), mod(me + 1, p), 1)
    call tutti_waitall_for(both, long, done)
    call require(done .and. from(1) == before .and. with(1) == 1, 'both')
    call tutti_wait_for(both(1), short, done)
    call require(done, 'a request that is gone')
    call tutti_send(world, tutti_array(out), mod(me + 1, p), 3)
    call tutti_probe_for(world, before, 3, -1._c_double, found, sender, tag, bytes)
    call require(found .and. bytes == 8 .and. tag == 3, 'a message is found')
    call tutti_receive(world, tutti_array(in(1)), before, 3)
  end subroutine waits

  subroutine members()
    type(tutti_group) :: half
    integer(c_int) :: ranks(p)
    call tutti_group_split(world, mod(me, 2), 0, half)
    call tutti_group_members(half, world, ranks)
    call require(ranks(tutti_rank(half) + 1) == me, 'my own rank')
    call tutti_group_members(world, half, ranks)
    call require(ranks(me + 1) == tutti_rank(half), 'my rank in the half')
    if (p > 1) call require(ranks(merge(2, 1, mod(me, 2) == 0)) == -1, 'no rank in the half')
    call tutti_group_free(half)
  end subroutine members

  subroutine fallible()
    integer(c_int64_t) :: op, mine, sum
    integer(c_int64_t), target :: fails
    integer :: status
    call tutti_op_create_fallible(tutti_int64, add, tutti_commutative, op, c_loc(fails))
    mine = me
    fails = 1
    call tutti_allreduce(world, tutti_array(mine), tutti_array(sum), op, status)
    call require(status == merge(16, 0, p > 1), 'the operator fails')
    fails = 0
    call tutti_allreduce(world, tutti_array(mine), tutti_array(sum), op)
    call require(sum == p * (p - 1) / 2, 'the operator works')
    call tutti_op_free(op)
    call tutti_op_create_fallible(tutti_int64, add, 8, op, c_loc(fails), status)
    call require(status == 1, 'a sum of other numbers')
  end subroutine fallible

  subroutine short_elements()
    integer(c_int8_t) :: bytes(3)
    integer(c_int16_t) :: numbers(3)
    logical(c_bool) :: flags(2)
    bytes = int(me, c_int8_t)
    call tutti_allreduce(world, tutti_array(bytes), tutti_array(bytes), tutti_sum)
    call require(all(bytes == p * (p - 1) / 2), 'integers of 8 bits')
    numbers = int(300 + me, c_int16_t)
    call tutti_allreduce(world, tutti_array(numbers), tutti_array(numbers), tutti_max)
    call require(all(numbers == 299 + p), 'integers of 16 bits')
    flags(1) = me == 0
    flags(2) = .true.
    call tutti_allreduce(world, tutti_array(flags), tutti_array(flags), tutti_logical_and)
    call require((flags(1) .eqv. p == 1) .and. flags(2), 'logicals')
  end subroutine short_elements
end program fortran_limits
