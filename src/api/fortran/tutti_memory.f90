! SPDX-License-Identifier: BSD-3-Clause
!
! Memory that all processes of the machine reach, as a pointer to an array of real(8) or default
! integers, or as an address for c_f_pointer. A part of the module tutti.
module tutti_memory
  use tutti_types
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: tutti_alloc, tutti_free

  ! tutti_alloc(values, n) makes a vector, tutti_alloc(values, m, n) a matrix, and
  ! tutti_alloc(address, bytes) memory for anything else. The contents are arbitrary.
  interface tutti_alloc
    module procedure alloc_bytes, alloc_real, alloc_reals, alloc_integer, alloc_integers
  end interface tutti_alloc
  ! Frees what tutti_alloc has made. After an error the pointer is what it was.
  interface tutti_free
    module procedure free_bytes, free_real, free_reals, free_integer, free_integers
  end interface tutti_free

  interface
    integer(c_int) function c_alloc(bytes, address) bind(c, name='tutti_alloc')
      import :: c_int, c_int64_t, c_ptr
      integer(c_int64_t), value :: bytes
      type(c_ptr), intent(out) :: address
    end function c_alloc
    integer(c_int) function c_free(address) bind(c, name='tutti_free')
      import :: c_int, c_ptr
      type(c_ptr), value :: address
    end function c_free
  end interface

contains

  subroutine alloc_bytes(address, bytes, status)
    type(c_ptr), intent(out) :: address
    integer(c_int64_t), intent(in) :: bytes
    integer, intent(out), optional :: status
    address = c_null_ptr
    call begin
    call finish(c_alloc(bytes, address), status)
  end subroutine alloc_bytes

  subroutine free_bytes(address, status)
    type(c_ptr), intent(inout) :: address
    integer, intent(out), optional :: status
    integer(c_int) :: code
    call begin
    code = c_free(address)
    if (code == 0) address = c_null_ptr
    call finish(code, status)
  end subroutine free_bytes

  ! A negative extent stays negative in the number of bytes, which is then refused.
  integer(c_int64_t) function bytes_of(m, n, bits)
    integer, intent(in) :: m, n, bits
    bytes_of = int(m, c_int64_t) * n * (bits / 8)
    if (min(m, n) < 0) bytes_of = min(m, n)
  end function bytes_of

  subroutine alloc_real(values, n, status)
    real(c_double), pointer, intent(out) :: values(:)
    integer, intent(in) :: n
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    values => null()
    call alloc_bytes(address, bytes_of(n, 1, storage_size(values)), status)
    if (c_associated(address)) call c_f_pointer(address, values, [n])
  end subroutine alloc_real

  subroutine free_real(values, status)
    real(c_double), pointer, intent(inout) :: values(:)
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    address = c_null_ptr
    if (associated(values)) address = c_loc(values)
    call free_bytes(address, status)
    if (.not. c_associated(address)) values => null()
  end subroutine free_real

  subroutine alloc_reals(values, m, n, status)
    real(c_double), pointer, intent(out) :: values(:, :)
    integer, intent(in) :: m, n
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    values => null()
    call alloc_bytes(address, bytes_of(m, n, storage_size(values)), status)
    if (c_associated(address)) call c_f_pointer(address, values, [m, n])
  end subroutine alloc_reals

  subroutine free_reals(values, status)
    real(c_double), pointer, intent(inout) :: values(:, :)
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    address = c_null_ptr
    if (associated(values)) address = c_loc(values)
    call free_bytes(address, status)
    if (.not. c_associated(address)) values => null()
  end subroutine free_reals

  subroutine alloc_integer(values, n, status)
    integer(c_int), pointer, intent(out) :: values(:)
    integer, intent(in) :: n
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    values => null()
    call alloc_bytes(address, bytes_of(n, 1, storage_size(values)), status)
    if (c_associated(address)) call c_f_pointer(address, values, [n])
  end subroutine alloc_integer

  subroutine free_integer(values, status)
    integer(c_int), pointer, intent(inout) :: values(:)
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    address = c_null_ptr
    if (associated(values)) address = c_loc(values)
    call free_bytes(address, status)
    if (.not. c_associated(address)) values => null()
  end subroutine free_integer

  subroutine alloc_integers(values, m, n, status)
    integer(c_int), pointer, intent(out) :: values(:, :)
    integer, intent(in) :: m, n
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    values => null()
    call alloc_bytes(address, bytes_of(m, n, storage_size(values)), status)
    if (c_associated(address)) call c_f_pointer(address, values, [m, n])
  end subroutine alloc_integers

  subroutine free_integers(values, status)
    integer(c_int), pointer, intent(inout) :: values(:, :)
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    address = c_null_ptr
    if (associated(values)) address = c_loc(values)
    call free_bytes(address, status)
    if (.not. c_associated(address)) values => null()
  end subroutine free_integers
end module tutti_memory
