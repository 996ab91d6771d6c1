#!/usr/bin/env python3
"""How far releases of the simulated survey are from the truth.

    docs/scripts/survey_coverage.py RELEASES [RELEASE OPTION...]

Releases the survey RELEASES times, at (1, 0.001)-differential privacy, and
prints how far the predicted curve is from the curve that the survey was
simulated from (root mean square over people and releases), and how often the
95 % intervals hold: those of the curve, and those of the heights. Only a
simulated survey can be scored like this: each release of real data costs
privacy again, and the truth is not known. Needs numpy.
"""

import os
import sys
import tempfile

import numpy as np

import survey_truth as survey

if len(sys.argv) < 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) == 0:
    sys.exit(__doc__)
squares, curve_inside, heights_inside = [], [], []
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "survey.cloak")
    for _ in range(int(sys.argv[1])):
        survey.release(file, sys.argv[2:])
        f, y = survey.predict(file, ["--latent"]), survey.predict(file)
        truth = survey.curve(f["age"])
        squares.append(np.mean((f["mean"] - truth) ** 2))
        curve_inside.append(
            np.mean((f["lower"] <= truth) & (truth <= f["upper"])))
        heights_inside.append(
            np.mean((y["lower"] <= y["height"]) & (y["height"] <= y["upper"])))
print(f"error of the curve        {np.sqrt(np.mean(squares)):.2f} cm")
print(f"intervals of the curve    hold {100 * np.mean(curve_inside):.1f} %")
print(f"intervals of a height     hold {100 * np.mean(heights_inside):.1f} %")
