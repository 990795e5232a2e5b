! SPDX-License-Identifier: BSD-3-Clause
!
! Every call of the module tutti, on every element type somewhere: results are compared with what
! they must be, for any number of ranks. Ends with an error stop where one is wrong.
module operator_of_the_program
  use, intrinsic :: iso_c_binding
  implicit none

contains

  ! The left operand where `user` points to a 1, else the right one.
  subroutine keep(result, left, right, count, user) bind(c)
    type(c_ptr), value :: result, left, right, user
    integer(c_int64_t), value :: count
    integer(c_int64_t), pointer :: kept(:), first(:), last(:), which
    call c_f_pointer(result, kept, [count])
    call c_f_pointer(left, first, [count])
    call c_f_pointer(right, last, [count])
    call c_f_pointer(user, which)
    kept = merge(first, last, which == 1)
  end subroutine keep
end module operator_of_the_program

program fortran_calls
  use tutti
  use operator_of_the_program
  implicit none
  type(tutti_group) :: world
  integer :: me, p, r, total
  integer(c_int64_t), allocatable :: counts(:)  ! 1, 2, 3, ...

  call tutti_init()
  world = tutti_world()
  me = tutti_rank(world)
  p = tutti_size(world)
  counts = [(int(r, c_int64_t), r = 1, p)]
  total = ranks_below(p + 1)
  call blocking()
  call with_counts()
  call started()
  call started_with_counts()
  call prepared()
  call prepared_with_counts()
  call groups()
  call operators()
  call messages()
  call messages_under_way()
  call memory()
  call errors()
  deallocate (counts)
  call tutti_barrier(world)
  call tutti_finalize()

contains

  subroutine require(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (right) return
    print '(a, i0, 2a)', 'rank ', me, ': wrong: ', what
    error stop 1
  end subroutine require

  ! 0 + 1 + ... of the ranks below `ranks`.
  pure integer function ranks_below(ranks)
    integer, intent(in) :: ranks
    ranks_below = ranks * (ranks - 1) / 2
  end function ranks_below

  subroutine blocking()
    real(c_double) :: x(4), y(4), all_of_them(2, p)
    integer(c_int64_t) :: long(3), long_sum(3)
    complex(c_float) :: c(2), c_sum(2)
    real(c_float) :: single, single_max
    integer(c_int32_t) :: each(p), got(p)
    x = me + 1
    call tutti_allreduce(world, tutti_array(x), tutti_array(y), tutti_sum)
    call require(all(abs(y - ranks_below(p + 1)) < 1d-9), 'allreduce')
    call tutti_allreduce(world, x, tutti_max)
    call require(all(abs(x - p) < 1d-9), 'allreduce in place')
    long = 2 + me
    call tutti_reduce(world, tutti_array(long), tutti_array(long_sum), tutti_min, p - 1)
    if (me == p - 1) call require(all(long_sum == 2), 'reduce')
    if (me == 0) call tutti_gather(world, tutti_array(me), tutti_array(each), 0)
    if (me /= 0) call tutti_gather(world, tutti_array(me), tutti_data(), 0)
    if (me == 0) call require(all(each == [(r, r = 0, p - 1)]), 'gather with nothing elsewhere')
    c = cmplx(me, 1, c_float)
    call tutti_allreduce(world, tutti_array(c), tutti_array(c_sum), tutti_sum)
    call require(all(abs(c_sum - cmplx(ranks_below(p), p, c_float)) < 1e-5), &
        'allreduce of complex numbers')
    single = real(me, c_float)
    call tutti_allreduce(world, tutti_array(single), tutti_array(single_max), tutti_max)
    call require(abs(single_max - (p - 1)) < 1e-6, 'allreduce of one number')
    if (me == 0) all_of_them = reshape([(dble(r), r = 1, 2 * p)], [2, p])
    call tutti_bcast(world, tutti_array(all_of_them), 0)
    call tutti_scatter(world, tutti_array(all_of_them), tutti_array(y(1:2)), 0)
    call require(abs(y(1) - (2 * me + 1)) < 1d-9 .and. abs(y(2) - (2 * me + 2)) < 1d-9, &
        'bcast and scatter')
    call tutti_gather(world, tutti_array(y(1:2)), tutti_array(all_of_them), 0)
    all_of_them = -1
    call tutti_allgather(world, tutti_array(y(1:2)), tutti_array(all_of_them))
    call require(all(abs(pack(all_of_them, .true.) - [(dble(r), r = 1, 2 * p)]) < 1d-9), &
        'allgather')
    each = [(100 * me + r, r = 0, p - 1)]
    call tutti_alltoall(world, tutti_array(each), tutti_array(got))
    call require(all(got == [(100 * r + me, r = 0, p - 1)]), 'alltoall')
    call tutti_reduce_scatter(world, tutti_array(each), tutti_array(got(1)), tutti_sum)
    call require(got(1) == 100 * ranks_below(p) + p * me, 'reduce_scatter')
    call tutti_scan(world, tutti_array(me), tutti_array(got(1)), tutti_sum)
    call require(got(1) == ranks_below(me + 1), 'scan')
    got(1) = 0
    call tutti_exscan(world, tutti_array(me), tutti_array(got(1)), tutti_sum)
    call require(got(1) == ranks_below(me), 'exscan')
  end subroutine blocking

  ! Rank r has r + 1 bytes.
  subroutine with_counts()
    integer(c_int8_t) :: mine(me + 1), whole(total), again(me + 1)
    integer(c_int32_t) :: parts(total), part(me + 1), sent(p * (me + 1)), received(total)
    integer(c_int64_t) :: outgoing(p)
    mine = int(me, c_int8_t)
    whole = -1
    call tutti_gatherv(world, tutti_array(mine), tutti_array(whole), counts, 0)
    if (me == 0) call require(all(whole == expected()), 'gatherv')
    whole = -1
    call tutti_allgatherv(world, tutti_array(mine), tutti_array(whole), counts)
    call require(all(whole == expected()), 'allgatherv')
    call tutti_scatterv(world, tutti_array(whole), tutti_array(again), counts, 0)
    call require(all(again == me), 'scatterv')
    parts = [(r, r = 1, size(parts))]
    call tutti_reduce_scatterv(world, tutti_array(parts), tutti_array(part), counts, tutti_sum)
    call require(all(part == [(p * (ranks_below(me + 1) + r), r = 1, me + 1)]), 'reduce_scatterv')
    sent = me
    outgoing = me + 1
    call tutti_alltoallv(world, tutti_array(sent), tutti_array(received), outgoing, counts)
    call require(all(received == expected()), 'alltoallv')
  end subroutine with_counts

  ! 0, 1, 1, 2, 2, 2, ...
  function expected() result(ranks)
    integer(c_int32_t) :: ranks(total)
    integer :: rank
    do rank = 0, p - 1
      ranks(ranks_below(rank + 1) + 1 : ranks_below(rank + 2)) = rank
    end do
  end function expected

  subroutine started()
    complex(c_double), target, asynchronous :: z, z_product
    integer(c_int32_t), target, asynchronous :: n(12), parts(p), all_parts(p), exchanged(p), &
        part(2), root_part, sums(2)
    type(tutti_request) :: requests(10), late
    logical :: done
    z = (0, 1)
    n = merge(7, 0, me == 0)
    parts = [(r, r = 0, p - 1)]
    sums = 0
    part = me
    call tutti_ibcast(world, tutti_array(n), 0, requests(1))
    call tutti_iallreduce(world, tutti_array(z), tutti_array(z_product), tutti_product, requests(2))
    call tutti_ireduce(world, tutti_array(part(1)), tutti_array(root_part), tutti_max, 0, &
        requests(3))
    call tutti_iscatter(world, tutti_array(parts), tutti_array(part(2)), 0, requests(4))
    call tutti_iallgather(world, tutti_array(me), tutti_array(all_parts), requests(5))
    call tutti_ialltoall(world, tutti_array(parts), tutti_array(exchanged), requests(6))
    call tutti_iscan(world, tutti_array(me), tutti_array(sums(1)), tutti_sum, requests(7))
    call tutti_iexscan(world, tutti_array(me), tutti_array(sums(2)), tutti_sum, requests(8))
    call tutti_ibarrier(world, requests(9))
    call tutti_ireduce_scatter(world, tutti_array(parts), tutti_array(late%id), tutti_sum, &
        requests(10), r)
    call require(r /= 0, 'two types in one reduction')
    call tutti_waitall(requests(:9))
    call require(all(n == 7), 'ibcast')
    call require(abs(z_product - (0, 1)**p) < 1d-9, 'iallreduce')
    if (me == 0) call require(root_part == p - 1, 'ireduce')
    call require(part(2) == me .and. all(all_parts == parts) .and. all(exchanged == me), &
        'iscatter to ialltoall')
    call require(sums(1) == ranks_below(me + 1) .and. sums(2) == ranks_below(me), &
        'iscan and iexscan')
    call require(all(requests(:9)%id == 0), 'requests that are over')
    call tutti_igather(world, tutti_array(me), tutti_array(all_parts), p - 1, requests(1))
    call tutti_ireduce_scatter(world, tutti_array(parts), tutti_array(part(1)), tutti_sum, &
        requests(2))
    call tutti_waitall(requests(:2))
    call require(part(1) == p * me .and. all(all_parts == parts), 'igather and ireduce_scatter')
    call tutti_ibarrier(world, late)
    done = .false.
    do while (.not. done)
      call tutti_test(late, done)
    end do
  end subroutine started

  subroutine started_with_counts()
    integer(c_int32_t), target, asynchronous :: mine(me + 1), whole(total, 3), again(me + 1), &
        part(me + 1)
    integer(c_int32_t), target, asynchronous :: ones(total), sent(p * (me + 1))
    type(tutti_request) :: requests(4)
    mine = me
    ones = 1
    sent = me
    call tutti_iallgatherv(world, tutti_array(mine), tutti_array(whole(:, 1)), counts, requests(1))
    call tutti_igatherv(world, tutti_array(mine), tutti_array(whole(:, 2)), counts, 0, requests(2))
    call tutti_ireduce_scatterv(world, tutti_array(ones), tutti_array(part), counts, tutti_sum, &
        requests(3))
    call tutti_ialltoallv(world, tutti_array(sent), tutti_array(whole(:, 3)), &
        spread(me + 1_c_int64_t, 1, p), counts, requests(4))
    call tutti_waitall(requests)
    call require(all(whole(:, 1) == expected()) .and. all(whole(:, 3) == expected()), &
        'iallgatherv and ialltoallv')
    if (me == 0) call require(all(whole(:, 2) == expected()), 'igatherv')
    call require(all(part == p), 'ireduce_scatterv')
    call tutti_iscatterv(world, tutti_array(whole(:, 1)), tutti_array(again), counts, 0, &
        requests(1))
    call tutti_wait(requests(1))
    call require(all(again == me), 'iscatterv')
  end subroutine started_with_counts

  subroutine prepared()
    integer(c_int32_t), target, asynchronous :: n, sum, root_sum, parts(p), part, all_parts(p), &
        exchanged(p), sums(2)
    type(tutti_request) :: requests(11)
    integer :: turn
    call tutti_bcast_init(world, tutti_array(n), 0, requests(1))
    call tutti_allreduce_init(world, tutti_array(part), tutti_array(sum), tutti_sum, requests(2))
    call tutti_reduce_init(world, tutti_array(part), tutti_array(root_sum), tutti_sum, 0, &
        requests(3))
    call tutti_allgather_init(world, tutti_array(part), tutti_array(all_parts), requests(4))
    call tutti_alltoall_init(world, tutti_array(parts), tutti_array(exchanged), requests(5))
    call tutti_scan_init(world, tutti_array(part), tutti_array(sums(1)), tutti_sum, requests(6))
    call tutti_exscan_init(world, tutti_array(part), tutti_array(sums(2)), tutti_sum, requests(7))
    call tutti_barrier_init(world, requests(8))
    call tutti_gather_init(world, tutti_array(part), tutti_array(all_parts), 0, requests(9))
    call tutti_scatter_init(world, tutti_array(parts), tutti_array(n), 0, requests(10))
    call tutti_reduce_scatter_init(world, tutti_array(parts), tutti_array(sum), tutti_sum, &
        requests(11))
    do turn = 1, 5
      n = merge(turn, 0, me == 0)
      part = me * turn
      parts = turn
      sums = 0
      do r = 1, 8
        call tutti_start(requests(r))
      end do
      call tutti_waitall(requests(:8))
      call require(n == turn .and. sum == turn * ranks_below(p), 'bcast_init and allreduce_init')
      if (me == 0) call require(root_sum == sum, 'reduce_init')
      call require(all(all_parts == [(r * turn, r = 0, p - 1)]) .and. all(exchanged == turn), &
          'allgather_init, alltoall_init')
      call require(sums(1) == turn * ranks_below(me + 1) .and. sums(2) == turn * ranks_below(me), &
          'scan_init, exscan_init')
      do r = 9, 11
        call tutti_start(requests(r))
        call tutti_wait(requests(r))
      end do
      call require(n == turn .and. sum == turn * p, 'scatter_init and reduce_scatter_init')
    end do
    do r = 1, size(requests)
      call tutti_request_free(requests(r))
    end do
    call require(all(requests%id == 0), 'requests that were freed')
  end subroutine prepared

  subroutine prepared_with_counts()
    integer(c_int32_t), target, asynchronous :: mine(me + 1), whole(total), again(me + 1), &
        sent(p * (me + 1))
    integer(c_int64_t) :: outgoing(p)
    type(tutti_request) :: requests(5)
    outgoing = me + 1
    mine = me
    sent = me
    call tutti_allgatherv_init(world, tutti_array(mine), tutti_array(whole), counts, requests(1))
    call tutti_scatterv_init(world, tutti_array(whole), tutti_array(again), counts, 0, requests(2))
    call tutti_reduce_scatterv_init(world, tutti_array(whole), tutti_array(again), counts, &
        tutti_sum, requests(3))
    call tutti_gatherv_init(world, tutti_array(mine), tutti_array(whole), counts, 0, requests(4))
    call tutti_alltoallv_init(world, tutti_array(sent), tutti_array(whole), outgoing, counts, &
        requests(5))
    call run_one(requests(1))
    call require(all(whole == expected()), 'allgatherv_init')
    call run_one(requests(2))
    call require(all(again == me), 'scatterv_init')
    call run_one(requests(3))
    call require(all(again == p * me), 'reduce_scatterv_init')
    whole = -1
    call run_one(requests(4))
    if (me == 0) call require(all(whole == expected()), 'gatherv_init')
    whole = -1
    call run_one(requests(5))
    call require(all(whole == expected()), 'alltoallv_init')
  end subroutine prepared_with_counts

  subroutine run_one(request)
    type(tutti_request), intent(inout) :: request
    call tutti_start(request)
    call tutti_wait(request)
    call tutti_request_free(request)
  end subroutine run_one

  subroutine groups()
    type(tutti_group) :: twin, half, row, column, some
    integer(c_int) :: greatest
    call tutti_group_dup(world, twin)
    call require(all([tutti_size(twin), tutti_rank(twin)] == [p, me]), 'dup')
    call tutti_group_split(twin, mod(me, 2), -me, half)
    call require(tutti_size(half) == (p + 1 - mod(me, 2)) / 2, 'split')
    greatest = me
    call tutti_allreduce(half, greatest, tutti_max)
    call require(greatest == p - 1 - merge(0, 1, mod(p - 1, 2) == mod(me, 2)), &
        'allreduce in a half')
    call tutti_group_mesh(world, 1, p, row, column)
    call require(all([tutti_size(row), tutti_size(column)] == [p, 1]), 'mesh')
    call tutti_group_split(world, -1, 0, some)
    call require(some%id == 0, 'no group')
    if (me == 0) then
      call tutti_group_create(world, [0], some)
      call tutti_barrier(some)
      call tutti_group_free(some)
    end if
    call tutti_group_free(half)
    call tutti_group_free(row)
    call tutti_group_free(column)
    call tutti_group_free(twin)
  end subroutine groups

  subroutine operators()
    integer(c_int64_t) :: op, mine(2), kept(2)
    integer(c_int64_t), target :: first
    call tutti_op_create(tutti_int64, keep, .false., op, c_loc(first))
    mine = 10 + me
    first = 1
    call tutti_allreduce(world, tutti_array(mine), tutti_array(kept), op)
    call require(all(kept == 10), 'the first of all')
    call tutti_barrier(world)
    first = 0
    call tutti_scan(world, tutti_array(mine), tutti_array(kept), op)
    call require(all(kept == mine), 'the last of those before')
    call tutti_op_free(op)
    call tutti_op_free(op, r)
    call require(r /= 0, 'an operator that is gone')
  end subroutine operators

  subroutine messages()
    integer(c_int64_t) :: long
    integer :: from
    if (p == 1) return
    long = 5000000000_c_int64_t + me
    call tutti_send(world, tutti_array(long), mod(me + 1, p), 3)
    call tutti_receive(world, tutti_array(long), tag=3, from=from)
    call require(from == mod(me + p - 1, p) .and. long == 5000000000_c_int64_t + from, 'messages')
  end subroutine messages

  subroutine messages_under_way()
    integer(c_int64_t), target, asynchronous :: out(2), in(2), other
    integer, target, asynchronous :: from, with
    integer(c_int64_t) :: bytes
    integer :: sender, tag, first, before
    logical :: found, cancelled
    type(tutti_request) :: put, both(2)
    before = mod(me + p - 1, p)
    out = [me, 7]
    call tutti_ireceive(world, tutti_array(in), tutti_any, 4, from, with, both(1))
    call tutti_ireceive(world, tutti_array(other), before, 5, sender, tag, both(2))
    call tutti_probe(world, tutti_any, 9, .false., found, sender, tag, bytes)
    call require(.not. found, 'no message is found')
    call tutti_barrier(world)
    call tutti_isend(world, tutti_array(out), mod(me + 1, p), 4, put)
    call tutti_wait(put)
    call tutti_waitany(both, first)
    call require(first == 1 .and. from == before .and. with == 4, 'who has sent it')
    call require(all(in == [before, 7]), 'what was posted for')
    call tutti_cancel(both(2), cancelled)
    call require(cancelled, 'the other receive is taken back')
    call tutti_waitany(both, first)
    call require(first == 0, 'no request is left')
    call tutti_send(world, tutti_array(out), mod(me + 1, p), 6)
    call tutti_probe(world, tutti_any, tutti_any, .true., found, sender, tag, bytes)
    call require(found .and. sender == before .and. tag == 6 .and. bytes == 16, 'a probe')
    call tutti_receive(world, tutti_array(in), sender, tag)
    call tutti_barrier(world)
  end subroutine messages_under_way

  subroutine memory()
    real(c_double), pointer, asynchronous :: values(:), matrix(:, :)
    integer, pointer :: numbers(:), table(:, :)
    type(c_ptr) :: address
    type(tutti_request) :: request
    integer, target, asynchronous :: from, with
    integer :: status
    logical :: cancelled
    call tutti_alloc(values, 100000)
    call tutti_alloc(matrix, 200, 500)
    values = me
    call tutti_allreduce(world, tutti_array(values), tutti_array(matrix), tutti_sum)
    call require(all(nint(matrix) == p * (p - 1) / 2), 'a sum in memory of tutti_alloc')
    call tutti_alloc(numbers, 3)
    call tutti_alloc(table, 2, 3)
    table = reshape([1, 2, 3, 4, 5, 6], [2, 3]) * (1 - min(me, 1))
    call tutti_bcast(world, table, 0)
    numbers = table(2, :)
    call require(all(numbers == [2, 4, 6]), 'integers in memory of tutti_alloc')
    call tutti_ireceive(world, tutti_array(values), tutti_any, 8, from, with, request)
    call tutti_free(values, status)
    call require(status == 1 .and. associated(values), 'memory in use')
    call tutti_cancel(request, cancelled)
    call tutti_free(values)
    call require(.not. associated(values), 'freed')
    call tutti_free(values)
    call tutti_free(matrix)
    call tutti_free(numbers)
    call tutti_free(table)
    call tutti_alloc(table, -1, 3, status)
    call require(status == 1 .and. .not. associated(table), 'a negative extent')
    call tutti_alloc(numbers, 0)
    call require(associated(numbers) .and. size(numbers) == 0, 'no elements')
    call tutti_free(numbers)
    call tutti_alloc(address, 12345_c_int64_t)
    call require(c_associated(address), 'an address')
    call tutti_free(address)
    call require(.not. c_associated(address), 'an address that was freed')
  end subroutine memory

  subroutine errors()
    type(tutti_request) :: stale
    integer :: status
    call tutti_bcast(world, tutti_array(me), p, status)
    call require(status == 1, 'a root outside the group')
    stale%id = 77
    call tutti_wait(stale, status)
    call require(status == 3, 'a stale request')
    call tutti_barrier(tutti_group(99), status)
    call require(status == 3, 'a stale group')
  end subroutine errors
end program fortran_calls
