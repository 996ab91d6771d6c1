"""E[pi(f)], E[pi'(f)] for f ~ N(mean, variance), by adaptive quadrature in 40
digits, for logistic_test.cc. Needs Debian's python3-mpmath.

The values are printed as C++ for the test."""
from mpmath import exp, inf, mp, mpf, pi, quad, sqrt

mp.dps = 40
for mean, variance in ((0, 1), (1.5, 0.25), (-3, 9), (2, 400), (-40, 1),
                       (-60, 100), (0.1, 1e-6), (5, 3e4)):
    m, sd = mpf(mean), sqrt(mpf(variance))
    places = sorted({-inf, -sd, -1 / sd, mpf(0), 1 / sd, sd, -m / sd, inf})
    density = lambda z: exp(-z * z / 2) / sqrt(2 * pi)
    link = lambda z: 1 / (1 + exp(-(m + sd * z)))
    probability = quad(lambda z: density(z) * link(z), places)
    slope = quad(lambda z: density(z) * link(z) * (1 - link(z)), places)
    print(f"{{{mean}, {variance}, {mp.nstr(probability, 17)}, "
          f"{mp.nstr(slope, 17)}}},")
