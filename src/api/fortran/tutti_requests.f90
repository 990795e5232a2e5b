! SPDX-License-Identifier: BSD-3-Clause
!
! Requests: operations that are started, and waits for them. A part of the module tutti.
module tutti_requests
  use tutti_types
  use tutti_interface
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
  private
  public :: tutti_start, tutti_wait, tutti_wait_for, tutti_waitall, tutti_waitall_for, &
      tutti_waitany, tutti_waitany_for, tutti_cancel, tutti_test, tutti_request_free

contains

  subroutine tutti_start(request, status)
    type(tutti_request), intent(in) :: request
    integer, intent(out), optional :: status
    call begin
    call finish(c_start(request), status)
  end subroutine tutti_start

  subroutine tutti_wait(request, status)
    type(tutti_request), intent(inout) :: request
    integer, intent(out), optional :: status
    call begin
    call finish(c_wait(request), status)
  end subroutine tutti_wait

  subroutine tutti_waitall(requests, status)
    type(tutti_request), intent(inout), contiguous :: requests(:)
    integer, intent(out), optional :: status
    call begin
    call finish(c_waitall(size(requests, kind=c_int), requests), status)
  end subroutine tutti_waitall

  ! `index` is 1 for the first request, 0 if there is none.
  subroutine tutti_waitany(requests, index, status)
    type(tutti_request), intent(inout), contiguous :: requests(:)
    integer, intent(out) :: index
    integer, intent(out), optional :: status
    integer(c_int) :: code, place
    place = -1
    call begin
    code = c_waitany(size(requests, kind=c_int), requests, place)
    index = place + 1
    call finish(code, status)
  end subroutine tutti_waitany

  subroutine tutti_cancel(request, cancelled, status)
    type(tutti_request), intent(inout) :: request
    logical, intent(out) :: cancelled
    integer, intent(out), optional :: status
    integer(c_int) :: code, flag
    flag = 0
    call begin
    code = c_cancel(request, flag)
    cancelled = flag /= 0
    call finish(code, status)
  end subroutine tutti_cancel

  subroutine tutti_test(request, done, status)
    type(tutti_request), intent(inout) :: request
    logical, intent(out) :: done
    integer, intent(out), optional :: status
    integer(c_int) :: code, flag
    call begin
    code = c_test(request, flag)
    done = flag /= 0
    call finish(code, status)
  end subroutine tutti_test

  subroutine tutti_request_free(request, status)
    type(tutti_request), intent(inout) :: request
    integer, intent(out), optional :: status
    call begin
    call finish(c_request_free(request), status)
  end subroutine tutti_request_free

  ! These wait for at most `seconds`, a negative number for ever. `done` is false if that is not
  ! enough; all requests then stay what they were.
  subroutine tutti_wait_for(request, seconds, done, status)
    type(tutti_request), intent(inout) :: request
    real(c_double), intent(in) :: seconds
    logical, intent(out) :: done
    integer, intent(out), optional :: status
    integer(c_int) :: code
    call begin
    code = c_wait_for(request, seconds)
    done = code == 0
    if (code == would_wait) code = 0
    call finish(code, status)
  end subroutine tutti_wait_for

  subroutine tutti_waitall_for(requests, seconds, done, status)
    type(tutti_request), intent(inout), contiguous :: requests(:)
    real(c_double), intent(in) :: seconds
    logical, intent(out) :: done
    integer, intent(out), optional :: status
    integer(c_int) :: code
    call begin
    code = c_waitall_for(size(requests, kind=c_int), requests, seconds)
    done = code == 0
    if (code == would_wait) code = 0
    call finish(code, status)
  end subroutine tutti_waitall_for

  ! `index` is 1 for the first request, 0 if there is none.
  subroutine tutti_waitany_for(requests, seconds, index, done, status)
    type(tutti_request), intent(inout), contiguous :: requests(:)
    real(c_double), intent(in) :: seconds
    integer, intent(out) :: index
    logical, intent(out) :: done
    integer, intent(out), optional :: status
    integer(c_int) :: code, place
    place = -1
    call begin
    code = c_waitany_for(size(requests, kind=c_int), requests, seconds, place)
    index = place + 1
    done = code == 0
    if (code == would_wait) code = 0
    call finish(code, status)
  end subroutine tutti_waitany_for
end module tutti_requests
