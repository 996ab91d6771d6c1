#!/usr/bin/python3
"""Writes box_oracle.json: covariances of means over boxes, to test against.

By numerical integration of exp(-(s - t)^2/2) over intervals with mpmath, 40
digits, without the closed form. Run it in this directory:

    /usr/bin/python3 make_box_oracle.py
"""
import json
import os

from mpmath import exp, mp, mpf, quad

mp.dps = 40


def breakpoints(low, high, around):
    """Where the integrand changes on its own scale of 1."""
    inner = sorted({mpf(a) + step for a in around for step in range(-12, 13, 3)})
    return [low] + [p for p in inner if low < p < high] + [high]


def mean_over(low, high, f, around):
    if low == high:
        return f(low)
    return quad(f, breakpoints(low, high, around)) / (high - low)


def mean(a, b, c, d, lengthscale):
    a, b, c, d = (mpf(v) / mpf(lengthscale) for v in (a, b, c, d))
    return mean_over(
        a, b, lambda s: mean_over(c, d, lambda t: exp(-(s - t) ** 2 / 2), [s]),
        [c, d])


INTERVALS = [
    # a, b, c, d, lengthscale
    (0, 1, 0, 1, 1), (0, 1, 0, 1, 10), (0, 1, 0, 1, 1000), (0, 1, 0, 1, 1e-2),
    (0, 1, 1, 2, 0.5), (0, 1, 3, 3.5, 0.7), (0, 1, 0.25, 0.25, 0.3),
    (0.25, 0.25, 0.25, 0.25, 2), (0, 1, 0.5, 0.5, 100), (0, 1e-6, 1, 1.5, 1),
    (0, 1e-9, 0, 1e-9, 1), (0, 5, 1, 2, 1), (0, 5, 4.5, 7, 1), (0, 5, 8, 11, 1),
    (0, 2, 14, 17, 1), (0, 0.99, 0, 1.01, 1), (0, 1.01, 0, 1.01, 1),
    (0, 100, 40, 41, 3), (-3, 50, 49.9, 50.1, 1), (-1000, 1000, -7, 2000, 1.5),
    (0, 1, 20, 21, 1), (1e6, 1e6 + 1, 1e6 + 2, 1e6 + 4, 3),
]


def main():
    cases = [{"interval": [a, b], "other": [c, d], "lengthscale": l,
              "mean": float(mean(a, b, c, d, l))}
             for a, b, c, d, l in INTERVALS]
    directory = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(directory, "box_oracle.json"), "w") as out:
        json.dump(cases, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
