! SPDX-License-Identifier: BSD-3-Clause
!
! The Fortran interface to tutti.h: groups, operators, collectives, requests, messages and memory.
! Collectives take descriptions, tutti_array(x), as in C. Broadcasts, reductions in place and
! messages also take arrays of real(8) and default integers as they are. The optional `status`
! receives the code of a failed call; without it a failed call ends the job with the library's text.
module tutti
  use tutti_types
  use tutti_collectives
  use tutti_requests
  use tutti_memory
  use tutti_interface
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_ptr, c_null_ptr, c_funloc, &
      c_loc
  implicit none
  private :: c_int, c_int64_t, c_double, c_ptr, c_null_ptr, c_funloc, begin, finish, op_handle, &
      given
  private :: c_init, c_finalize, c_world, c_rank, c_size, c_group_create, c_group_split, &
      c_group_dup, c_group_mesh, c_group_free, c_op_create, c_op_free, c_start, c_wait, c_waitall, &
      c_test, c_request_free, c_send, c_receive
  private :: bcast_real, bcast_integer, reduce_real, reduce_integer, allreduce_real, &
      allreduce_integer
  private :: c_waitany, c_cancel, c_isend, c_ireceive, c_probe, c_loc
  private :: c_wait_for, c_waitall_for, c_waitany_for, c_probe_for, c_group_members, &
      c_would_join, c_op_create_fallible, would_wait
  private :: send_data, send_real, send_integer, receive_data, receive_real, receive_integer

  interface tutti_bcast
    module procedure bcast_real, bcast_integer
  end interface tutti_bcast
  interface tutti_reduce
    module procedure reduce_real, reduce_integer
  end interface tutti_reduce
  interface tutti_allreduce
    module procedure allreduce_real, allreduce_integer
  end interface tutti_allreduce
  interface tutti_send
    module procedure send_data, send_real, send_integer
  end interface tutti_send
  interface tutti_receive
    module procedure receive_data, receive_real, receive_integer
  end interface tutti_receive

contains

  ! --- life ---

  subroutine tutti_init(status)
    integer, intent(out), optional :: status
    call begin
    call finish(c_init(), status)
  end subroutine tutti_init

  subroutine tutti_finalize(status)
    integer, intent(out), optional :: status
    call begin
    call finish(c_finalize(), status)
  end subroutine tutti_finalize

  ! Tells whether tutti_init joins, or has joined, a job that a launcher has started.
  logical function tutti_would_join()
    tutti_would_join = c_would_join() /= 0
  end function tutti_would_join

  ! --- groups ---

  type(tutti_group) function tutti_world()
    tutti_world = c_world()
  end function tutti_world

  integer function tutti_rank(group)
    type(tutti_group), intent(in) :: group
    tutti_rank = c_rank(group)
  end function tutti_rank

  integer function tutti_size(group)
    type(tutti_group), intent(in) :: group
    tutti_size = c_size(group)
  end function tutti_size

  ! Makes the group of these `ranks` of `parent`, which count from 0, in that order. Only they call
  ! it.
  subroutine tutti_group_create(parent, ranks, group, status)
    type(tutti_group), intent(in) :: parent
    integer, intent(in) :: ranks(:)
    type(tutti_group), intent(out) :: group
    integer, intent(out), optional :: status
    call begin
    call finish(c_group_create(parent, size(ranks, kind=c_int), ranks, group), status)
  end subroutine tutti_group_create

  ! Splits a group by color. A rank with a negative color gets no group: group%id is 0.
  subroutine tutti_group_split(parent, color, key, group, status)
    type(tutti_group), intent(in) :: parent
    integer, intent(in) :: color, key
    type(tutti_group), intent(out) :: group
    integer, intent(out), optional :: status
    call begin
    call finish(c_group_split(parent, color, key, group), status)
  end subroutine tutti_group_split

  subroutine tutti_group_dup(parent, group, status)
    type(tutti_group), intent(in) :: parent
    type(tutti_group), intent(out) :: group
    integer, intent(out), optional :: status
    call begin
    call finish(c_group_dup(parent, group), status)
  end subroutine tutti_group_dup

  subroutine tutti_group_mesh(parent, rows, columns, row, column, status)
    type(tutti_group), intent(in) :: parent
    integer, intent(in) :: rows, columns
    type(tutti_group), intent(out) :: row, column
    integer, intent(out), optional :: status
    call begin
    call finish(c_group_mesh(parent, rows, columns, row, column), status)
  end subroutine tutti_group_mesh

  ! `ranks` gets the rank in `other` of each rank of `group`; -1 for one that is not there.
  subroutine tutti_group_members(group, other, ranks, status)
    type(tutti_group), intent(in) :: group, other
    integer(c_int), intent(out), contiguous :: ranks(:)
    integer, intent(out), optional :: status
    if (size(ranks) < tutti_size(group)) call tutti_abort(1, &
        'tutti_group_members: ranks has fewer elements than the group has ranks')
    call begin
    call finish(c_group_members(group, other, ranks), status)
  end subroutine tutti_group_members

  subroutine tutti_group_free(group, status)
    type(tutti_group), intent(in) :: group
    integer, intent(out), optional :: status
    call begin
    call finish(c_group_free(group), status)
  end subroutine tutti_group_free

  ! --- operators ---

  ! Makes an operator on elements of `type`, such as tutti_double.
  subroutine tutti_op_create(type, combine, commutative, op, user, status)
    integer, intent(in) :: type
    procedure(tutti_combine) :: combine
    logical, intent(in) :: commutative
    integer(c_int64_t), intent(out) :: op
    type(c_ptr), intent(in), optional :: user
    integer, intent(out), optional :: status
    type(op_handle) :: made
    type(c_ptr) :: handed
    integer(c_int) :: code
    handed = c_null_ptr
    if (present(user)) handed = user
    made%id = 0
    call begin
    code = c_op_create(int(type, c_int), c_funloc(combine), merge(1_c_int, 0_c_int, commutative), &
        handed, made)
    op = made%id
    call finish(code, status)
  end subroutine tutti_op_create

  ! Makes an operator of a function that may fail. `how` is tutti_commutative, tutti_whole_vectors,
  ! their sum, or 0.
  subroutine tutti_op_create_fallible(type, combine, how, op, user, status)
    integer, intent(in) :: type, how
    procedure(tutti_fallible) :: combine
    integer(c_int64_t), intent(out) :: op
    type(c_ptr), intent(in), optional :: user
    integer, intent(out), optional :: status
    type(op_handle) :: made
    type(c_ptr) :: handed
    integer(c_int) :: code
    handed = c_null_ptr
    if (present(user)) handed = user
    made%id = 0
    call begin
    code = c_op_create_fallible(int(type, c_int), c_funloc(combine), int(how, c_int), handed, made)
    op = made%id
    call finish(code, status)
  end subroutine tutti_op_create_fallible

  subroutine tutti_op_free(op, status)
    integer(c_int64_t), intent(in) :: op
    integer, intent(out), optional :: status
    call begin
    call finish(c_op_free(op_handle(op)), status)
  end subroutine tutti_op_free

  ! --- collectives on arrays as they are, reductions in place ---

  subroutine bcast_real(group, values, root, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call tutti_bcast(group, tutti_array(values), root, status)
  end subroutine bcast_real

  subroutine bcast_integer(group, values, root, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call tutti_bcast(group, tutti_array(values), root, status)
  end subroutine bcast_integer

  subroutine reduce_real(group, values, op, root, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call tutti_reduce(group, tutti_array(values), tutti_array(values), op, root, status)
  end subroutine reduce_real

  subroutine reduce_integer(group, values, op, root, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call tutti_reduce(group, tutti_array(values), tutti_array(values), op, root, status)
  end subroutine reduce_integer

  subroutine allreduce_real(group, values, op, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(out), optional :: status
    call tutti_allreduce(group, tutti_array(values), tutti_array(values), op, status)
  end subroutine allreduce_real

  subroutine allreduce_integer(group, values, op, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(out), optional :: status
    call tutti_allreduce(group, tutti_array(values), tutti_array(values), op, status)
  end subroutine allreduce_integer

  ! --- point to point ---

  subroutine send_data(group, data, destination, tag, status)
    type(tutti_group), intent(in) :: group
    type(tutti_data), intent(in) :: data
    integer, intent(in) :: destination
    integer, intent(in), optional :: tag
    integer, intent(out), optional :: status
    call begin
    call finish(c_send(group, data, destination, given(tag, 0)), status)
  end subroutine send_data

  subroutine send_real(group, values, destination, tag, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: destination
    integer, intent(in), optional :: tag
    integer, intent(out), optional :: status
    call send_data(group, tutti_array(values), destination, tag, status)
  end subroutine send_real

  subroutine send_integer(group, values, destination, tag, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: destination
    integer, intent(in), optional :: tag
    integer, intent(out), optional :: status
    call send_data(group, tutti_array(values), destination, tag, status)
  end subroutine send_integer

  ! Receives a message. `from` returns the rank of the sender.
  subroutine receive_data(group, data, source, tag, from, status)
    type(tutti_group), intent(in) :: group
    type(tutti_data), intent(in) :: data
    integer, intent(in), optional :: source, tag
    integer, intent(out), optional :: from, status
    integer(c_int) :: sender, carried
    call begin
    call finish(c_receive(group, data, given(source, tutti_any), given(tag, tutti_any), sender, &
        carried), status)
    if (present(from)) from = sender
  end subroutine receive_data

  subroutine tutti_isend(group, data, destination, tag, request, status)
    type(tutti_group), intent(in) :: group
    type(tutti_data), intent(in) :: data
    integer, intent(in) :: destination, tag
    type(tutti_request), intent(out) :: request
    integer, intent(out), optional :: status
    call begin
    call finish(c_isend(group, data, destination, tag, request), status)
  end subroutine tutti_isend

  ! `from` and `with` are set when the message has come.
  subroutine tutti_ireceive(group, data, source, tag, from, with, request, status)
    type(tutti_group), intent(in) :: group
    type(tutti_data), intent(in) :: data
    integer, intent(in) :: source, tag
    integer(c_int), intent(inout), target, asynchronous :: from, with
    type(tutti_request), intent(out) :: request
    integer, intent(out), optional :: status
    call begin
    call finish(c_ireceive(group, data, source, tag, c_loc(from), c_loc(with), request), status)
  end subroutine tutti_ireceive

  ! Without `wait`, `found` is false if no message fits now.
  subroutine tutti_probe(group, source, tag, wait, found, from, with, bytes, status)
    type(tutti_group), intent(in) :: group
    integer, intent(in) :: source, tag
    logical, intent(in) :: wait
    logical, intent(out) :: found
    integer, intent(out) :: from, with
    integer(c_int64_t), intent(out) :: bytes
    integer, intent(out), optional :: status
    integer(c_int) :: code
    from = tutti_any
    with = tutti_any
    bytes = -1
    call begin
    code = c_probe(group, source, tag, merge(1_c_int, 0_c_int, wait), from, with, bytes)
    found = code == 0
    if (code == would_wait) code = 0
    call finish(code, status)
  end subroutine tutti_probe

  ! Waits for at most `seconds`; `found` is false if no message has come.
  subroutine tutti_probe_for(group, source, tag, seconds, found, from, with, bytes, status)
    type(tutti_group), intent(in) :: group
    integer, intent(in) :: source, tag
    real(c_double), intent(in) :: seconds
    logical, intent(out) :: found
    integer, intent(out) :: from, with
    integer(c_int64_t), intent(out) :: bytes
    integer, intent(out), optional :: status
    integer(c_int) :: code
    from = tutti_any
    with = tutti_any
    bytes = -1
    call begin
    code = c_probe_for(group, source, tag, seconds, from, with, bytes)
    found = code == 0
    if (code == would_wait) code = 0
    call finish(code, status)
  end subroutine tutti_probe_for

  subroutine receive_real(group, values, source, tag, from, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: source, tag
    integer, intent(out), optional :: from, status
    call receive_data(group, tutti_array(values), source, tag, from, status)
  end subroutine receive_real

  subroutine receive_integer(group, values, source, tag, from, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: source, tag
    integer, intent(out), optional :: from, status
    call receive_data(group, tutti_array(values), source, tag, from, status)
  end subroutine receive_integer

  integer(c_int) function given(value, otherwise)
    integer, intent(in), optional :: value
    integer, intent(in) :: otherwise
    given = otherwise
    if (present(value)) given = value
  end function given
end module tutti
