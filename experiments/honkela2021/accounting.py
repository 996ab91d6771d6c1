"""Privacy of DP-SGD when neighbours differ by the substitution of one row.

A step publishes S + N(0, (sigma C)^2 I), where S is the sum of the gradients,
clipped to norm C, of the rows in a Poisson sample: each row is in it with
probability q. Take C = 1, the row u in one data set and v in the other, and
the rest of the sample as given: the step publishes a draw of

    P = (1 - q) N(0) + q N(u)    or    Q = (1 - q) N(0) + q N(v).

The pair u = 1, v = -1 on a line has the largest hockey-stick divergence
H_a(P | Q) = integral of (P - a Q)+ for every a >= 1. With N(u) as the measure,

    H_a = E (q - (a - 1)(1 - q) N(0)/N(u) - a q N(v)/N(u))+,

a convex function of a sum, with weights that are not negative, of two
log-normal variables of mean one. By Kahane's convexity inequality (1985) its
expectation grows with each entry of the covariance of their logarithms, which
is, over sigma^2,

    |u|^2 <= 1,    |v - u|^2 <= 4,    u.(u - v) <= 2:

all three are largest at v = -u, |u| = 1. Both sides are alike, and a < 1
follows from the other side. So this pair dominates each step, whatever came
before, and the product of its copies dominates all of them (Zhu, Dong and
Wang 2022): its privacy loss distribution can be convolved.
(Without replacement a step is worse: the row that leaves lets another in.)

The convolution is by FFT (Koskela, Jalko and Honkela 2020), of losses on a grid
that dominate the true ones; what may wrap around is bounded and added. So delta
is an upper bound but for the rounding of double precision, about 1e-12, which
does not matter at delta = 1e-4.
"""

import functools

import numpy as np
from scipy.stats import norm


def place_of_loss(loss, q, sigma):
    """Where log(P/Q) of the worst pair has this value; it grows with x."""
    # (1-q + c w) / (1-q + c/w) = e^loss with w = e^(x / sigma^2): quadratic.
    log_c = np.log(q) - 0.5 / sigma**2
    half = 0.5 * (1 - q) * np.exp(np.abs(loss) / -2) * np.expm1(np.abs(loss))
    # In units of e^(loss/2): w = h + sqrt(h^2 + c^2) over c, h of loss' sign.
    return 0.5 * loss * sigma**2 + sigma**2 * np.sign(loss) * np.arcsinh(
        half * np.exp(-log_c)
    )


def step_distribution(q, sigma, width):
    """Masses under P of the loss of a step, at width * (first + k)."""

    def cdf(x):
        return (1 - q) * norm.cdf(x / sigma) + q * norm.cdf((x - 1) / sigma)

    # Beyond 14 sigma there is a mass of 1e-44.
    end = 14 * sigma + 1
    with np.errstate(divide="ignore"):
        loss, gain = np.logaddexp(
            np.log1p(-q), np.log(q) + (np.array([1, -1]) * end - 0.5) / sigma**2
        )
    last = int(np.ceil((loss - gain) / width))
    losses = width * np.arange(-last, last + 1)
    edges = place_of_loss(losses, q, sigma)
    # P and Q are mirror images. Differences of whichever tail is the smaller.
    below, above = cdf(edges), 1 - cdf(edges)
    above[edges > 0] = (
        (1 - q) * norm.sf(edges / sigma) + q * norm.sf((edges - 1) / sigma)
    )[edges > 0]
    p = np.where(edges[1:] <= 0, np.diff(below), -np.diff(above))
    r = p[::-1]
    # The mass between two losses goes to both of them, so that neither P nor Q
    # has more or less in all (Doroshenko et al. 2022).
    to_left = (r - p * np.exp(-losses[1:])) / (np.exp(-losses[1:]) * np.expm1(width))
    to_left = np.clip(to_left, 0, p)
    mass = np.zeros(len(losses))
    mass[:-1] = to_left
    mass[1:] += p - to_left
    mass[0] += below[0]
    return -last, mass


def delta_of(epsilon, q, sigma, steps, points=1 << 16):
    """An upper bound on delta at epsilon of all steps."""

    def log_moment(t, first, mass, width):
        with np.errstate(divide="ignore"):
            logs = np.log(mass)
        return np.logaddexp.reduce(logs + t * width * (first + np.arange(len(mass))))

    # Chernoff: sums of losses above `reach` have a mass of less than 1e-10.
    orders = np.geomspace(0.1, 300, 30)
    coarse = 1 / (10 * sigma)
    first, mass = step_distribution(q, sigma, coarse)
    reach = min((steps * log_moment(t, first, mass, coarse) + 25) / t for t in orders)
    reach = 1.1 * max(reach, epsilon)
    width = 2 * reach / points
    first, mass = step_distribution(q, sigma, width)
    tail = min(
        steps * log_moment(t, first, mass, width) - t * (reach - width) for t in orders
    )
    index = first + np.arange(len(mass))
    folded = np.bincount(index % points, mass, points)
    total = np.fft.irfft(np.fft.rfft(folded) ** steps, points)
    # The upper half of the indices are losses below zero.
    sums = width * np.arange(points // 2)
    over = sums > epsilon
    delta = np.maximum(total[: points // 2][over], 0) @ -np.expm1(epsilon - sums[over])
    return delta + np.exp(min(tail, 0))


@functools.lru_cache(maxsize=None)
def sigma_for(epsilon, delta, q, steps):
    """The least noise, to a thousandth, that keeps (epsilon, delta)."""
    low, high = 0.2, 0.4
    while delta_of(epsilon, q, high, steps) > delta:
        low, high = high, 2 * high
    while high / low > 1.001:
        middle = np.sqrt(low * high)
        if delta_of(epsilon, q, middle, steps) > delta:
            low = middle
        else:
            high = middle
    return high


def gaussian_delta(epsilon, mu):
    """Balle and Wang 2018: the exact delta of the Gaussian mechanism."""
    return norm.cdf(mu / 2 - epsilon / mu) - np.exp(epsilon) * norm.cdf(
        -mu / 2 - epsilon / mu
    )


def check_bound(bound, exact):
    assert exact <= bound * (1 + 1e-6) + 1e-12, (bound, exact)
    assert bound <= 1.02 * exact + 1e-9, (bound, exact)


def check():
    """Against closed forms and quadrature: all but equal, and never below."""
    for epsilon, sigma, steps in [(0.3, 40, 10), (1, 10, 4), (3, 30, 100), (10, 1, 1)]:
        exact = gaussian_delta(epsilon, 2 * np.sqrt(steps) / sigma)
        check_bound(delta_of(epsilon, 1.0, sigma, steps), exact)
    for epsilon, q, sigma in [(0.1, 0.1, 2.0), (1, 0.3, 0.8), (0.5, 0.01, 0.7)]:
        x = np.linspace(-20 * sigma - 1, 20 * sigma + 1, 2_000_001)
        middle = (1 - q) * norm.pdf(x, 0, sigma)
        p, r = middle + q * norm.pdf(x, 1, sigma), middle + q * norm.pdf(x, -1, sigma)
        exact = np.maximum(p - np.exp(epsilon) * r, 0).sum() * (x[1] - x[0])
        check_bound(delta_of(epsilon, q, sigma, 1), exact)
    # Kahane's inequality in the plane: no pair of directions is worse.
    rng = np.random.default_rng(1)
    z = rng.standard_normal((400_000, 2))
    q, sigma, a = 0.3, 0.8, 2.0

    def divergence(u, v):
        def ratio(w):
            return np.exp(((z * sigma + u) @ (w - u) - (w @ w - u @ u) / 2) / sigma**2)

        gain = q - (a - 1) * (1 - q) * ratio(np.zeros(2)) - a * q * ratio(v)
        return np.maximum(gain, 0).mean()

    u = np.array([1.0, 0.0])
    worst = divergence(u, -u)
    for angle in np.linspace(0, np.pi, 13)[:-1]:
        v = np.array([np.cos(angle), np.sin(angle)])
        assert divergence(u, v) < worst, angle


if __name__ == "__main__":
    check()
    print("accounting agrees with closed forms")
