#!/usr/bin/python3
"""Writes oracle.json: covariance matrices to test Cloak's kernels against.

Written from the textbook formulas with numpy alone, one entry at a time, and
without looking at the C++. Run it in this directory:

    /usr/bin/python3 make_oracle.py
"""
import json
import math
import os

import numpy as np


def scaled_distance(x, y, lengthscale):
    return math.sqrt(math.fsum(((x - y) / np.asarray(lengthscale)) ** 2))


def eq(variance, lengthscale):
    return lambda x, y: variance * math.exp(
        -scaled_distance(x, y, lengthscale) ** 2 / 2)


def matern(nu, variance, lengthscale):
    def k(x, y):
        r = scaled_distance(x, y, lengthscale)
        if nu == 0.5:
            return variance * math.exp(-r)
        a = math.sqrt(2 * nu) * r
        polynomial = 1 + a if nu == 1.5 else 1 + a + a * a / 3
        return variance * polynomial * math.exp(-a)
    return k


def rq(variance, lengthscale, alpha):
    return lambda x, y: variance * (
        1 + scaled_distance(x, y, lengthscale) ** 2 / (2 * alpha)) ** -alpha


def periodic(variance, lengthscale, period):
    lengthscale = np.asarray(lengthscale) * np.ones(2)
    period = np.asarray(period) * np.ones(2)
    return lambda x, y: variance * math.exp(-2 * math.fsum(
        (math.sin(math.pi * (x[j] - y[j]) / period[j]) / lengthscale[j]) ** 2
        for j in range(2)))


def linear(variance):
    return lambda x, y: math.fsum(np.asarray(variance) * x * y)


def bias(variance):
    return lambda x, y: variance


def gibbs(variance, longest, count, bandwidth, neighbourhood, scale, centres,
          weights):
    scale = np.asarray(scale) * np.ones(2)

    def density(u):
        return math.fsum(
            w / (2 * math.pi * bandwidth ** 2) * math.exp(
                -((u - np.asarray(c) / scale) ** 2).sum() / 2 / bandwidth ** 2)
            for c, w in zip(centres, weights))

    def radius(x):
        steps = [np.zeros(2)] + [s * neighbourhood * e for e in np.eye(2)
                                 for s in (-1, -0.5, 0.5, 1)]
        rho = min(density(x / scale + step) for step in steps)
        return 1 / (1 / longest + math.sqrt(rho / count))

    def k(x, y):
        product = variance
        exponent = 0
        for j in range(2):
            r, s = scale[j] * radius(x), scale[j] * radius(y)
            product *= math.sqrt(2 * r * s / (r * r + s * s))
            exponent += (x[j] - y[j]) ** 2 / (r * r + s * s)
        return product * math.exp(-exponent)
    return k


def bins(variance, lower, upper, count):
    edges = [np.linspace(lower[j], upper[j], count[j] + 1)[1:-1]
             for j in range(2)]

    def cell(x):
        return [int((x[j] >= edges[j]).sum()) for j in range(2)]
    return lambda x, y: variance * (cell(x) == cell(y))


def add(*parts):
    return lambda x, y: math.fsum(k(x, y) for k in parts)


def multiply(*parts):
    return lambda x, y: math.prod(k(x, y) for k in parts)


CASES = {
    "eq(variance=600, lengthscale=[15, 3])": eq(600, [15, 3]),
    "eq(lengthscale=0.7)": eq(1, 0.7),
    "matern12(variance=2, lengthscale=[1.5, 4])": matern(0.5, 2, [1.5, 4]),
    "matern32(variance=0.25, lengthscale=2)": matern(1.5, 0.25, 2),
    "matern52(variance=3, lengthscale=[2, 0.5])": matern(2.5, 3, [2, 0.5]),
    "rq(variance=1.5, lengthscale=[2, 1], alpha=0.3)": rq(1.5, [2, 1], 0.3),
    "periodic(variance=2, lengthscale=[1, 2], period=[3, 0.5])":
        periodic(2, [1, 2], [3, 0.5]),
    "periodic(lengthscale=0.8, period=7)": periodic(1, 0.8, 7),
    "linear(2.5)": linear(2.5),
    "linear([0.5, 4])": linear([0.5, 4]),
    "gibbs(3, longest=2, count=4, bandwidth=1.5, neighbourhood=0.8, "
    "scale=[2, 0.5], centres=[0, 1, -3, 2.5, 4, -1], weights=[10, 3, 0.5])":
        gibbs(3, 2, 4, 1.5, 0.8, [2, 0.5], [[0, 1], [-3, 2.5], [4, -1]],
              [10, 3, 0.5]),
    "gibbs(longest=50, count=0.01, bandwidth=3, neighbourhood=0, "
    "centres=[2, 1, -2, -1])":
        gibbs(1, 50, 0.01, 3, 0, 1, [[2, 1], [-2, -1]], [1, 1]),
    "bins(5, lower=[-4, -2], upper=[2, 3], count=[3, 2])":
        bins(5, [-4, -2], [2, 3], [3, 2]),
    "bias(1000) + eq(600, lengthscale=15)": add(bias(1000), eq(600, 15)),
    "(linear(0.5) + bias(2)) * matern32(lengthscale=3) + rq(alpha=2)":
        add(multiply(add(linear(0.5), bias(2)), matern(1.5, 1, 3)),
            rq(1, 1, 2)),
    "eq(2, lengthscale=4) * periodic(period=2) * bias(0.1)":
        multiply(eq(2, 4), periodic(1, 1, 2), bias(0.1)),
}


def main():
    random = np.random.default_rng(20240607)
    X = np.round(random.normal(scale=3, size=(7, 2)), 3)
    X[4] = X[1]
    cases = [{"kernel": text,
              "K": [[float(k(x, y)) for y in X] for x in X]}
             for text, k in CASES.items()]
    directory = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(directory, "oracle.json"), "w") as out:
        json.dump({"X": X.tolist(), "cases": cases}, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
