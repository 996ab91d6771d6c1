#!/usr/bin/env python3
"""Writes oracle.json: linear smoothers by independent implementations.

exact       scikit-learn's GaussianProcessRegressor, a noise variance for each
            row, fitted to each unit vector in turn: its predictions are the
            columns of the cloaking matrix.
fitc, sor   by their definition as processes with another prior (Quinonero-
            Candela and Rasmussen 2005): covariance Q + diag(K - Q), or Q,
            with Q = K_NM K_MM^-1 K_MN, conditioned by dense algebra.
polynomial  numpy's least squares on the design matrix of all monomials.

Needs Debian's python3-sklearn. Run it by hand; the tests read oracle.json.
"""
import itertools
import json
import os

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, RBF

VARIANCE, LENGTHSCALES, BIAS = 1.5, [0.8, 1.7], 2.0


def kernel(a, b):
    d = (a[:, None, :] - b[None, :, :]) / LENGTHSCALES
    return BIAS + VARIANCE * np.exp(-0.5 * (d**2).sum(2))


def exact(x, xs, noise):
    prior = ConstantKernel(BIAS) + ConstantKernel(VARIANCE) * RBF(LENGTHSCALES)
    columns = []
    for i in range(len(x)):
        gp = GaussianProcessRegressor(prior, alpha=noise, optimizer=None)
        gp.fit(x, np.eye(len(x))[i])
        mean, sd = gp.predict(xs, return_std=True)
        columns.append(mean)
    return {"C": np.array(columns).T, "variance": sd**2}


def sparse(x, xs, z, noise, diagonal):
    kmm = kernel(z, z)
    q = lambda a, b: kernel(a, z) @ np.linalg.solve(kmm, kernel(z, b))
    prior = q(x, x)
    if diagonal:
        prior += np.diag(np.diag(kernel(x, x) - prior))
    c = np.linalg.solve(prior + np.diag(noise), q(x, xs)).T
    return {"C": c, "variance": np.diag(kernel(xs, xs) - c @ q(x, xs))}


def polynomial(x, xs, degree, noise):
    def design(a):
        powers = [p for p in itertools.product(range(degree + 1), repeat=2)
                  if sum(p) <= degree]
        return np.array([np.prod(a**p, axis=1) for p in powers]).T
    inverse = np.linalg.pinv(design(x))
    c = design(xs) @ inverse
    return {"C": c, "variance": noise * (c**2).sum(1)}


def main():
    random = np.random.default_rng(20180917)
    x = np.round(random.normal(scale=2, size=(14, 2)), 3)
    xs = np.round(random.normal(scale=2, size=(5, 2)), 3)
    z = np.round(random.normal(scale=2, size=(4, 2)), 3)
    noise = np.round(random.uniform(0.1, 2, size=14), 3)
    oracle = {"X": x, "Xs": xs, "Z": z, "noise": noise[:, None],
              "exact": exact(x, xs, noise),
              "fitc": sparse(x, xs, z, noise, True),
              "sor": sparse(x, xs, z, noise, False),
              "polynomial": polynomial(x, xs, 2, 0.7)}
    directory = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(directory, "oracle.json"), "w") as out:
        json.dump(oracle, out, indent=1, default=lambda array: array.tolist())
        out.write("\n")


if __name__ == "__main__":
    main()
