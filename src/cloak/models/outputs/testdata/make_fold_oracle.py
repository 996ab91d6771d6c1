"""Residuals of rows held out, by scikit-learn's GaussianProcessRegressor fitted
to each unit vector in turn, for linear_prediction_test.cc: the norm of each
column of T, and |T z|. Needs Debian's python3-sklearn.

The values are printed as C++ for the test."""
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, RBF

x = np.array([0.0, 0.7, 1.1, 2.5, 3.0, 4.2, 6.0, 6.1])[:, None]
z = np.array([1.0, -2.0, 0.5, 3.0, -1.5, 2.0, 0.0, -3.0])
folds = [[0, 3, 6], [1, 4, 7], [2, 5]]
kernel = ConstantKernel(4, "fixed") + ConstantKernel(2, "fixed") * RBF(1.5, "fixed")
T = -np.eye(8)
for held_out in folds:
    rest = [i for i in range(8) if i not in held_out]
    for column, row in enumerate(rest):
        gp = GaussianProcessRegressor(kernel, alpha=0.3, optimizer=None)
        gp.fit(x[rest], np.eye(len(rest))[column])
        T[held_out, row] = gp.predict(x[held_out])
print(", ".join(repr(float(norm)) for norm in np.linalg.norm(T, axis=0)))
print(repr(float(np.linalg.norm(T @ z))))
