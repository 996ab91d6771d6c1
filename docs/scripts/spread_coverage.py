#!/usr/bin/python3
"""Error and coverage of histograms and densities where the truth is known.

    docs/scripts/spread_coverage.py build/cloak [DRAWS]

Needs numpy. Prints the tables of docs/densities.md.
"""
import io
import json
import math
import subprocess
import sys
import tempfile

import numpy as np

CLOAK = sys.argv[1]
DRAWS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
RANGE = (-3.0, 7.0)
FINE = 2000
GRID = RANGE[0] + (np.arange(FINE) + 0.5) * (RANGE[1] - RANGE[0]) / FINE


def normal(mean, sd):
    return np.exp(-0.5 * ((GRID - mean) / sd) ** 2) / sd


def truths():
    """Densities on the fine grid, each with mean 1."""
    spikes = np.where(np.arange(FINE) % 400 < 20, 1.0, 0.0)
    steps = np.repeat(np.random.default_rng(1).gamma(0.5, size=50), FINE // 50)
    all_of_them = {
        "normal": normal(2, math.sqrt(1.3)),
        "two peaks": 0.7 * normal(0, 0.5) + 0.3 * normal(4, 1),
        "exponential": np.exp(-(GRID - RANGE[0]) / 1.5),
        "random steps": steps,
        "spikes": spikes,
    }
    return {name: p / p.mean() for name, p in all_of_them.items()}


def draw(p, rows, random):
    width = (RANGE[1] - RANGE[0]) / FINE
    places = random.choice(FINE, rows, p=p / FINE)
    return GRID[places] + (random.random(rows) - 0.5) * width


def release(x, options, directory):
    table, file = f"{directory}/x.csv", f"{directory}/x.cloak"
    np.savetxt(table, x, header="x", comments="", fmt="%.9g")
    subprocess.run(
        [CLOAK, "release", table, "--protect", "rows", "--inputs", "x",
         "--input-ranges", f"x={RANGE[0]}:{RANGE[1]}", "--quiet",
         "--overwrite", "-o", file] + options, check=True)
    return file


def histogram(p, rows, epsilon, bins, random, directory):
    x = draw(p, rows, random)
    file = release(x, ["--task", "histogram", "--bins", str(bins),
                       "--epsilon", str(epsilon)], directory)
    content = json.load(open(file))
    told = {key: np.array(value) for key, value in content["histogram"].items()
            if key != "axes"}
    noisy = np.array([float(units) for units in content["statistic"]["units"]])
    true = np.histogram(x, bins, RANGE)[0]
    held = ((np.floor(told["lower"]) <= true) & (true <= np.ceil(told["upper"])))
    crowded = true > rows / bins
    return (np.mean((told["count"] - true) ** 2), np.mean((noisy - true) ** 2),
            held.mean(), held[crowded].mean())


def density(p, rows, epsilon, method, random, directory):
    options = ["--task", "density", "--epsilon", str(epsilon)]
    if method == "functional":
        options += ["--method", method, "--delta", "0.001"]
    file = release(draw(p, rows, random), options, directory)
    queries = f"{directory}/q.csv"
    np.savetxt(queries, GRID[::5], header="x", comments="", fmt="%.9g")
    out = subprocess.run([CLOAK, "predict", file, queries], check=True,
                         capture_output=True, text=True).stdout
    told = np.genfromtxt(io.StringIO(out), delimiter=",", names=True)
    true = p[::5] / (RANGE[1] - RANGE[0])
    held = (told["lower"] <= true) & (true <= told["upper"])
    where = p[::5] > 0.05
    ratio = np.log(np.maximum(true, 1e-12) / np.maximum(told["density"], 1e-4))
    step = (RANGE[1] - RANGE[0]) / len(true)
    return (true * ratio).sum() * step, held[where].mean()


def main():
    random = np.random.default_rng(2)
    with tempfile.TemporaryDirectory() as directory:
        print("| truth | rows | ε | bins | error | of the noisy counts | "
              "held | of crowded bins |\n" + "| --- " * 8 + "|")
        for name, p in truths().items():
            for rows, epsilon, bins in ((500, 0.5, 50), (5000, 0.4, 50)):
                told = np.mean([histogram(p, rows, epsilon, bins, random,
                                          directory)
                                for _ in range(DRAWS)], axis=0)
                print(f"| {name} | {rows} | {epsilon} | {bins} | "
                      f"{told[0] ** 0.5:.1f} | {told[1] ** 0.5:.1f} | "
                      f"{100 * told[2]:.0f} % | {100 * told[3]:.0f} % |",
                      flush=True)
        print("\n| truth | rows | ε | divergence, optimal | functional | "
              "held by optimal |\n" + "| --- " * 6 + "|")
        for name, p in list(truths().items())[:3]:
            for rows, epsilon in ((500, 1), (5000, 0.4)):
                told = {method: np.mean(
                    [density(p, rows, epsilon, method, random, directory)
                     for _ in range(DRAWS)], axis=0)
                    for method in ("optimal", "functional")}
                print(f"| {name} | {rows} | {epsilon} | "
                      f"{told['optimal'][0]:.4f} | {told['functional'][0]:.4f} "
                      f"| {100 * told['optimal'][1]:.0f} % |", flush=True)


main()
