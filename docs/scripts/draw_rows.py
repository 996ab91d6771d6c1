#!/usr/bin/env python3
"""Draws docs/images/rows.svg: errors against epsilon with whole rows private.

    docs/scripts/draw_rows.py FIGURES.csv…

takes what `honkela function --csv`, `honkela heights --csv` and `dp_sgd.py`
printed (experiments/honkela2021).
"""

import csv
import math
import sys

import line_panels

LINES = {"variational": ("published", "published (variational)"),
         "optimal, all learned": ("optimal", "optimal, all learned"),
         "dp-sgd": ("other", "DP-SGD, tuned on the test rows"),
         "process, no privacy": ("floor", "no privacy")}
PANELS = [("5.1", "RMSE on [-3, 3]", "A simulated curve, 1024 rows", "RMSE"),
          ("5.4", "RMSE, cm", "Heights of 2590 girls by age and weight",
           "RMSE, cm")]


def read(paths):
    points = {}
    for path in paths:
        with open(path) as file:
            for row in csv.DictReader(file):
                # dp_sgd.py has section 5.4 and its error alone.
                key = (row.get("section", "5.4"), row.get("measure", "RMSE, cm"),
                       row["method"])
                epsilon = float(row["epsilon"] or "inf")
                points.setdefault(key, []).append(
                    (epsilon if math.isfinite(epsilon) else None,
                     float(row.get("mean") or row["rmse"])))
    return points


if len(sys.argv) < 2:
    sys.exit(__doc__)
found = read(sys.argv[1:])
panels = [line_panels.panel(
    [(LINES[method][0], found[section, measure, method]) for method in LINES
     if (section, measure, method) in found],
    i * line_panels.WIDTH, 0, title, "ε", label)
    for i, (section, measure, title, label) in enumerate(PANELS)]
line_panels.write("rows.svg", "Errors against epsilon, both axes logarithmic",
                  panels + [line_panels.legend(LINES.values(),
                                               line_panels.HEIGHT)])
