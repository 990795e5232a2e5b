! SPDX-License-Identifier: BSD-3-Clause
! The conformance suite of iCC in Fortran: every call of both interfaces. Numbers of nodes and of
! this node come from the group interface itself.
module checks
  implicit none
  integer :: me = -1, nodes = 0, wrong = 0
contains
  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    wrong = wrong + 1
    if (wrong <= 10) write (0, *) 'node', me, 'of', nodes, ': ', what
  end subroutine

  elemental integer function value(node, i)
    integer, intent(in) :: node, i
    value = 1 + mod(7 * node + i, 3)
  end function

  ! The number of elements that node r has: some have none.
  elemental integer function part_of(r)
    integer, intent(in) :: r
    part_of = mod(r, 3) * 5 + mod(r, 2)
  end function
end module

! A function of gopf: maps t -> a t + b are composed, so that the order of operands matters.
subroutine compose(x, work)
  integer :: x(2), work(2)
  x(2) = x(2) + x(1) * work(2)
  x(1) = x(1) * work(1)
end subroutine

subroutine simple_interface()
  use checks
  implicit none
  integer, parameter :: n = 500
  integer :: ix(n), iwork(n), ns(0:63), mine, first, total, root, i, filled, map(2), work(2), a(2)
  integer :: own(64), whole(0:2000), wanted(0:2000)
  real :: sx(n), swork(n)
  double precision :: dx(n), dwork(n)
  external :: compose

  call icc_gsync()
  ns(0:nodes-1) = part_of([(i, i = 0, nodes - 1)])
  mine = ns(me)
  first = sum(ns(0:me-1))
  total = sum(ns(0:nodes-1))
  do root = 0, nodes - 1
    ix = value(me, [(i, i = 1, n)])
    call icc_bcast(ix, 4 * (n - 1), root)
    call expect(all(ix(1:n-1) == value(root, [(i, i = 1, n - 1)])), 'bcast')
    call expect(ix(n) == value(me, n), 'beyond the bcast')
    ix = me + 1
    call icc_gisum_one(ix, n, iwork, root)
    call expect(me /= root .or. all(ix == nodes * (nodes + 1) / 2), 'gisum_one')
    dx = me + 1
    call icc_gdhigh_one(dx, n, dwork, root)
    call expect(me /= root .or. all(dx == nodes), 'gdhigh_one')
    sx = me + 1
    call icc_gslow_one(sx, n, swork, root)
    call expect(me /= root .or. all(sx == 1), 'gslow_one')
    dx = 2
    call icc_gdprod_one(dx, n, dwork, root)
    call expect(me /= root .or. all(dx == 2d0**nodes), 'gdprod_one')
    wanted = [(3 * i + root, i = 0, 2000)]
    own = -1
    call icc_scatter(wanted, 4 * ns, own, root)
    call expect(all(own(1:mine) == wanted(first:first+mine-1)) .and. own(mine+1) == -1, 'scatter')
    whole = -1
    call icc_gather(own, 4 * ns, whole, root)
    if (me == root) then
      call expect(all(whole(0:total-1) == wanted(0:total-1)) .and. whole(total) == -1, 'gather')
    end if
  end do

  whole = -1
  call icc_gcolx(own, 4 * ns, whole)
  call expect(all(whole(0:total-1) == wanted(0:total-1)) .and. whole(total) == -1, 'gcolx')
  whole = -1
  call icc_gcol(own, 4 * mine, whole, 8000, filled)
  call expect(filled == 4 * total .and. all(whole(0:total-1) == wanted(0:total-1)), 'gcol')

  ix = me + 1
  call icc_gisum(ix, n, iwork)
  call expect(all(ix == nodes * (nodes + 1) / 2), 'gisum')
  ix = 2
  call icc_giprod(ix, n, iwork)
  call expect(all(ix == 2**nodes), 'giprod')
  ix = me
  call icc_gihigh(ix, n, iwork)
  call expect(all(ix == nodes - 1), 'gihigh')
  ix = me - 5
  call icc_gilow(ix, n, iwork)
  call expect(all(ix == -5), 'gilow')
  sx = me + 1
  call icc_gssum(sx, n, swork)
  call expect(all(sx == nodes * (nodes + 1) / 2), 'gssum')
  sx = 2
  call icc_gsprod(sx, n, swork)
  call expect(all(sx == 2.0**nodes), 'gsprod')
  sx = me
  call icc_gshigh(sx, n, swork)
  call expect(all(sx == nodes - 1), 'gshigh')
  sx = me
  call icc_gslow(sx, n, swork)
  call expect(all(sx == 0), 'gslow')
  dx = me + 0.5d0
  call icc_gdsum(dx, n, dwork)
  call expect(all(dx == nodes * nodes / 2d0), 'gdsum')
  dx = 2
  call icc_gdprod(dx, n, dwork)
  call expect(all(dx == 2d0**nodes), 'gdprod')
  dx = me
  call icc_gdhigh(dx, n, dwork)
  call expect(all(dx == nodes - 1), 'gdhigh')
  dx = me
  call icc_gdlow(dx, n, dwork)
  call expect(all(dx == 0), 'gdlow')
  ix = 6
  if (me == 0) ix = 3
  call icc_giand(ix, n, iwork)
  call expect(all(ix == merge(2, 3, nodes > 1)), 'giand')
  ix = 6
  if (me == 0) ix = 3
  call icc_gior(ix, n, iwork)
  call expect(all(ix == merge(7, 3, nodes > 1)), 'gior')
  ix = 1
  call icc_gixor(ix, n, iwork)
  call expect(all(ix == mod(nodes, 2)), 'gixor')
  ix = merge(0, 1, me == nodes - 1)
  call icc_gland(ix, n, iwork)
  call expect(all(ix == 0), 'gland')
  ix = merge(1, 0, me == nodes - 1)
  call icc_glor(ix, n, iwork)
  call expect(all(ix == 1), 'glor')
  ix = 1
  call icc_glxor(ix, n, iwork)
  call expect(all(ix == mod(nodes, 2)), 'glxor')

  a = [1, 0]
  do i = 0, nodes - 1
    a = [a(1) * (i + 1), a(2) + a(1) * (i - 2)]
  end do
  map = [me + 1, me - 2]
  call icc_gopf(map, 8, work, compose)
  call expect(all(map == a), 'gopf')
end subroutine

! The other combines to one and the distributed combines of all types.
subroutine other_combines()
  use checks
  implicit none
  integer, parameter :: n = 640
  integer :: ns(0:63), mine, last, i
  integer :: ix(n), iy(n)
  real :: sx(n), sy(n)
  double precision :: dx(n), dy(n)

  ns(0:nodes-1) = part_of([(i, i = 0, nodes - 1)])
  mine = ns(me)
  last = nodes - 1
  ix = me + 1; call icc_giprod_one(ix, n, iy, last)
  call expect(me /= last .or. all(ix == product([(i, i = 1, nodes)])), 'giprod_one')
  ix = me; call icc_gihigh_one(ix, n, iy, last)
  call expect(me /= last .or. all(ix == last), 'gihigh_one')
  ix = me; call icc_gilow_one(ix, n, iy, last)
  call expect(me /= last .or. all(ix == 0), 'gilow_one')
  sx = me; call icc_gssum_one(sx, n, sy, last)
  call expect(me /= last .or. all(sx == last * nodes / 2), 'gssum_one')
  sx = 2; call icc_gsprod_one(sx, n, sy, last)
  call expect(me /= last .or. all(sx == 2.0**nodes), 'gsprod_one')
  sx = me; call icc_gshigh_one(sx, n, sy, last)
  call expect(me /= last .or. all(sx == last), 'gshigh_one')
  dx = me; call icc_gdsum_one(dx, n, dy, last)
  call expect(me /= last .or. all(dx == last * nodes / 2), 'gdsum_one')
  dx = me; call icc_gdlow_one(dx, n, dy, last)
  call expect(me /= last .or. all(dx == 0), 'gdlow_one')

  ix = me; iy = -9; call icc_gisum_dist(ix, ns, iy)
  call expect(all(iy(1:mine) == last * nodes / 2) .and. iy(mine+1) == -9, 'gisum_dist')
  ix = 2; call icc_giprod_dist(ix, ns, iy)
  call expect(all(iy(1:mine) == 2**nodes), 'giprod_dist')
  ix = me; call icc_gihigh_dist(ix, ns, iy)
  call expect(all(iy(1:mine) == last), 'gihigh_dist')
  ix = me; call icc_gilow_dist(ix, ns, iy)
  call expect(all(iy(1:mine) == 0), 'gilow_dist')
  sx = me; call icc_gssum_dist(sx, ns, sy)
  call expect(all(sy(1:mine) == last * nodes / 2), 'gssum_dist')
  sx = 2; call icc_gsprod_dist(sx, ns, sy)
  call expect(all(sy(1:mine) == 2.0**nodes), 'gsprod_dist')
  sx = me; call icc_gshigh_dist(sx, ns, sy)
  call expect(all(sy(1:mine) == last), 'gshigh_dist')
  sx = me; call icc_gslow_dist(sx, ns, sy)
  call expect(all(sy(1:mine) == 0), 'gslow_dist')
  dx = me; call icc_gdsum_dist(dx, ns, dy)
  call expect(all(dy(1:mine) == last * nodes / 2), 'gdsum_dist')
  dx = 2; call icc_gdprod_dist(dx, ns, dy)
  call expect(all(dy(1:mine) == 2d0**nodes), 'gdprod_dist')
  dx = me; call icc_gdhigh_dist(dx, ns, dy)
  call expect(all(dy(1:mine) == last), 'gdhigh_dist')
  dx = me; call icc_gdlow_dist(dx, ns, dy)
  call expect(all(dy(1:mine) == 0), 'gdlow_dist')
end subroutine

! All collectives on a communicator in which this process has the rank `rank` of `count`.
subroutine collectives(comm, rank, count)
  use checks
  implicit none
  include 'ficc.h'
  integer :: comm, rank, count, root, r, counts(0:63), places(0:63), mine, total
  integer :: ix(64), iy(64), own(64), whole(0:1000), back(64)
  double precision :: dx(64), dy(64)
  logical :: lx(3), ly(3)

  do r = 0, count - 1
    counts(r) = part_of(r)
    places(r) = sum(counts(0:r-1))
  end do
  mine = counts(rank)
  total = sum(counts(0:count-1))
  call expect(icc_g_barrier(comm) == ICC_G_OK, 'Barrier')
  do root = 0, count - 1
    ix = rank
    call expect(icc_g_bcast(ix, 63, ICC_G_INT_DTYPE, root, comm) == ICC_G_OK, 'Bcast')
    call expect(all(ix(1:63) == root) .and. ix(64) == rank, 'what Bcast brings')
    ix = rank
    call expect(icc_g_reduce(ix, iy, 64, ICC_G_LONG_DTYPE, ICC_G_ISUM, root, comm) == ICC_G_OK, &
                'Reduce')
    call expect(rank /= root .or. all(iy == count * (count - 1) / 2), 'what Reduce brings')
    own(1:mine) = 100 * rank
    whole = -1
    call expect(icc_g_gatherv(own, mine, ICC_G_INT_DTYPE, whole, counts, places, ICC_G_INT_DTYPE, &
                              root, comm) == ICC_G_OK, 'Gatherv')
    do r = 0, count - 1
      call expect(rank /= root .or. all(whole(places(r):places(r)+counts(r)-1) == 100 * r), &
                  'gathered')
    end do
    call expect(whole(merge(total, 0, rank == root)) == -1 , 'beyond what is gathered')
    back = -7
    call expect(icc_g_scatterv(whole, counts, places, ICC_G_INT_DTYPE, back, mine, &
                               ICC_G_INT_DTYPE, root, comm) == ICC_G_OK, 'Scatterv')
    call expect(all(back(1:mine) == 100 * rank) .and. back(mine+1) == -7, 'scattered')
  end do
  whole = -1
  call expect(icc_g_allgatherv(own, mine, ICC_G_INT_DTYPE, whole, counts, places, ICC_G_INT_DTYPE, &
                               comm) == ICC_G_OK, 'Allgatherv')
  do r = 0, count - 1
    call expect(all(whole(places(r):places(r)+counts(r)-1) == 100 * r), 'collected')
  end do
  dx = rank
  call expect(icc_g_allreduce(dx, dy, 64, ICC_G_DOUBLE_DTYPE, ICC_G_DMAX, comm) == ICC_G_OK, &
              'Allreduce')
  call expect(all(dy == count - 1), 'what Allreduce brings')
  lx = [.true., .false., rank == 0]
  call expect(icc_g_allreduce(lx, ly, 3, ICC_G_LOGICAL_DTYPE, ICC_G_LOR, comm) == ICC_G_OK, 'LOR')
  call expect(ly(1) .and. .not. ly(2) .and. ly(3), 'what LOR brings')
  call expect(icc_g_allreduce(lx, ly, 3, ICC_G_LOGICAL_DTYPE, ICC_G_LAND, comm) == ICC_G_OK, 'LAND')
  call expect(ly(1) .and. .not. ly(2) .and. (ly(3) .eqv. count == 1), 'what LAND brings')
  ix = rank
  iy = -7
  call expect(icc_g_reduce_scatter(ix, iy, counts, ICC_G_INT_DTYPE, ICC_G_IMAX, comm) == ICC_G_OK, &
              'Reduce_scatter')
  call expect(all(iy(1:mine) == count - 1) .and. iy(mine+1) == -7, 'what Reduce_scatter brings')
end subroutine

subroutine group_interface()
  use checks
  implicit none
  include 'ficc.h'
  integer :: everyone, some, comm, i, listed(64), x(1)

  call collectives(ICC_G_COMM_WORLD, me, nodes)
  call collectives(ICC_G_COMM_SELF, 0, 1)
  call expect(icc_g_comm_group(ICC_G_COMM_WORLD, everyone) == ICC_G_OK, 'Comm_group')
  listed = [(nodes - i, i = 1, 64)]
  call expect(icc_g_group_incl(everyone, nodes, listed, some) == ICC_G_OK, 'Group_incl')
  call expect(icc_g_comm_create(ICC_G_COMM_WORLD, some, comm) == ICC_G_OK, 'Comm_create')
  call collectives(comm, nodes - 1 - me, nodes)
  call expect(icc_g_comm_free(comm) == ICC_G_OK .and. comm == ICC_G_COMM_NULL, 'Comm_free')
  call expect(icc_g_group_free(some) == ICC_G_OK .and. some == ICC_G_GROUP_NULL, 'Group_free')
  listed(1) = nodes - 1
  call expect(icc_g_group_incl(everyone, 1, listed, some) == ICC_G_OK, 'Group_incl of one')
  call expect(icc_g_comm_create(ICC_G_COMM_WORLD, some, comm) == ICC_G_OK, 'Comm_create for one')
  call expect((comm /= ICC_G_COMM_NULL) .eqv. (me == nodes - 1), 'Comm_create gives members one')

  call expect(icc_g_barrier(ICC_G_COMM_NULL) == ICC_G_ERROR_COMM_NULL, 'no communicator')
  call expect(icc_g_barrier(99) == ICC_G_ERROR_COMM_NULL, 'unknown communicator')
  call expect(icc_g_comm_free(99) == ICC_G_ERROR_COMM_NULL, 'unknown communicator to free')
  x(1) = -1
  call expect(icc_g_group_incl(everyone, 1, x, some) == ICC_G_ERROR_MYPOS, 'unknown rank')
  call expect(icc_g_group_incl(everyone, 0, x, some) == ICC_G_ERROR_GROUP_EMPTY, 'empty group')
  call expect(icc_g_bcast(x, 1, ICC_G_INT_DTYPE, nodes, ICC_G_COMM_WORLD) == ICC_G_ERROR_ROOT, &
              'root')
  call expect(icc_g_bcast(x, 1, 77, 0, ICC_G_COMM_WORLD) == ICC_G_ERROR_DATATYPE_NULL, 'type')
  call expect(icc_g_allreduce(x, x, 1, ICC_G_INT_DTYPE, ICC_G_DSUM, ICC_G_COMM_WORLD) == &
              ICC_G_ERROR_DATATYPE_MISMATCH, 'operator')
  call expect(icc_g_allreduce(x, x, 1, ICC_G_INT_DTYPE, 0, ICC_G_COMM_WORLD) == &
              ICC_G_ERROR_OP_NULL, 'no operator')
end subroutine

program suite
  use checks
  implicit none
  include 'ficc.h'
  integer :: work, mine, filled, i, ones(64), all(64)

  call icc_initialize()
  call icc_work_init(1000)
  call expect(icc_g_barrier(ICC_G_COMM_WORLD) == ICC_G_ERROR_NO_INITIALIZATION, 'too early')
  call expect(icc_g_group_init() == ICC_G_OK, 'Group_init')
  nodes = 1
  call icc_gisum(nodes, 1, work)
  ! This node's number: a scatter of the numbers.
  all = [(i, i = 0, 63)]
  ones = 4
  call icc_scatter(all, ones, me, 0)
  call simple_interface()
  call other_combines()
  call group_interface()
  mine = wrong
  call icc_gisum(mine, 1, work)
  if (me == 0 .and. mine == 0) write (*, '(i0, a)') nodes, ' nodes conform'
  if (mine /= 0) stop 1
end program
