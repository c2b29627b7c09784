"""The analytic centre of linear constraints: the one answer that the paper's program leaves open.

    M x = r in the first rows,   M x <= r in the others,   low <= x <= high

has many answers. Interior-point codes that are given no objective move along the central path,
whose end is then the analytic centre: the point with the largest product of all slacks, of both
bounds of each variable and of each inequality. Here that point is the definition.

The method is Newton's on the conditions of the centre, from a start that need not meet the rows.
With slacks s and prices v of the rows (v > 0 for inequalities), and prices of the bounds:

    M x + s = r,   M'v + above - below = 0,   every slack times its price = 1

A predictor tells how far the rows can be met at once; the corrector that follows closes that much
of the gaps and takes off the predictor's errors of second order (Mehrotra's two steps). Prices are
proofs too: where v'Mx > v'r all over the box, no point meets the rows. So most hopeless problems
end after a few rounds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from linspike._typing import Floats
from linspike.kernels.jit import kernel

CENTRE, NONE = 0, 1

N_VECTORS = 24  # room that a problem needs, in vectors of its size
MOST_ROUNDS = 40
CENTRED = 1e-8  # how near to 1 the products of slacks and prices are in the end
MET = 1e-11  # how well rows are met, relative to the size of their terms
PROOF = 1e-11  # how large a contradiction must be, relative to its terms
LIFT = 1e-14  # smallest pivot, relative to the row's own diagonal
AGREED = 0.1  # a slack this near to what x leaves, relatively, becomes just that
SHARE = 0.98  # of the way to the nearest border
SPREAD = 10.0  # largest product of a slack and its price, and the inverse of the smallest


class Programme(NamedTuple):
    """The constraints; of every array the leading n entries count."""

    matrix: Floats  # (n, n)
    r: Floats
    low: Floats
    high: Floats
    n_equal: int
    n: int


class Centre(NamedTuple):
    """Room for n rows and variables: (n,) but for the last two. d_ are directions."""

    slack: Floats  # of the rows, 0 for equalities
    price: Floats  # of the rows
    below: Floats  # prices of the bounds
    above: Floats
    gap: Floats  # r - M x - slack
    pull: Floats  # M'v
    give: Floats  # how easily a variable moves: inverse curvature of its bounds' logarithms
    e_slack: Floats  # what the products are to change by
    e_below: Floats
    e_above: Floats
    d_x: Floats
    d_slack: Floats
    d_price: Floats
    d_below: Floats
    d_above: Floats
    size: Floats  # of a row's terms
    block: Floats  # (8, n), columns of M
    factor: Floats  # (n, n)


@kernel
def centre_room(v: Floats, factor: Floats) -> Centre:
    """Name the first N_VECTORS rows of v."""
    first = (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7])
    second = (v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15])
    return Centre(*first, *second, v[16:24], factor)


@kernel
def times(matrix: Floats, x: Floats, n: int, out: Floats) -> None:
    """M x, four rows at a time; those after the last are the last again."""
    for i in range(0, n, 4):
        i1, i2, i3 = min(i + 1, n - 1), min(i + 2, n - 1), min(i + 3, n - 1)
        t0, t1, t2, t3 = 0.0, 0.0, 0.0, 0.0
        for k in range(n):
            t0 += matrix[i, k] * x[k]
            t1 += matrix[i1, k] * x[k]
            t2 += matrix[i2, k] * x[k]
            t3 += matrix[i3, k] * x[k]
        out[i], out[i1], out[i2], out[i3] = t0, t1, t2, t3


@kernel
def times_transposed(matrix: Floats, v: Floats, n: int, out: Floats) -> None:
    """M'v, row by row."""
    for k in range(n):
        out[k] = 0.0
    for i in range(n):
        factor = v[i]
        for k in range(n):
            out[k] += factor * matrix[i, k]


@kernel
def fill_normal(matrix: Floats, n_equal: int, c: Centre, n: int) -> None:
    """Lower triangle of M diag(give) M' + diag(slack / price); n^3 / 2.

    Eight columns of M at a time are laid out as rows, so that sums run along memory and keep their
    order: a re-ordered one would round differently in every place it is compiled into.
    """
    normal, b, end = c.factor, c.block, n - 1
    b0, b1, b2, b3, b4, b5, b6, b7 = b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]
    for i in range(n):
        for j in range(i + 1):
            normal[i, j] = 0.0
        if i >= n_equal:
            normal[i, i] = c.slack[i] / c.price[i]
    for k in range(0, n, 8):
        for p in range(8):
            column = min(k + p, end)
            root = math.sqrt(c.give[column]) if column == k + p else 0.0
            for j in range(n):
                b[p, j] = root * matrix[j, column]
        for i in range(n):
            f0, f1, f2, f3 = b0[i], b1[i], b2[i], b3[i]
            f4, f5, f6, f7 = b4[i], b5[i], b6[i], b7[i]
            for j in range(i + 1):
                half = (f0 * b0[j] + f1 * b1[j]) + (f2 * b2[j] + f3 * b3[j])
                rest = (f4 * b4[j] + f5 * b5[j]) + (f6 * b6[j] + f7 * b7[j])
                normal[i, j] += half + rest


@kernel
def finish_row(factor: Floats, k: int, last: int) -> None:
    """Row k of the factor, once the rows after `last` have been taken off it.

    Rows that say nearly the same leave a pivot of rounding errors. It is lifted, and the rest of
    its row dropped: it then stands alone, and the next round mends what it missed.
    """
    own = factor[k, k]
    for p in range(k + 1, last + 1):
        f = factor[p, k]
        for j in range(k + 1):
            factor[k, j] -= f * factor[p, j]
    left = factor[k, k]
    pivot = math.sqrt(max(left, LIFT * own))
    scale = 1.0 / pivot if left > LIFT * own else 0.0
    for j in range(k):
        factor[k, j] *= scale
    factor[k, k] = pivot if pivot > 0.0 else math.inf  # a row that nothing moves has no price


@kernel
def factorise(factor: Floats, n: int) -> None:
    """Put L with L'L = the lower triangle in its place; n^3 / 6.

    From the last row upwards, four at a time: so all inner loops run along memory from 0.
    """
    for last in range(n - 1, -1, -4):
        first = max(last - 3, 0)
        for k in range(last, first - 1, -1):
            finish_row(factor, k, last)
        for i in range(first):  # where there are rows above, the block has all four
            f0, f1 = factor[last, i], factor[last - 1, i]
            f2, f3 = factor[last - 2, i], factor[last - 3, i]
            for j in range(i + 1):
                half = f0 * factor[last, j] + f1 * factor[last - 1, j]
                factor[i, j] -= half + (f2 * factor[last - 2, j] + f3 * factor[last - 3, j])


@kernel
def back_substitute(factor: Floats, x: Floats, n: int) -> None:
    """Solve L'L x = x in place."""
    for i in range(n - 1, -1, -1):
        x[i] /= factor[i, i]
        value = x[i]
        for j in range(i):
            x[j] -= factor[i, j] * value
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= factor[i, j] * x[j]
        x[i] = total / factor[i, i]


@kernel
def begin_in_the_middle(q: Programme, x: Floats, c: Centre) -> bool:
    """Start from the middle of the box; False if the box is empty or has no end."""
    for k in range(q.n):
        low, high = q.low[k], q.high[k]
        if not (low <= high and low > -math.inf and high < math.inf):
            return False
        x[k] = 0.5 * (low + high)
        c.below[k] = 2.0 / (high - low) if high > low else 0.0
        c.above[k] = c.below[k]
    return True


@kernel
def begin_rows(q: Programme, x: Floats, c: Centre) -> bool:
    """First slacks and prices; False if a row alone cannot be met in the box.

    Slacks begin at least as wide as the row's range over the box, so that none presses.
    """
    for i in range(q.n):
        spare, reach, size = q.r[i], 0.0, abs(q.r[i])
        for k in range(q.n):
            spare -= q.matrix[i, k] * x[k]
            reach += abs(q.matrix[i, k]) * 0.5 * (q.high[k] - q.low[k])
            size += abs(q.matrix[i, k]) * max(abs(q.low[k]), abs(q.high[k]))
        c.size[i], c.slack[i], c.price[i] = size, 0.0, 0.0
        if not (size < math.inf and spare + reach >= -MET * size):
            return False
        if i < q.n_equal:
            if spare - reach > MET * size:
                return False
        else:
            c.slack[i] = max(spare, reach)
            if c.slack[i] <= 0.0:
                return False
            c.price[i] = 1.0 / c.slack[i]
    return True


@kernel
def take_stock(q: Programme, x: Floats, c: Centre) -> None:
    """Gaps, pulls and curvatures at x; slacks that all but agree with x become exact."""
    times(q.matrix, x, q.n, c.gap)
    for i in range(q.n):
        left = q.r[i] - c.gap[i]
        c.gap[i] = left - c.slack[i]
        if i >= q.n_equal and abs(c.gap[i]) <= AGREED * c.slack[i]:
            c.slack[i], c.gap[i] = left, 0.0
    times_transposed(q.matrix, c.price, q.n, c.pull)
    for k in range(q.n):
        c.give[k] = 0.0
        if q.high[k] > q.low[k]:
            curvature = c.below[k] / (x[k] - q.low[k]) + c.above[k] / (q.high[k] - x[k])
            c.give[k] = 1.0 / curvature


@kernel
def aim(q: Programme, x: Floats, c: Centre) -> float:
    """What the products have to change by to become 1; returns how far the centre is off."""
    off = 0.0
    for k in range(q.n):
        if c.give[k] > 0.0:
            c.e_below[k] = 1.0 - (x[k] - q.low[k]) * c.below[k]
            c.e_above[k] = 1.0 - (q.high[k] - x[k]) * c.above[k]
            force = abs(c.pull[k] + c.above[k] - c.below[k]) * math.sqrt(c.give[k])
            off = max(off, force, abs(c.e_below[k]), abs(c.e_above[k]))
    for i in range(q.n_equal, q.n):
        c.e_slack[i] = 1.0 - c.slack[i] * c.price[i]
        off = max(off, abs(c.e_slack[i]))
    return off


@kernel
def rows_met(q: Programme, c: Centre) -> bool:
    """Whether x meets the equalities, and the inequalities with room to spare."""
    for i in range(q.n):
        allowed = MET * c.size[i] if i < q.n_equal else 0.0
        if not abs(c.gap[i]) <= allowed:
            return False
    return True


@kernel
def contradicted(q: Programme, c: Centre) -> bool:
    """Whether the prices prove that no point meets all rows: v'Mx > v'r all over the box."""
    least, size = 0.0, 0.0
    for k in range(q.n):
        least += c.pull[k] * (q.low[k] if c.pull[k] > 0.0 else q.high[k])
    for i in range(q.n):
        least -= c.price[i] * q.r[i]
        size += abs(c.price[i]) * c.size[i]
    return least > PROOF * size


@kernel
def find_direction(q: Programme, x: Floats, c: Centre, closing: float) -> None:
    """Newton's direction; it closes this share of the gaps."""
    for k in range(q.n):
        c.d_x[k] = 0.0
        if c.give[k] > 0.0:
            push = c.e_below[k] / (x[k] - q.low[k]) - c.e_above[k] / (q.high[k] - x[k])
            c.d_x[k] = c.give[k] * (push - c.pull[k] - c.above[k] + c.below[k])
    times(q.matrix, c.d_x, q.n, c.d_price)
    for i in range(q.n):
        c.d_price[i] -= closing * c.gap[i]
        if i >= q.n_equal:
            c.d_price[i] += c.e_slack[i] / c.price[i]
    back_substitute(c.factor, c.d_price, q.n)
    times_transposed(q.matrix, c.d_price, q.n, c.d_slack)
    for k in range(q.n):
        if c.give[k] > 0.0:
            c.d_x[k] -= c.give[k] * c.d_slack[k]
            c.d_below[k] = (c.e_below[k] - c.below[k] * c.d_x[k]) / (x[k] - q.low[k])
            c.d_above[k] = (c.e_above[k] + c.above[k] * c.d_x[k]) / (q.high[k] - x[k])
    for i in range(q.n_equal, q.n):
        c.d_slack[i] = (c.e_slack[i] - c.slack[i] * c.d_price[i]) / c.price[i]


@kernel
def correct(q: Programme, c: Centre, share: float) -> None:
    """Take off what the direction adds to the products in second order."""
    for k in range(q.n):
        if c.give[k] > 0.0:
            c.e_below[k] -= share * c.d_x[k] * c.d_below[k]
            c.e_above[k] += share * c.d_x[k] * c.d_above[k]
    for i in range(q.n_equal, q.n):
        c.e_slack[i] -= share * c.d_slack[i] * c.d_price[i]


@kernel
def until_zero(value: float, change: float) -> float:
    """Length of the step that uses up a positive value."""
    return -value / change if change < 0.0 else math.inf


@kernel
def lengths(q: Programme, x: Floats, c: Centre) -> tuple[float, float]:
    """How far slacks, and prices, stay positive along the direction."""
    far, dear = math.inf, math.inf
    for k in range(q.n):
        if c.give[k] > 0.0:
            far = min(far, until_zero(x[k] - q.low[k], c.d_x[k]))
            far = min(far, until_zero(q.high[k] - x[k], -c.d_x[k]))
            dear = min(dear, until_zero(c.below[k], c.d_below[k]))
            dear = min(dear, until_zero(c.above[k], c.d_above[k]))
    for i in range(q.n_equal, q.n):
        far = min(far, until_zero(c.slack[i], c.d_slack[i]))
        dear = min(dear, until_zero(c.price[i], c.d_price[i]))
    return far, dear


@kernel
def kept_near(price: float, slack: float) -> float:
    """The price, or the nearest to it whose product with the slack is not far from 1.

    A slack that fell to a fiftieth while its price stayed would stop every later step at once.
    """
    return min(max(price, 1.0 / (SPREAD * slack)), SPREAD / slack)


@kernel
def move(q: Programme, x: Floats, c: Centre, far: float, dear: float) -> None:
    """Take the step, and mend prices that their slacks have left behind."""
    for k in range(q.n):
        if c.give[k] > 0.0:
            x[k] += far * c.d_x[k]
            c.below[k] = kept_near(c.below[k] + dear * c.d_below[k], x[k] - q.low[k])
            c.above[k] = kept_near(c.above[k] + dear * c.d_above[k], q.high[k] - x[k])
    for i in range(q.n):
        c.price[i] += dear * c.d_price[i]
        if i >= q.n_equal:
            c.slack[i] += far * c.d_slack[i]
            c.price[i] = kept_near(c.price[i], c.slack[i])


@kernel
def take_round(q: Programme, x: Floats, c: Centre) -> None:
    """One predictor and, where it runs into a border, one corrector; n^3 * 2/3."""
    fill_normal(q.matrix, q.n_equal, c, q.n)
    factorise(c.factor, q.n)
    find_direction(q, x, c, 1.0)
    far, dear = lengths(q, x, c)
    reached = min(far, dear)
    if reached < 1.0:
        correct(q, c, reached**2)
        find_direction(q, x, c, 1.0 - (1.0 - reached) ** 3)
        far, dear = lengths(q, x, c)
    move(q, x, c, min(1.0, SHARE * far), min(1.0, SHARE * dear))


@kernel
def analytic_centre(q: Programme, x: Floats, c: Centre) -> int:
    """Put the centre into x and return CENTRE, or return NONE: there is none, or none was found.

    A variable with equal bounds is a constant; infinite bounds have no centre. Where all rows are
    equalities and two of them nearly the same, digits may not suffice. Ten rounds as a rule.
    """
    if not (begin_in_the_middle(q, x, c) and begin_rows(q, x, c)):
        return NONE
    for _ in range(MOST_ROUNDS):
        take_stock(q, x, c)
        if aim(q, x, c) <= CENTRED and rows_met(q, c):
            return CENTRE
        if contradicted(q, c):
            return NONE
        take_round(q, x, c)
    return NONE
