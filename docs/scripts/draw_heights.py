#!/usr/bin/env python3
"""Draws docs/images/heights.svg: the plot of `cloak show --html`, standing alone.

    docs/scripts/draw_heights.py FILE.cloak

draws that release. When there is no such file yet, nine releases of the
simulated survey are made, and the one whose error is in the middle becomes
FILE.cloak. Needs numpy.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import survey_truth as survey

STYLE = """
text { font: 13px "DejaVu Sans", "Segoe UI", Roboto, sans-serif; fill: #1d2530; }
.tick, .mark-label { fill: #5a6675; }
.mark-label { font-size: 12px; }
.name { font-weight: 600; }
.new { fill: #cfe1f3; } .function { fill: #8fbbe4; } .privacy { fill: #f4bd74; }
.mean { fill: none; stroke: #12406f; stroke-width: 2.4; }
.grid { fill: none; stroke: #1d2530; stroke-opacity: .08; }
.axis { fill: none; stroke: #5a6675; }
.mark { fill: none; stroke: #8a94a1; stroke-dasharray: 5 4; }
"""
LEGEND = [("mean", "best guess (mean)"),
          ("privacy", "privacy noise alone"),
          ("function", "privacy noise and limited data"),
          ("new", "where a new observation falls")]
WIDTH, HEIGHT, LEGEND_HEIGHT = 860, 460, 34


def legend():
    entries, x, y = [], 6, HEIGHT + 16
    for css_class, text in LEGEND:
        key = (f'<path class="mean" d="M{x} {y - 5}h24"/>'
               if css_class == "mean" else
               f'<rect class="{css_class}" x="{x}" y="{y - 11}" '
               f'width="24" height="12" rx="2"/>')
        entries.append(f'{key}<text x="{x + 31}" y="{y}">{text}</text>')
        x += 47 + 6.8 * len(text)
    return "\n".join(entries)


def middle_release(folder):
    scored = []
    for i in range(9):
        file = os.path.join(folder, f"{i}.cloak")
        survey.release(file)
        f = survey.predict(file, ["--latent"])
        scored.append((np.mean((f["mean"] - survey.curve(f["age"])) ** 2), file))
    return sorted(scored)[4][1]


if len(sys.argv) != 2:
    sys.exit(__doc__)
if not os.path.exists(sys.argv[1]):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(middle_release(folder), sys.argv[1])
page = subprocess.run([survey.CLOAK, "show", sys.argv[1], "--html", "-"],
                      check=True, capture_output=True, text=True).stdout
drawing = re.search(r"<svg[^>]*>(.*?)</svg>", page, re.DOTALL).group(1)
label = re.search(r'aria-label="([^"]*)"', page).group(1)
size = f"{WIDTH} {HEIGHT + LEGEND_HEIGHT}"
svg = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" \
role="img" aria-label="{label}">
<style>{STYLE}</style>
<rect width="100%" height="100%" fill="#ffffff"/>
{drawing.strip()}
{legend()}
</svg>
"""
target = os.path.join(os.path.dirname(__file__), "..", "images", "heights.svg")
with open(target, "w") as out:
    out.write(svg)
