#!/usr/bin/env python3
"""Small noise designs solved by a generic solver, independent of Cloak.

Writes oracle.json beside this file; needs numpy and scipy. Each problem is
solved in a factor of the unknown matrix by SciPy's SLSQP from several starts
(volume, trace) or by L-BFGS on all of G = R'R with R square (bayes); the best
value is kept, and printed with how far the second best start was from it.
"""
import json
import pathlib

import numpy as np
from scipy.optimize import minimize

rng = np.random.default_rng(20181)


def factor(flat, size):
    lower = np.zeros((size, size))
    lower[np.tril_indices(size)] = flat
    return lower


def ellipsoid(c, objective):
    """min objective(L) over X = L L' with c_i' X c_i <= 1 for all columns."""
    size = len(c)

    def slack(flat):
        return 1 - ((factor(flat, size).T @ c) ** 2).sum(0)

    values = []
    for _ in range(8):
        start = factor(rng.standard_normal(size * (size + 1) // 2), size)
        start[np.diag_indices(size)] = 1 + np.abs(np.diag(start))
        start /= np.sqrt(((start.T @ c) ** 2).sum(0).max())
        found = minimize(
            lambda flat: objective(factor(flat, size)),
            start[np.tril_indices(size)], method="SLSQP",
            constraints={"type": "ineq", "fun": slack},
            options={"ftol": 1e-15, "maxiter": 2000})
        # Scaled back into the feasible set, should it be off by rounding.
        best = factor(found.x, size)
        best /= np.sqrt(((best.T @ c) ** 2).sum(0).max())
        values.append(objective(best))
    values.sort()
    print("  second best start:", values[1] - values[0])
    return values[0]


def volume(c):
    # log det M = -log det X
    return ellipsoid(c, lambda l: -2 * np.log(np.abs(np.diag(l))).sum())


def trace(c, weights):
    scale = np.sqrt(weights)[:, None]
    return ellipsoid(scale * c, lambda l: (np.linalg.inv(l) ** 2).sum())


def bayes(phi, d, q, s):
    """min tr(Q S) over R square with unit columns."""
    n = phi.shape[1]
    ky = phi.T @ phi + np.diag(d)
    w = phi.T @ q @ phi

    def objective(flat):
        v = flat.reshape(n, n)
        norm = np.sqrt((v**2).sum(0))
        r = v / norm
        a = np.linalg.inv(r @ ky @ r.T + s * s * np.eye(n))
        b = a @ r @ w
        gradient = 2 * b - 2 * (b @ r.T @ a) @ r @ ky
        gradient = (gradient - r * (r * gradient).sum(0)) / norm
        return np.trace(q) - (b * r).sum(), -gradient.ravel()

    values = []
    for _ in range(8):
        found = minimize(objective, rng.standard_normal(n * n), jac=True,
                         method="L-BFGS-B",
                         options={"maxiter": 20000, "maxfun": 10**6,
                                  "ftol": 1e-16, "gtol": 1e-12})
        values.append(found.fun)
    values.sort()
    print("  second best start:", values[1] - values[0])
    return values[0]


cases = []
for p, n in ((2, 6), (3, 10), (4, 15)):
    c = rng.standard_normal((p, n))
    weights = rng.uniform(0.5, 3, p)
    cases.append({"C": c.tolist(), "weights": weights.tolist(),
                  "volume": volume(c), "trace": trace(c, weights)})
designs = []
for m, n, s in ((2, 5, 1.0), (3, 8, 0.5), (4, 9, 2.0)):
    phi = rng.standard_normal((m, n))
    d = rng.uniform(0.1, 1, n)
    root = rng.standard_normal((m, m))
    q = root @ root.T
    designs.append({"Phi": phi.tolist(), "D": d.tolist(), "Q": q.tolist(),
                    "s": s, "bayes": bayes(phi, d, q, s)})
path = pathlib.Path(__file__).with_name("oracle.json")
path.write_text(json.dumps({"ellipsoids": cases, "bayes": designs}, indent=1)
                + "\n")
