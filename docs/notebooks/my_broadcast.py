import tutti


@tutti.generator("bcast", rounds=lambda shape: shape.p // 2)
def both_ways(r, shape, me, t):
    """The data travel along both halves of a ring."""
    p = shape.p
    place = (me - shape.root) % p  # how far behind the root
    if place == t:
        r.send(r.output(0), to=(me + 1) % p)
    if place == t + 1:
        r.receive(r.output(0), source=(me - 1) % p)
    if 2 * (t + 1) == p:  # both ways would end at the same rank
        return
    if place == -t % p:
        r.send(r.output(0), to=(me - 1) % p)
    if place == (-t - 1) % p:
        r.receive(r.output(0), source=(me + 1) % p)
