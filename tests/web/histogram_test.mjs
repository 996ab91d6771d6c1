// Histograms with many names, and of three inputs.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {kTowns} from './releases.mjs';
import {ask, drawn, open, release} from './setup.mjs';

// Texts of a plot that run into each other.
function overlaps(page, selector) {
  return page.$$eval(selector, (all) => {
    const boxes = all.map((text) => {
      const {left, right, top, bottom} = text.getBoundingClientRect();
      return {
        left,
        right,
        top: top + 2,
        bottom: bottom - 2,
        name: text.textContent
      };
    });
    return boxes.flatMap(
        (a, i) => boxes.slice(i + 1)
                      .filter(
                          (b) => a.left < b.right && b.left < a.right &&
                              a.top < b.bottom && b.top < a.bottom)
                      .map((b) => `${a.name} and ${b.name}`));
  });
}

const names = (page, selector) => page.$$eval(
    selector,
    (all) => all.map(
        (text) =>
            text.querySelector('title')?.textContent ?? text.textContent));

test('has room for the name of every category', async (t) => {
  for (const width of [360, 1200]) {
    for (const name of ['towns_1', 'towns_2']) {
      const page =
          await open(t, release(name), {viewport: {width, height: 800}});
      await drawn(page);
      const plot = page.locator('.stage svg').first();
      await plot.evaluate((root) => root.id = 'first');
      assert.deepEqual(
          await names(page, '#first .axis text.y')
              .then((all) => all.slice(0, kTowns.length)),
          kTowns, `${name} at ${width}`);
      assert.deepEqual(
          await overlaps(page, '#first text'), [], `${name} at ${width}`);
      assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth) <=
          width);
    }
  }
});

test('draws the bars of many categories as long as their counts', async (t) => {
  const page = await open(t, release('towns_1'));
  await drawn(page);
  const {count} = await ask('towns_1', 'plot', {});
  const bars = await page.$$eval(
      '.plot .bar',
      (all) => all.map((bar) => Number(bar.getAttribute('width'))));
  const most = count.indexOf(Math.max(...count));
  bars.forEach((length, i) => {
    assert.ok(Math.abs(length / bars[most] - count[i] / count[most]) < 1e-6);
  });
});

test(
    'gives each bin of a map its own colour, whichever way it lies',
    async (t) => {
      const page = await open(t, release('towns_2'));
      await drawn(page);
      const {count, axes} = await ask('towns_2', 'plot', {});
      const trades = axes[1].categories.length;
      const cells = await page.locator('.stage svg')
                        .first()
                        .evaluate(
                            (root) => [...root.querySelectorAll('.cell')].map(
                                (cell) => ({
                                  x: Number(cell.getAttribute('x')),
                                  y: Number(cell.getAttribute('y')),
                                  fill: cell.getAttribute('fill'),
                                })));
      assert.equal(cells.length, count.length);
      // Towns go down, trades to the right: the fullest bin is the brightest.
      const places = (key) => [...new Set(cells.map((cell) => cell[key]))].sort(
          (a, b) => a - b);
      const most = count.indexOf(Math.max(...count));
      const brightest = cells.find(
          ({x, y}) => x === places('x')[most % trades] &&
              y === places('y')[Math.floor(most / trades)]);
      // Viridis ends there.
      assert.equal(brightest.fill, '#fde725');
    });

test('draws every slice of a histogram in the same colours', async (t) => {
  const page = await open(t, release('people_3'));
  await drawn(page);
  const seen = [];
  for (const sex of ['female', 'male']) {
    await page.locator('.stage .controls select').selectOption(sex);
    seen.push(await page.locator('.ramp text').allTextContents());
    const caption = await page.locator('.stage caption').textContent();
    assert.match(caption, new RegExp(`sex ${sex}`));
  }
  assert.deepEqual(seen[0], seen[1]);
  const rows = await page.$$eval(
      '.stage tbody tr', (all) => all.map((row) => row.cells[2].textContent));
  assert.ok(rows.length > 0 && rows.every((sex) => sex === 'male'));
});
