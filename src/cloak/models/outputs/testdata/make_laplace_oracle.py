"""The Laplace approximation by dense algebra, and by scikit-learn to
convergence, for classification_test.cc. Needs Debian's python3-sklearn.

The values are printed as C++ for the test."""
import numpy as np

x = np.array([0.0, 0.7, 1.1, 2.0, 2.4, 3.3, 4.1, 5.0])
y = np.array([-1.0, -1, 1, -1, 1, 1, 1, -1])
xs = np.array([0.5, 2.2, 4.5])
LENGTHSCALE, VARIANCE = 1.3, 2.0


def kernel(a, b):
    return VARIANCE * np.exp(-0.5 * ((a[:, None] - b[None]) / LENGTHSCALE) ** 2)


def newton(f):
    """One step of Rasmussen and Williams 2006, equation 3.18."""
    p = 1 / (1 + np.exp(-f))
    w = p * (1 - p)
    k_inverse = np.linalg.inv(kernel(x, x))
    return np.linalg.solve(k_inverse + np.diag(w), w * f + (y + 1) / 2 - p)


def show(name, values):
    print(name, ", ".join(f"{v:.10f}" for v in values))


f = np.zeros(len(x))
for step in (1, 2):
    f = newton(f)
    show(f"mean after step {step}",
         kernel(xs, x) @ np.linalg.solve(kernel(x, x), f))
show("variance", VARIANCE - np.sum(kernel(xs, x) * np.linalg.solve(
    kernel(x, x) + 4 * np.eye(len(x)), kernel(x, xs)).T, axis=1))

z = np.array([0.5, 2.5, 4.5])
phi = np.linalg.solve(np.linalg.cholesky(kernel(z, z)), kernel(z, x))
k = phi.T @ phi
ks = (np.linalg.solve(np.linalg.cholesky(kernel(z, z)), kernel(z, xs))).T @ phi
show("subset of regressors", ks @ np.linalg.solve(k + 4 * np.eye(len(x)), 2 * y))

try:
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel
    for _ in range(50):
        f = newton(f)
    gpc = GaussianProcessClassifier(
        ConstantKernel(VARIANCE, "fixed") * RBF(LENGTHSCALE, "fixed"),
        optimizer=None, max_iter_predict=200).fit(x[:, None], y)
    show("scikit-learn's mode less ours", gpc.base_estimator_.f_cached - f)
except ImportError:
    print("no scikit-learn here: the mode is not compared")
