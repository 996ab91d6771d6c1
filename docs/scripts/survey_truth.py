"""The simulated survey (examples/survey) and the growth curve it was made from."""

import csv
import io
import subprocess

import numpy as np

CLOAK = "build/cloak"
SURVEY = "examples/survey/simulated_heights.csv"
PROMISE = ["--inputs", "age", "--output", "height", "--bounds", "60:200",
           "--protect", "outputs", "--epsilon", "1", "--delta", "1e-3"]

# As in examples/survey/make_survey.cc: straight lines between these.
AGES = [0.5, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 45, 80]
HEIGHTS = [67, 75, 87, 102, 116, 128, 138, 150, 161, 167, 169.5, 170, 170, 165]


def release(file, options=()):
    subprocess.run([CLOAK, "release", SURVEY, *PROMISE, "--quiet", *options,
                    "--overwrite", "-o", file], check=True)


def predict(file, options=()):
    """The columns of the predictions at the ages of the survey, by name."""
    text = subprocess.run([CLOAK, "predict", file, SURVEY, *options],
                          check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([float(row[name]) for row in rows])
            for name in rows[0]}


def curve(ages):
    return np.interp(ages, AGES, HEIGHTS)
