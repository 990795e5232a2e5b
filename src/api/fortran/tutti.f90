! SPDX-License-Identifier: BSD-3-Clause
!
! The Fortran face of tutti.h: the world, groups of it, and the collectives and messages for real(8) and default
! integers, single numbers or arrays of any rank. Reductions are in place. The optional `status` receives the code of a
! failed call; without it a failed call ends the job with the library's text.
module tutti
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: tutti_init, tutti_finalize, tutti_abort, tutti_world, tutti_group_create, tutti_group_free
  public :: tutti_rank, tutti_size, tutti_barrier, tutti_bcast, tutti_reduce, tutti_allreduce, tutti_send, tutti_receive

  ! Operators by the numbers of tutti.h.
  integer(c_int64_t), parameter, public :: tutti_sum = 1, tutti_product = 2, tutti_max = 3, tutti_min = 4, &
      tutti_absmax = 5, tutti_absmin = 6, tutti_bit_and = 10, tutti_bit_or = 11, tutti_bit_xor = 12
  integer, parameter, public :: tutti_any = -1

  type, bind(c), public :: tutti_group
    integer(c_int64_t) :: id = 0
  end type tutti_group

  type, bind(c) :: op_handle
    integer(c_int64_t) :: id
  end type op_handle

  ! struct tutti_data; a contiguous array needs no more than its address, type and number of elements.
  type, bind(c) :: data_description
    type(c_ptr) :: address
    integer(c_int) :: type, shape = 0
    integer(c_int64_t) :: m, n = 1, ld
    character(kind=c_char) :: uplo = 'U', diag = 'N'
  end type data_description

  integer(c_int), parameter :: type_int32 = 1, type_double = 4

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
    module procedure send_real, send_integer
  end interface tutti_send
  interface tutti_receive
    module procedure receive_real, receive_integer
  end interface tutti_receive

  interface
    integer(c_int) function c_init() bind(c, name='tutti_init')
      import :: c_int
    end function c_init
    integer(c_int) function c_finalize() bind(c, name='tutti_finalize')
      import :: c_int
    end function c_finalize
    subroutine c_abort(code, text) bind(c, name='tutti_abort')
      import :: c_int, c_ptr
      integer(c_int), value :: code
      type(c_ptr), value :: text
    end subroutine c_abort
    type(c_ptr) function c_error_text() bind(c, name='tutti_error_text')
      import :: c_ptr
    end function c_error_text
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
    integer(c_int) function c_group_create(parent, count, ranks, group) bind(c, name='tutti_group_create')
      import :: c_int, tutti_group
      type(tutti_group), value :: parent
      integer(c_int), value :: count
      integer(c_int), intent(in) :: ranks(*)
      type(tutti_group), intent(out) :: group
    end function c_group_create
    integer(c_int) function c_group_free(group) bind(c, name='tutti_group_free')
      import :: c_int, tutti_group
      type(tutti_group), value :: group
    end function c_group_free
    integer(c_int) function c_barrier(group) bind(c, name='tutti_barrier')
      import :: c_int, tutti_group
      type(tutti_group), value :: group
    end function c_barrier
    integer(c_int) function c_bcast(group, data, root) bind(c, name='tutti_bcast')
      import :: c_int, tutti_group, data_description
      type(tutti_group), value :: group
      type(data_description), intent(in) :: data
      integer(c_int), value :: root
    end function c_bcast
    integer(c_int) function c_reduce(group, input, output, op, root) bind(c, name='tutti_reduce')
      import :: c_int, tutti_group, op_handle, data_description
      type(tutti_group), value :: group
      type(data_description), intent(in) :: input, output
      type(op_handle), value :: op
      integer(c_int), value :: root
    end function c_reduce
    integer(c_int) function c_allreduce(group, input, output, op) bind(c, name='tutti_allreduce')
      import :: c_int, tutti_group, op_handle, data_description
      type(tutti_group), value :: group
      type(data_description), intent(in) :: input, output
      type(op_handle), value :: op
    end function c_allreduce
    integer(c_int) function c_send(group, data, destination, tag) bind(c, name='tutti_send')
      import :: c_int, tutti_group, data_description
      type(tutti_group), value :: group
      type(data_description), intent(in) :: data
      integer(c_int), value :: destination, tag
    end function c_send
    integer(c_int) function c_receive(group, data, source, tag, from, with) bind(c, name='tutti_receive')
      import :: c_int, tutti_group, data_description
      type(tutti_group), value :: group
      type(data_description), intent(in) :: data
      integer(c_int), value :: source, tag
      integer(c_int), intent(out) :: from, with
    end function c_receive
  end interface

contains

  subroutine finish(code, status)
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: status
    if (present(status)) then
      status = code
    else if (code /= 0) then
      call c_abort(code, c_error_text())
    end if
  end subroutine finish

  subroutine tutti_init(status)
    integer, intent(out), optional :: status
    call finish(c_init(), status)
  end subroutine tutti_init

  subroutine tutti_finalize(status)
    integer, intent(out), optional :: status
    call finish(c_finalize(), status)
  end subroutine tutti_finalize

  subroutine tutti_abort(code, text)
    integer, intent(in) :: code
    character(len=*), intent(in) :: text
    character(kind=c_char, len=:), allocatable, target :: terminated
    terminated = text // c_null_char
    call c_abort(int(code, c_int), c_loc(terminated))
  end subroutine tutti_abort

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

  ! The ranks (from 0) of `parent` in `ranks`, in that order; called by them only.
  subroutine tutti_group_create(parent, ranks, group, status)
    type(tutti_group), intent(in) :: parent
    integer, intent(in) :: ranks(:)
    type(tutti_group), intent(out) :: group
    integer, intent(out), optional :: status
    call finish(c_group_create(parent, size(ranks, kind=c_int), ranks, group), status)
  end subroutine tutti_group_create

  subroutine tutti_group_free(group, status)
    type(tutti_group), intent(in) :: group
    integer, intent(out), optional :: status
    call finish(c_group_free(group), status)
  end subroutine tutti_group_free

  subroutine tutti_barrier(group, status)
    type(tutti_group), intent(in) :: group
    integer, intent(out), optional :: status
    call finish(c_barrier(group), status)
  end subroutine tutti_barrier

  type(data_description) function describe(address, type, count)
    type(c_ptr), intent(in) :: address
    integer(c_int), intent(in) :: type
    integer(c_int64_t), intent(in) :: count
    describe = data_description(address=address, type=type, m=count, ld=count)
  end function describe

  type(data_description) function of_real(values)
    real(c_double), intent(in), target, contiguous :: values(..)
    of_real = describe(c_loc(values), type_double, size(values, kind=c_int64_t))
  end function of_real

  type(data_description) function of_integer(values)
    integer(c_int), intent(in), target, contiguous :: values(..)
    of_integer = describe(c_loc(values), type_int32, size(values, kind=c_int64_t))
  end function of_integer

  subroutine bcast_real(group, values, root, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call finish(c_bcast(group, of_real(values), root), status)
  end subroutine bcast_real

  subroutine bcast_integer(group, values, root, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call finish(c_bcast(group, of_integer(values), root), status)
  end subroutine bcast_integer

  subroutine reduce_real(group, values, op, root, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call finish(c_reduce(group, of_real(values), of_real(values), op_handle(op), root), status)
  end subroutine reduce_real

  subroutine reduce_integer(group, values, op, root, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(in) :: root
    integer, intent(out), optional :: status
    call finish(c_reduce(group, of_integer(values), of_integer(values), op_handle(op), root), status)
  end subroutine reduce_integer

  subroutine allreduce_real(group, values, op, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(out), optional :: status
    call finish(c_allreduce(group, of_real(values), of_real(values), op_handle(op)), status)
  end subroutine allreduce_real

  subroutine allreduce_integer(group, values, op, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer(c_int64_t), intent(in) :: op
    integer, intent(out), optional :: status
    call finish(c_allreduce(group, of_integer(values), of_integer(values), op_handle(op)), status)
  end subroutine allreduce_integer

  subroutine send_real(group, values, destination, tag, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: destination
    integer, intent(in), optional :: tag
    integer, intent(out), optional :: status
    call finish(c_send(group, of_real(values), destination, given(tag, 0)), status)
  end subroutine send_real

  subroutine send_integer(group, values, destination, tag, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(in), target, contiguous :: values(..)
    integer, intent(in) :: destination
    integer, intent(in), optional :: tag
    integer, intent(out), optional :: status
    call finish(c_send(group, of_integer(values), destination, given(tag, 0)), status)
  end subroutine send_integer

  ! `from` receives the rank of the sender.
  subroutine receive_real(group, values, source, tag, from, status)
    type(tutti_group), intent(in) :: group
    real(c_double), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: source, tag
    integer, intent(out), optional :: from, status
    call receive(group, of_real(values), source, tag, from, status)
  end subroutine receive_real

  subroutine receive_integer(group, values, source, tag, from, status)
    type(tutti_group), intent(in) :: group
    integer(c_int), intent(inout), target, contiguous :: values(..)
    integer, intent(in), optional :: source, tag
    integer, intent(out), optional :: from, status
    call receive(group, of_integer(values), source, tag, from, status)
  end subroutine receive_integer

  subroutine receive(group, data, source, tag, from, status)
    type(tutti_group), intent(in) :: group
    type(data_description), intent(in) :: data
    integer, intent(in), optional :: source, tag
    integer, intent(out), optional :: from, status
    integer(c_int) :: sender, carried
    call finish(c_receive(group, data, given(source, tutti_any), given(tag, tutti_any), sender, carried), status)
    if (present(from)) from = sender
  end subroutine receive

  integer(c_int) function given(value, otherwise)
    integer, intent(in), optional :: value
    integer, intent(in) :: otherwise
    given = otherwise
    if (present(value)) given = value
  end function given
end module tutti
