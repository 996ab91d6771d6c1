#!/usr/bin/env python3
"""Draws docs/images/functions.svg: errors of functions as releases.

    docs/scripts/draw_functions.py FIGURES.csv

takes what `dandekar … --csv` printed (experiments/dandekar2019/expected.csv).
"""

import csv
import sys

import line_panels

LINES = {"as published": ("published", "published"),
         "each answer, Laplace": ("another", "Laplace per answer"),
         "each answer, Gaussian": ("other", "Gaussian per answer"),
         "cloak, functional": ("second", "Cloak, functional"),
         "cloak": ("optimal", "Cloak"),
         "no privacy": ("floor", "no privacy")}
# Section, words of the scenario, measure, what the axis is, title, labels.
PANELS = [
    ("histogram", "figure=1", "RMSE", "queries",
     "Histogram of 5000 ages, (0.4, 0.001)", "number of queries", "RMSE"),
    ("density", "figure=1", "RMSE", "queries",
     "Kernel density of 5000 ages, (0.4, 0.001)", "number of queries", "RMSE"),
    ("regression", "hours figure=2", "RMSE", "epsilon",
     "Hours of work, 2000 rows, δ = 0.001", "ε", "RMSE, hours"),
    ("svm", "virginica", "error", "epsilon",
     "Machine of versicolor and virginica, 80 rows", "ε", "error"),
]


def lines(rows, section, words, measure, axis):
    found = {}
    for row in rows:
        if (row["section"] == section and row["measure"] == measure
                and words in row["scenario"] and row["method"] in LINES):
            values = dict(part.split("=") for part in row["scenario"].split()
                          if "=" in part)
            place = float(row["epsilon"] if axis == "epsilon" else values[axis])
            found.setdefault(row["method"], []).append(
                (place, float(row["mean"])))
    # The least error of any cost.
    levels = [float(row["mean"]) for row in rows
              if row["section"] == section and words in row["scenario"]
              and row["method"].startswith("no privacy, cost")]
    if levels:
        found["no privacy"] = [(None, min(levels))]
    return [(LINES[method][0], found[method]) for method in LINES
            if method in found]


if len(sys.argv) != 2:
    sys.exit(__doc__)
with open(sys.argv[1]) as file:
    all_rows = list(csv.DictReader(file))
parts = [line_panels.panel(lines(all_rows, *PANELS[i][:4]),
                           i % 2 * line_panels.WIDTH,
                           i // 2 * line_panels.HEIGHT, *PANELS[i][4:])
         for i in range(len(PANELS))]
parts.append(line_panels.legend(LINES.values(), 2 * line_panels.HEIGHT))
line_panels.write("functions.svg",
                  "Errors against the number of queries and epsilon, all axes "
                  "logarithmic", parts, rows=2)
