"""Honkela and Melkas 2021, section 5.4: DP-SGD, to compare with a process.

    dp_sgd.py DATA.csv.gz [--draws N]       figures, as a CSV table
    dp_sgd.py DATA.csv.gz --tune EPSILON [--random N]
                                            how the settings below were found

Heights of girls from age and weight: half of the rows train a network with one
hidden layer, the other half are its test; each draw has a half of its own. A
row is private as a whole (substitution; how many there are is public), and
accounting.py says what that costs. Everything that can be chosen in favour of
DP-SGD is: width, learning rate, clipping, momentum, sample and steps are
those with the least error on the *test* rows, for each epsilon by itself (but
10, which has those of 3), and nothing is charged for the choice. Noise is in floating point: for figures, not
for releases.
"""

import argparse
import sys
from dataclasses import dataclass

import numpy as np
import pandas
import torch
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from accounting import sigma_for

DELTA = 1e-4
# Public: ages in years, weights in kilograms, heights in centimetres.
LOWER, UPPER = np.array([0.0, 0.0]), np.array([22.0, 120.0])
LOWEST, HIGHEST = 40.0, 200.0


@dataclass(frozen=True)
class Settings:
    width: int  # of the hidden layer
    rate: float  # of learning
    clip: float  # the largest norm of a row's gradient
    momentum: float
    sample: float  # the probability that a row is in a step
    steps: int


CHOSEN = {
    0.1: Settings(8, 0.391, 0.0362, 0.0, 0.03, 1600),
    0.3: Settings(4, 3.44, 0.0246, 0.0, 0.1, 800),
    1: Settings(4, 1.41, 0.0148, 0.9, 0.3, 800),
    3: Settings(4, 1.49, 0.0203, 0.9, 0.03, 800),
    10: Settings(4, 1.49, 0.0203, 0.9, 0.03, 800),
}
NOT_PRIVATE = Settings(32, 0.2, 1e9, 0.9, 1.0, 4000)


def read_girls(path):
    table = pandas.read_csv(path)
    girls = table[table.sex == "girl"].dropna(subset=["age", "height", "weight"])
    x = np.clip(girls[["age", "weight"]].to_numpy(), LOWER, UPPER)
    x = 2 * (x - LOWER) / (UPPER - LOWER) - 1
    return x, np.clip(girls["height"].to_numpy(), LOWEST, HIGHEST)


def halves(count, seed):
    order = np.random.default_rng(seed).permutation(count)
    return order[: count // 2], order[count // 2 :]


def forward(parameters, x):
    inner, outer = parameters
    hidden = torch.tanh(x @ inner)
    return hidden, hidden @ outer[:-1] + outer[-1]


def clipped_gradients(parameters, x, y, clip):
    """The sum of the rows' gradients of half the squared error, each clipped.

    The gradient of a row is an outer product in each layer, so its norm needs
    no gradient by itself.
    """
    hidden, f = forward(parameters, x)
    error = f - y
    back = error[:, None] * parameters[1][:-1] * (1 - hidden**2)
    norm = torch.sqrt(
        error**2 * ((hidden**2).sum(1) + 1) + (back**2).sum(1) * (x**2).sum(1)
    )
    weight = torch.clamp(clip / (norm + 1e-12), max=1.0)
    error = weight * error
    return (
        x.T @ (weight[:, None] * back),
        torch.cat([hidden.T @ error, error.sum()[None]]),
    )


def train(x, y, settings, sigma, seed):
    """Averages the iterates of the last half of the steps."""
    torch.manual_seed(seed)
    # A column of ones is the bias.
    x = torch.cat([x, torch.ones(len(x), 1)], 1)
    parameters = [
        torch.randn(x.shape[1], settings.width),
        torch.randn(settings.width + 1) / (10 * settings.width**0.5),
    ]
    velocity = [torch.zeros_like(p) for p in parameters]
    average = [torch.zeros_like(p) for p in parameters]
    half = settings.steps // 2
    for step in range(settings.steps):
        if settings.sample < 1:
            chosen = torch.rand(len(x)) < settings.sample
            sums = clipped_gradients(parameters, x[chosen], y[chosen], settings.clip)
        else:
            sums = clipped_gradients(parameters, x, y, settings.clip)
        for p, v, a, g in zip(parameters, velocity, average, sums):
            g = g + sigma * settings.clip * torch.randn(g.shape)
            v.mul_(settings.momentum).add_(g / (settings.sample * len(x)))
            p.sub_(settings.rate * v)
            if step >= half:
                a.add_(p / (settings.steps - half))
    return average


def network_error(x, y, settings, sigma, seed):
    """Root mean squared error on the test half, in centimetres."""
    training, test = halves(len(x), seed)
    middle, scale = (LOWEST + HIGHEST) / 2, (HIGHEST - LOWEST) / 2
    inputs = torch.tensor(x, dtype=torch.float32)
    outputs = torch.tensor((y - middle) / scale, dtype=torch.float32)
    parameters = train(inputs[training], outputs[training], settings, sigma, seed)
    ones = torch.ones(len(test), 1)
    _, f = forward(parameters, torch.cat([inputs[test], ones], 1))
    predicted = np.clip(middle + scale * f.double().numpy(), LOWEST, HIGHEST)
    if not np.isfinite(predicted).all():
        return HIGHEST - LOWEST
    return np.sqrt(np.mean((predicted - y[test]) ** 2))


def process_error(x, y, seed):
    """An exact Gaussian process; hyperparameters from 500 training rows."""
    training, test = halves(len(x), seed)
    middle = y[training].mean()
    kernel = ConstantKernel(1000, (1, 1e6)) * RBF([0.5, 0.5]) + WhiteKernel(30)
    process = GaussianProcessRegressor(kernel)
    process.fit(x[training[:500]], y[training[:500]] - middle)
    process = GaussianProcessRegressor(process.kernel_, optimizer=None)
    process.fit(x[training], y[training] - middle)
    error = middle + process.predict(x[test]) - y[test]
    return np.sqrt(np.mean(error**2))


SAMPLES = [0.03, 0.1, 0.3, 1.0]
STEPS = [20, 50, 100, 200, 400, 800, 1600]
WIDTHS = [4, 8, 16, 32, 64]


def affordable(settings):
    """Rules out what is slow, or sees hardly any row."""
    return 3 <= settings.sample * settings.steps <= 400


def three_digits(value):
    return float(f"{value:.3g}")


def random_settings(rng):
    while True:
        settings = Settings(
            width=int(rng.choice(WIDTHS)),
            rate=three_digits(10 ** rng.uniform(-1.5, 1.0)),
            clip=three_digits(10 ** rng.uniform(-2.0, 0.5)),
            momentum=float(rng.choice([0.0, 0.9])),
            sample=float(rng.choice(SAMPLES)),
            steps=int(rng.choice(STEPS)),
        )
        if affordable(settings):
            return settings


def near(settings, rng):
    """Settings a little off these."""

    def beside(choices, value):
        k = choices.index(value) + rng.integers(-1, 2)
        return choices[min(max(k, 0), len(choices) - 1)]

    while True:
        changed = Settings(
            width=beside(WIDTHS, settings.width),
            rate=three_digits(settings.rate * np.exp(0.4 * rng.standard_normal())),
            clip=three_digits(settings.clip * np.exp(0.4 * rng.standard_normal())),
            momentum=settings.momentum,
            sample=beside(SAMPLES, settings.sample),
            steps=beside(STEPS, settings.steps),
        )
        if affordable(changed):
            return changed


def tune(x, y, epsilon, count):
    """The best on the test halves of random settings, of those chosen for any
    epsilon so far, and of others near the best."""
    rng = np.random.default_rng(int(1000 * epsilon))

    def best(candidates, seeds, keep):
        errors = []
        for s in candidates:
            sigma = sigma_for(epsilon, DELTA, s.sample, s.steps)
            errors.append(np.mean([network_error(x, y, s, sigma, k) for k in seeds]))
        order = np.argsort(errors)[:keep]
        print(epsilon, [round(errors[i], 2) for i in order], file=sys.stderr)
        return [candidates[i] for i in order]

    found = [random_settings(rng) for _ in range(count)] + list(CHOSEN.values())
    found = best(found, range(2), 24)
    for _ in range(2):
        found = best(found, range(2, 8), 6)
        found += [near(s, rng) for s in found for _ in range(5)]
    found = best(best(found, range(8, 14), 6), range(14, 44), 1)
    print(f"    {epsilon:g}: {found[0]},", flush=True)


def report(method, epsilon, errors):
    draws = len(errors)
    error = np.std(errors, ddof=1) / np.sqrt(draws) if draws > 1 else 0
    print(f'"{method}",{epsilon},{draws},{np.mean(errors):.3f},{error:.3f}', flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("data")
    arguments.add_argument("--draws", type=int, default=20)
    arguments.add_argument("--tune", type=float)
    arguments.add_argument("--random", type=int, default=300)
    command = arguments.parse_args()
    torch.set_num_threads(1)
    x, y = read_girls(command.data)
    if command.tune:
        tune(x, y, command.tune, command.random)
        return
    print("method,epsilon,draws,rmse,standard_error")
    seeds = range(100, 100 + command.draws)
    for epsilon, s in CHOSEN.items():
        sigma = sigma_for(epsilon, DELTA, s.sample, s.steps)
        report("dp-sgd", epsilon, [network_error(x, y, s, sigma, k) for k in seeds])
    few = seeds[:5]
    plain = [network_error(x, y, NOT_PRIVATE, 0.0, k) for k in few]
    report("network, no privacy", "inf", plain)
    report("process, no privacy", "inf", [process_error(x, y, k) for k in few])


if __name__ == "__main__":
    main()
