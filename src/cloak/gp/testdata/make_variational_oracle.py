#!/usr/bin/env python3
"""Writes variational_oracle.json: the posterior of Honkela and Melkas (2021)
from given noisy sums A and B, by their equations (12) to (18) read literally,
with the double sum over E_ij of (17) as it stands.

Cases: little noise; much noise, where S exceeds the prior; and a B so noisy
that K + B/s2 alone is not positive definite.

Needs Debian's python3-numpy. Run it by hand; the tests read the result.
"""
import json
import os

import numpy as np

VARIANCE, LENGTHSCALE, RHO = 1.5, 0.8, 0.01


def kernel(a, b):
    return VARIANCE * np.exp(-0.5 * ((a[:, None] - b[None, :]) / LENGTHSCALE)**2)


def posterior(z, a, b, s2, sa, sb):
    d = len(z)
    k = kernel(z, z)
    lam = sb / s2 * np.sqrt(d * np.log(2 * d**2 / RHO)) * (d + 1) / (2 * d)
    sigma = np.linalg.inv(k + b / s2 + lam * np.eye(d))
    m = k @ sigma @ a / s2
    s21 = sa**2 / s2**2 * k @ sigma @ sigma @ k
    atilde = sigma @ np.outer(a, a) @ sigma

    def unit(i, j):
        e = np.zeros((d, d))
        e[i, j] = 1
        return e

    s22 = np.zeros((d, d))
    for i in range(d):
        s22 += (s2**-4 * sb**2 * k @ sigma @ unit(i, i) @ atilde @ unit(i, i)
                @ sigma @ k)
        for j in range(i + 1, d):
            s22 += s2**-4 * sb**2 / 2 * (
                k @ sigma @ unit(i, j) @ atilde @ unit(j, i) @ sigma @ k
                + k @ sigma @ unit(j, i) @ atilde @ unit(i, j) @ sigma @ k)
    return m, k @ sigma @ k + s21 + s22


def main():
    random = np.random.default_rng(20210717)
    z = np.array([-2.0, -1.1, 0.1, 0.9, 2.2])
    x = random.uniform(-2.5, 2.5, 300)
    s2 = 0.3
    y = np.sin(2 * x) + np.sqrt(s2) * random.normal(size=300)
    kzx = kernel(z, x)
    cases = []
    for sa, sb in [(0.02, 0.01), (8.0, 4.0), (30.0, 60.0)]:
        noise = random.normal(size=(5, 5)) * sb / np.sqrt(2)
        e = np.triu(noise, 1)
        e = e + e.T + np.diag(np.sqrt(2) * np.diag(noise))
        a = np.round(kzx @ y + sa * random.normal(size=5), 9)
        b = np.round(kzx @ kzx.T + e, 9)
        m, s = posterior(z, a, b, s2, sa, sb)
        cases.append({"A": a[:, None], "B": b, "a_sd": sa, "b_sd": sb,
                      "mean": m[:, None], "covariance": s})
    oracle = {"Z": z[:, None], "variance": VARIANCE,
              "lengthscale": LENGTHSCALE, "rho": RHO, "noise_variance": s2,
              "cases": cases}
    directory = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(directory, "variational_oracle.json"), "w") as out:
        json.dump(oracle, out, indent=1, default=lambda array: array.tolist())
        out.write("\n")


if __name__ == "__main__":
    main()
