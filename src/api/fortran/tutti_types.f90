! SPDX-License-Identifier: BSD-3-Clause
!
! Declares the types for calls of the module tutti: handles, operators, element types, and arrays
! with a description.
module tutti_types
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: tutti_group, tutti_request, op_handle, tutti_data, tutti_array, tutti_combine, &
      tutti_fallible, tutti_abort, begin, finish

  ! Operators and element types have the numbers of tutti.h.
  integer(c_int64_t), parameter, public :: tutti_sum = 1, tutti_product = 2, tutti_max = 3, &
      tutti_min = 4, tutti_absmax = 5, tutti_absmin = 6, tutti_logical_and = 7, &
      tutti_logical_or = 8, tutti_logical_xor = 9, tutti_bit_and = 10, tutti_bit_or = 11, &
      tutti_bit_xor = 12
  integer, parameter, public :: tutti_byte = 0, tutti_int32 = 1, tutti_int64 = 2, tutti_float = 3, &
      tutti_double = 4, tutti_complex_float = 5, tutti_complex_double = 6, tutti_bool = 7, &
      tutti_int8 = 8, tutti_uint8 = 9, tutti_int16 = 10, tutti_uint16 = 11, tutti_uint32 = 12, &
      tutti_uint64 = 13, tutti_float16 = 14, tutti_bfloat16 = 15
  ! How a fallible operator may be used.
  integer, parameter, public :: tutti_commutative = 1, tutti_whole_vectors = 2
  integer, parameter, public :: tutti_any = -1

  type, bind(c) :: tutti_group
    integer(c_int64_t) :: id = 0
  end type tutti_group

  type, bind(c) :: tutti_request
    integer(c_int64_t) :: id = 0
  end type tutti_request

  type, bind(c) :: op_handle
    integer(c_int64_t) :: id
  end type op_handle

  ! The counterpart of struct tutti_data. A contiguous array needs only its address, type and number
  ! of elements. tutti_data() is for the side of a collective that a rank does not use.
  type, bind(c) :: tutti_data
    type(c_ptr) :: address = c_null_ptr
    integer(c_int) :: type = tutti_byte, shape = 0
    integer(c_int64_t) :: m = 0, n = 1, ld = 0
    character(kind=c_char) :: uplo = 'U', diag = 'N'
  end type tutti_data

  ! Describes the elements of an array of any rank, or of a single number. They must be contiguous
  ! and stay where they are. Data of a call that is started and waited for later needs the
  ! attributes target and asynchronous.
  interface tutti_array
    module procedure array_bool, array_int8, array_int16, array_int32, array_int64, array_float, &
        array_double, array_complex_float, array_complex_double
  end interface tutti_array

  ! Computes result(i) = left(i) op right(i) for `count` elements. `user` is the value that
  ! tutti_op_create got.
  abstract interface
    subroutine tutti_combine(result, left, right, count, user) bind(c)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: result, left, right, user
      integer(c_int64_t), value :: count
    end subroutine tutti_combine
    ! Does the same, and returns 0, or a number of its own if it has failed.
    integer(c_int) function tutti_fallible(result, left, right, count, user) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: result, left, right, user
      integer(c_int64_t), value :: count
    end function tutti_fallible
  end interface

  interface
    subroutine c_abort(code, text) bind(c, name='tutti_abort')
      import :: c_int, c_ptr
      integer(c_int), value :: code
      type(c_ptr), value :: text
    end subroutine c_abort
    ! The calls of C whose status finish checks must stand between begin and finish: there C returns
    ! the status.
    subroutine begin() bind(c, name='tutti_errors_push_return')
    end subroutine begin
    subroutine c_errors_pop() bind(c, name='tutti_errors_pop')
    end subroutine c_errors_pop
    type(c_ptr) function c_error_text() bind(c, name='tutti_error_text')
      import :: c_ptr
    end function c_error_text
  end interface

contains

  subroutine finish(code, status)
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: status
    call c_errors_pop
    if (present(status)) then
      status = code
    else if (code /= 0) then
      call c_abort(code, c_error_text())
    end if
  end subroutine finish

  subroutine tutti_abort(code, text)
    integer, intent(in) :: code
    character(len=*), intent(in) :: text
    character(kind=c_char, len=:), allocatable, target :: terminated
    terminated = text // c_null_char
    call c_abort(int(code, c_int), c_loc(terminated))
  end subroutine tutti_abort

  type(tutti_data) function described(address, type, count, contiguous)
    type(c_ptr), intent(in) :: address
    integer, intent(in) :: type
    integer(c_int64_t), intent(in) :: count
    logical, intent(in) :: contiguous
    if (.not. contiguous) call tutti_abort(1, &
        'tutti_array: the elements of the array do not lie one after the other')
    described = tutti_data(address=address, type=int(type, c_int), m=count, ld=count)
  end function described

  type(tutti_data) function array_int8(values)
    integer(c_int8_t), intent(in), target :: values(..)
    array_int8 = described(c_loc(values), tutti_int8, size(values, kind=c_int64_t), &
        is_contiguous(values))
  end function array_int8

  type(tutti_data) function array_int16(values)
    integer(c_int16_t), intent(in), target :: values(..)
    array_int16 = described(c_loc(values), tutti_int16, size(values, kind=c_int64_t), &
        is_contiguous(values))
  end function array_int16

  type(tutti_data) function array_bool(values)
    logical(c_bool), intent(in), target :: values(..)
    array_bool = described(c_loc(values), tutti_bool, size(values, kind=c_int64_t), &
        is_contiguous(values))
  end function array_bool

  type(tutti_data) function array_int32(values)
    integer(c_int32_t), intent(in), target :: values(..)
    array_int32 = described(c_loc(values), tutti_int32, size(values, kind=c_int64_t), &
        is_contiguous(values))
  end function array_int32

  type(tutti_data) function array_int64(values)
    integer(c_int64_t), intent(in), target :: values(..)
    array_int64 = described(c_loc(values), tutti_int64, size(values, kind=c_int64_t), &
        is_contiguous(values))
  end function array_int64

  type(tutti_data) function array_float(values)
    real(c_float), intent(in), target :: values(..)
    array_float = described(c_loc(values), tutti_float, size(values, kind=c_int64_t), &
        is_contiguous(values))
  end function array_float

  type(tutti_data) function array_double(values)
    real(c_double), intent(in), target :: values(..)
    array_double = described(c_loc(values), tutti_double, size(values, kind=c_int64_t), &
        is_contiguous(values))
  end function array_double

  type(tutti_data) function array_complex_float(values)
    complex(c_float), intent(in), target :: values(..)
    array_complex_float = described(c_loc(values), tutti_complex_float, &
        size(values, kind=c_int64_t), is_contiguous(values))
  end function array_complex_float

  type(tutti_data) function array_complex_double(values)
    complex(c_double), intent(in), target :: values(..)
    array_complex_double = described(c_loc(values), tutti_complex_double, &
        size(values, kind=c_int64_t), is_contiguous(values))
  end function array_complex_double
end module tutti_types
