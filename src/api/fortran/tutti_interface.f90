! SPDX-License-Identifier: BSD-3-Clause
!
! Declares the functions of tutti.h that the module tutti calls, apart from the collectives.
module tutti_interface
  use tutti_types
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_ptr, c_funptr
  implicit none
  private :: c_int, c_int64_t, c_double, c_ptr, c_funptr
  ! The number of TUTTI_WOULD_WAIT in tutti.h.
  integer(c_int), parameter :: would_wait = 14

  interface
    integer(c_int) function c_init() bind(c, name='tutti_init')
      import :: c_int
    end function c_init
    integer(c_int) function c_finalize() bind(c, name='tutti_finalize')
      import :: c_int
    end function c_finalize
    type(tutti_group) function c_world() bind(c, name='tutti_world')
      import :: tutti_group
    end function c_world
    integer(c_int) function c_rank(group) bind(c, name='tutti_rank')
      import :: c_int, tutti_group
      type(tutti_group), value :: group
    end function c_rank
    integer(c_int) function c_size(group) bind(c, name='tutti_size')
      import :: c_int, tutti_group
      type(tutti_group), value :: group
    end function c_size
    integer(c_int) function c_group_create(parent, count, ranks, group) &
        bind(c, name='tutti_group_create')
      import :: c_int, tutti_group
      type(tutti_group), value :: parent
      integer(c_int), value :: count
      integer(c_int), intent(in) :: ranks(*)
      type(tutti_group), intent(out) :: group
    end function c_group_create
    integer(c_int) function c_group_split(parent, color, key, group) &
        bind(c, name='tutti_group_split')
      import :: c_int, tutti_group
      type(tutti_group), value :: parent
      integer(c_int), value :: color, key
      type(tutti_group), intent(out) :: group
    end function c_group_split
    integer(c_int) function c_group_dup(parent, group) bind(c, name='tutti_group_dup')
      import :: c_int, tutti_group
      type(tutti_group), value :: parent
      type(tutti_group), intent(out) :: group
    end function c_group_dup
    integer(c_int) function c_group_mesh(parent, rows, columns, row, column) &
        bind(c, name='tutti_group_mesh')
      import :: c_int, tutti_group
      type(tutti_group), value :: parent
      integer(c_int), value :: rows, columns
      type(tutti_group), intent(out) :: row, column
    end function c_group_mesh
    integer(c_int) function c_group_free(group) bind(c, name='tutti_group_free')
      import :: c_int, tutti_group
      type(tutti_group), value :: group
    end function c_group_free
    integer(c_int) function c_op_create(type, combine, commutative, user, op) &
        bind(c, name='tutti_op_create')
      import :: c_int, c_funptr, c_ptr, op_handle
      integer(c_int), value :: type, commutative
      type(c_funptr), value :: combine
      type(c_ptr), value :: user
      type(op_handle), intent(out) :: op
    end function c_op_create
    integer(c_int) function c_op_free(op) bind(c, name='tutti_op_free')
      import :: c_int, op_handle
      type(op_handle), value :: op
    end function c_op_free
    integer(c_int) function c_start(request) bind(c, name='tutti_start')
      import :: c_int, tutti_request
      type(tutti_request), value :: request
    end function c_start
    integer(c_int) function c_wait(request) bind(c, name='tutti_wait')
      import :: c_int, tutti_request
      type(tutti_request), intent(inout) :: request
    end function c_wait
    integer(c_int) function c_waitall(count, requests) bind(c, name='tutti_waitall')
      import :: c_int, tutti_request
      integer(c_int), value :: count
      type(tutti_request), intent(inout) :: requests(*)
    end function c_waitall
    integer(c_int) function c_waitany(count, requests, index) bind(c, name='tutti_waitany')
      import :: c_int, tutti_request
      integer(c_int), value :: count
      type(tutti_request), intent(inout) :: requests(*)
      integer(c_int), intent(out) :: index
    end function c_waitany
    integer(c_int) function c_test(request, done) bind(c, name='tutti_test')
      import :: c_int, tutti_request
      type(tutti_request), intent(inout) :: request
      integer(c_int), intent(out) :: done
    end function c_test
    integer(c_int) function c_request_free(request) bind(c, name='tutti_request_free')
      import :: c_int, tutti_request
      type(tutti_request), intent(inout) :: request
    end function c_request_free
    integer(c_int) function c_cancel(request, cancelled) bind(c, name='tutti_cancel')
      import :: c_int, tutti_request
      type(tutti_request), intent(inout) :: request
      integer(c_int), intent(out) :: cancelled
    end function c_cancel
    integer(c_int) function c_send(group, data, destination, tag) bind(c, name='tutti_send')
      import :: c_int, tutti_group, tutti_data
      type(tutti_group), value :: group
      type(tutti_data), intent(in) :: data
      integer(c_int), value :: destination, tag
    end function c_send
    integer(c_int) function c_receive(group, data, source, tag, from, with) &
        bind(c, name='tutti_receive')
      import :: c_int, tutti_group, tutti_data
      type(tutti_group), value :: group
      type(tutti_data), intent(in) :: data
      integer(c_int), value :: source, tag
      integer(c_int), intent(out) :: from, with
    end function c_receive
    integer(c_int) function c_isend(group, data, destination, tag, request) &
        bind(c, name='tutti_isend')
      import :: c_int, tutti_group, tutti_data, tutti_request
      type(tutti_group), value :: group
      type(tutti_data), intent(in) :: data
      integer(c_int), value :: destination, tag
      type(tutti_request), intent(out) :: request
    end function c_isend
    integer(c_int) function c_ireceive(group, data, source, tag, from, with, request) &
        bind(c, name='tutti_ireceive')
      import :: c_int, c_ptr, tutti_group, tutti_data, tutti_request
      type(tutti_group), value :: group
      type(tutti_data), intent(in) :: data
      integer(c_int), value :: source, tag
      type(c_ptr), value :: from, with
      type(tutti_request), intent(out) :: request
    end function c_ireceive
    integer(c_int) function c_probe(group, source, tag, wait, from, with, bytes) &
        bind(c, name='tutti_probe')
      import :: c_int, c_int64_t, tutti_group
      type(tutti_group), value :: group
      integer(c_int), value :: source, tag, wait
      integer(c_int), intent(inout) :: from, with
      integer(c_int64_t), intent(inout) :: bytes
    end function c_probe
    integer(c_int) function c_wait_for(request, seconds) bind(c, name='tutti_wait_for')
      import :: c_int, c_double, tutti_request
      type(tutti_request), intent(inout) :: request
      real(c_double), value :: seconds
    end function c_wait_for
    integer(c_int) function c_waitall_for(count, requests, seconds) &
        bind(c, name='tutti_waitall_for')
      import :: c_int, c_double, tutti_request
      integer(c_int), value :: count
      type(tutti_request), intent(inout) :: requests(*)
      real(c_double), value :: seconds
    end function c_waitall_for
    integer(c_int) function c_waitany_for(count, requests, seconds, index) &
        bind(c, name='tutti_waitany_for')
      import :: c_int, c_double, tutti_request
      integer(c_int), value :: count
      type(tutti_request), intent(inout) :: requests(*)
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: index
    end function c_waitany_for
    integer(c_int) function c_probe_for(group, source, tag, seconds, from, with, bytes) &
        bind(c, name='tutti_probe_for')
      import :: c_int, c_int64_t, c_double, tutti_group
      type(tutti_group), value :: group
      integer(c_int), value :: source, tag
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: from, with
      integer(c_int64_t), intent(inout) :: bytes
    end function c_probe_for
    integer(c_int) function c_group_members(group, other, ranks) &
        bind(c, name='tutti_group_members')
      import :: c_int, tutti_group
      type(tutti_group), value :: group, other
      integer(c_int), intent(inout) :: ranks(*)
    end function c_group_members
    integer(c_int) function c_would_join() bind(c, name='tutti_would_join')
      import :: c_int
    end function c_would_join
    integer(c_int) function c_op_create_fallible(type, combine, how, user, op) &
        bind(c, name='tutti_op_create_fallible')
      import :: c_int, c_funptr, c_ptr, op_handle
      integer(c_int), value :: type, how
      type(c_funptr), value :: combine
      type(c_ptr), value :: user
      type(op_handle), intent(out) :: op
    end function c_op_create_fallible
  end interface
end module tutti_interface
