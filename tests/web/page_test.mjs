import assert from 'node:assert/strict';
import {copyFileSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {newContext} from './browser.mjs';
import {cloak, kReleases, serve} from './releases.mjs';
import {ask, browser, close, describe, directory, drawn, eventually, open, plotOf, release, seriousFindings, server, tableOf} from './setup.mjs';

// One of each kind of plot.
const kKinds = [
  'growth_1', 'growth_3', 'loans_2', 'machine_1', 'people_1', 'people_3',
  'spread_2', 'towns_2'
];
const kToken = 'a token of this test alone';

test('lists every release and shows the one that is picked', async (t) => {
  const page = await open(t, server.url);
  await drawn(page);
  const names = await page.$$eval(
      '#picker option', (options) => options.map((o) => o.value));
  assert.deepEqual(names, Object.keys(kReleases).sort());
  await page.getByLabel('Release').selectOption('loans_1');
  await page.waitForFunction(() => document.title.startsWith('repaid by debt'));
});

test('says how private a release is, in words', async (t) => {
  const page = await open(t, release('growth_1'));
  const text = await page.locator('main').innerText();
  assert.match(text, /How private it is/);
  // (e² + 1e-4)/(1 + e²) = 0.88081, rounded up.
  assert.match(text, /at most 88\.1 %/);
  const [first] = (await describe('growth_1')).privacy_in_words.split('\n');
  assert.ok(text.includes(first));
});

test(
    'draws a curve with its bands, and says the same in a table', async (t) => {
      const page = await open(t, release('growth_1'));
      await drawn(page);
      for (const mark
               of ['.band.new', '.band.function', '.band.privacy', '.mean']) {
        const path = await page.getAttribute(`.plot ${mark}`, 'd');
        assert.match(path, /^M[\d.]+,[\d.]+L/, mark);
        assert.doesNotMatch(path, /NaN/);
      }
      const plot = await ask('growth_1', 'plot', {inputs: ['age']});
      const rows = await tableOf(page);
      assert.equal(rows.length, 21);
      const last = plot.axes[0].length - 1;
      close(rows.at(-1)[1], plot.function.mean[last], 'mean at the end');
      close(rows.at(-1)[2], plot.function.privacy_sd[last], 'privacy sd');
      const label = await page.getAttribute('svg.plot', 'aria-label');
      assert.match(label, /^Curve of predicted height against age/);
      // The band of the noise is inside that of everything.
      const top = async (mark) =>
          (await page.locator(`.plot ${mark}`).boundingBox()).height;
      assert.ok(await top('.band.privacy') <= await top('.band.function'));
    });

test('reads the curve at a place', async (t) => {
  const page = await open(t, release('growth_1'));
  await drawn(page);
  const plot = await ask('growth_1', 'plot', {inputs: ['age']});
  await page.getByLabel('Read it at age').fill('0');
  const said = await page.locator('output.reading').innerText();
  const number = Number(/ is (−?[\d.]+),/.exec(said)[1].replace('−', '-'));
  close(number, plot.function.mean[0], 'the first of the curve');
  assert.match(said, /variance of the mean, [\d.]+ % is privacy noise/);
});

test('draws maps of the mean and of its uncertainty', async (t) => {
  const page = await open(t, release('growth_2'));
  await drawn(page);
  assert.equal(await page.locator('.stage svg').count(), 2);
  assert.ok(await page.locator('.stage svg image').count() === 2);
  assert.ok(await page.locator('.stage .contour').count() > 4);
  const plot = await ask('growth_2', 'plot', {inputs: ['age', 'weight']});
  const rows = await tableOf(page);
  assert.equal(rows.length, 49);
  close(rows[0][2], plot.function.mean[0], 'mean at the lower left');
  close(
      rows[6][2], plot.function.mean[plot.axes[1].length - 1],
      'mean at the upper left');
  const before =
      await page.locator('.stage svg image').last().getAttribute('href');
  await page.getByLabel('privacy noise alone').check();
  const noise =
      await page.locator('.stage svg image').last().getAttribute('href');
  assert.notEqual(noise, before);
});

test('moves the other inputs by sliders', async (t) => {
  const page = await open(t, release('growth_3'));
  await drawn(page);
  const slider = page.getByRole('slider', {name: 'sleep'});
  await slider.focus();
  await page.keyboard.press('End');
  await drawn(page);
  assert.equal(
      Number(await slider.inputValue()),
      Number(await slider.getAttribute('max')));
  const plot = await ask('growth_3', 'plot', {
    inputs: ['age', 'weight'],
    at: {sleep: Number(await slider.inputValue())},
  });
  await eventually(
      async () =>
          close((await tableOf(page))[0][2], plot.function.mean[0], 'mean'));
  // One input alone is a curve with two sliders.
  await page.getByLabel('and along').selectOption('');
  await page.waitForSelector('.stage .mean');
  assert.equal(await page.locator('.controls input[type=range]').count(), 2);
});

test('draws the probability of a class along one input and two', async (t) => {
  const page = await open(t, release('loans_1'));
  await drawn(page);
  const plot = await ask('loans_1', 'plot', {inputs: ['debt']});
  assert.equal(plot.kind, 'probability');
  close(
      (await tableOf(page))[0][1], plot.function.probability[0], 'probability');
  plot.function.probability.forEach((p, i) => {
    assert.ok(plot.function.lower[i] <= p && p <= plot.function.upper[i]);
  });
  assert.match(
      await page.locator('main').innerText(),
      /probability that repaid is yes/i);
  await page.goto(release('loans_2'));
  await page.waitForSelector('.stage[data-drawn="probability"] svg image');
});

test('draws the margin of a machine along one input and two', async (t) => {
  const page = await open(t, release('machine_1'));
  await drawn(page);
  const plot = await ask('machine_1', 'plot', {inputs: ['debt']});
  assert.equal(plot.kind, 'margin');
  const [first] = await tableOf(page);
  close(first[2], plot.function.margin[0], 'margin');
  close(first[5], plot.function.lower[0], 'lower');
  await page.getByRole('button', {name: 'Ask'}).click();
  await page.getByText(/The machine says (yes|no), with a margin/).waitFor();
  await page.goto(release('machine_2'));
  await page.waitForSelector('.stage[data-drawn="margin"] svg image');
});

test(
    'draws a density with its interval, along one input and two', async (t) => {
      const page = await open(t, release('spread_1'));
      await drawn(page);
      const plot = await ask('spread_1', 'plot', {inputs: ['age']});
      assert.equal(plot.kind, 'density');
      const [first] = await tableOf(page);
      close(first[1], plot.function.density[0], 'density');
      close(first[3], plot.function.upper[0], 'upper');
      assert.match(await page.getAttribute('.plot .band.privacy', 'd'), /^M/);
      await page.goto(release('spread_2'));
      await page.waitForSelector('.stage[data-drawn="density"] svg image');
    });

test('draws a histogram as bars with intervals', async (t) => {
  const page = await open(t, release('people_1'));
  await drawn(page);
  const {count, lower, upper, axes} = await ask('people_1', 'plot', {});
  assert.equal(
      await page.locator('.plot .bar').count(), axes[0].edges.length - 1);
  assert.equal(await page.locator('.plot .whisker').count(), count.length);
  const heights = await page.$$eval(
      '.plot .bar',
      (bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
  const most = count.indexOf(Math.max(...count));
  heights.forEach((height, i) => {
    assert.ok(Math.abs(height / heights[most] - count[i] / count[most]) < 1e-6);
  });
  const rows = await page.$$eval(
      '.stage tbody tr',
      (all) => all.map(
          (row) => [...row.cells].slice(-4).map((c) => Number(c.textContent))));
  close(rows[most][0], count[most], 'rows in the fullest bin');
  close(rows[most][2], lower[most], 'lower');
  close(rows[most][3], upper[most], 'upper');
});

test('draws a histogram of more inputs as maps of its bins', async (t) => {
  const page = await open(t, release('people_3'));
  await drawn(page);
  const {axes} = await ask('people_3', 'plot', {});
  const bins =
      axes.map(({edges, categories}) => categories?.length || edges.length - 1);
  assert.equal(await page.locator('.cell').count(), 2 * bins[0] * bins[1]);
  const colours = () => page.$$eval(
      '.cell', (cells) => cells.map((c) => c.getAttribute('fill')).join());
  const before = await colours();
  await page.locator('.stage')
      .getByLabel('sex', {exact: true})
      .selectOption('male');
  assert.notEqual(await colours(), before);
  await page.locator('form')
      .getByLabel('sex', {exact: true})
      .selectOption('male');
  await page.getByRole('button', {name: 'Ask'}).click();
  await page.getByText(/About [\d.]+ rows in this bin/).waitFor();
});

test('answers about one point as the server does', async (t) => {
  const page = await open(t, release('growth_2'));
  await page.getByLabel('age', {exact: true}).fill('9.5');
  await page.getByLabel('weight', {exact: true}).fill('31');
  await page.getByRole('button', {name: 'Ask'}).click();
  const said = page.locator('form .answer p').first();
  await said.waitFor();
  const answer = await ask('growth_2', 'predict', {rows: [[9.5, 31]]});
  const [, mean, lower, upper] =
      /about ([\d.]+)\..* between ([\d.]+) and ([\d.]+)/.exec(
          await said.innerText());
  close(Number(mean), answer.mean[0], 'mean');
  close(Number(lower), answer.lower[0], 'lower');
  close(Number(upper), answer.upper[0], 'upper');
});

test('answers a table as cloak predict does', async (t) => {
  const page = await open(t, release('growth_2'));
  const queries = 'name,age,weight\n"a, b",3,17\nc,12.5,40\n';
  const file = join(directory, 'queries.csv');
  writeFileSync(file, queries);
  await page.getByLabel('Drop a CSV file here').setInputFiles(file);
  const link = page.getByRole('link', {name: 'Download the table'});
  await link.waitFor();
  const [download] =
      await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.equal(download.suggestedFilename(), 'queries-answered.csv');
  const text = readFileSync(await download.path(), 'utf8');
  assert.equal(text, cloak('predict', join(directory, 'growth_2.cloak'), file));
});

test('takes a table that is dropped', async (t) => {
  const page = await open(t, release('growth_1'));
  await page.waitForSelector('.drop');
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['age\n2\n'], 'dropped.csv'));
    return transfer;
  });
  await page.dispatchEvent('.drop', 'drop', {dataTransfer: data});
  await page.getByText('1 row answered').waitFor();
});

test('says kindly what is wrong', async (t) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  t.after(() => context.close());
  await page.goto(release('growth_2'));
  await page.getByLabel('age', {exact: true}).fill('ten');
  await page.getByRole('button', {name: 'Ask'}).click();
  await page.getByText('Age must be a number').waitFor();
  assert.equal(
      await page.getByLabel('age', {exact: true}).getAttribute('aria-invalid'),
      'true');
  await page.getByLabel('Drop a CSV file here').setInputFiles({
    name: 'wrong.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('height\n3\n'),
  });
  const alert =
      page.locator('.card', {hasText: 'About a table'}).getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /That did not work\..*age/s);
});

test('asks for a token when the server does', async (t) => {
  const tokens = join(directory, 'tokens.txt');
  writeFileSync(tokens, `${kToken.replaceAll(' ', '-')}\n`);
  const guarded = await serve(directory, '--token-file', tokens);
  t.after(() => guarded.stop());
  const context = await newContext(browser);
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(guarded.url);
  await page.getByLabel('Token').fill('not the right one');
  await page.keyboard.press('Enter');
  await page.getByText('It does not know that token').waitFor();
  await page.getByLabel('Token').fill(kToken.replaceAll(' ', '-'));
  await page.keyboard.press('Enter');
  await drawn(page);
});

test('can be used by the keyboard alone', async (t) => {
  const page = await open(t, server.url);
  await drawn(page);
  const focused = () => page.evaluate(() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    return {
      name: element.labels?.[0]?.textContent || element.textContent,
      outline: style.outlineStyle !== 'none',
    };
  });
  const seen = [];
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press('Tab');
    const now = await focused();
    seen.push(now.name);
    assert.ok(now.outline, `no focus to be seen on ${now.name}`);
    if (now.name === 'Ask') break;
  }
  assert.equal(seen[0], 'Skip to the release');
  for (const name
           of ['Release', 'Read it at age', 'The same as a table', 'age',
               'Ask']) {
    assert.ok(seen.includes(name), `${name} is not reached: ${seen}`);
  }
  await page.keyboard.press('Enter');
  await page.locator('form .answer p').first().waitFor();
  await page.getByText('Skip to the release').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  assert.match(await page.title(), /^height by age/);
});

for (const colorScheme of ['light', 'dark']) {
  test(`has no serious findings of axe in ${colorScheme} mode`, async (t) => {
    for (const name of kKinds) {
      const context = await newContext(browser, {colorScheme, bypassCSP: true});
      const page = await context.newPage();
      await page.goto(release(name));
      await drawn(page);
      await page.$$eval('details', (all) => all.forEach((d) => d.open = true));
      assert.deepEqual(await seriousFindings(page), [], name);
      await context.close();
    }
  });
}

test('fits a screen of 360 pixels', async (t) => {
  for (const name of kKinds) {
    const page =
        await open(t, release(name), {viewport: {width: 360, height: 740}});
    await drawn(page);
    const wide =
        await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${name} is ${wide} pixels wide`);
  }
});

test('is one file with cloak show --html, without any network', async (t) => {
  for (const name of Object.keys(kReleases)) {
    const file = join(directory, `${name}.html`);
    cloak('show', join(directory, `${name}.cloak`), '--html', file);
    const page = await open(t, pathToFileURL(file).href, {offline: true});
    await drawn(page);
    const text = await page.locator('main').innerText();
    assert.ok(text.includes(`cloak predict ${name}.cloak queries.csv`));
    const served = await plotOf(name, [121, 51, 31]);
    const column = served.count ?? served.function.probability ??
        served.function.density ?? served.function.mean;
    const shown = (await tableOf(page))[0][served.axes.length];
    close(shown, column[0], `${name} in a file`);
    if (await page.locator('.stage image').count()) {
      const range = Math.max(...column) - Math.min(...column);
      assert.ok(Math.abs(shown - column[0]) < range / 50, `${name}: a colour`);
    }
  }
});

test('names the file so that a shell reads it', async (t) => {
  const odd = join(directory, 'it\'s mine.html');
  const copy = join(directory, 'it\'s mine.release');
  copyFileSync(join(directory, 'growth_1.cloak'), copy);
  cloak('show', copy, '--html', odd);
  const page = await open(t, pathToFileURL(odd).href, {offline: true});
  const [command] = await page.locator('pre').allInnerTexts();
  assert.equal(command, `cloak predict './it'\\''s mine.release' queries.csv`);
});

test('moves sliders in a file too', async (t) => {
  const file = join(directory, 'growth_3.html');
  cloak('show', join(directory, 'growth_3.cloak'), '--html', file);
  const page = await open(t, pathToFileURL(file).href, {offline: true});
  await drawn(page);
  await page.getByRole('slider', {name: 'sleep'}).fill('8');
  await drawn(page);
  const {inputs} = await describe('growth_3');
  const plot = await ask('growth_3', 'plot', {
    inputs: ['age', 'weight'],
    points: 31,
    at: {sleep: inputs[2].upper},
  });
  await eventually(
      async () =>
          close((await tableOf(page))[0][2], plot.function.mean[0], 'mean'));
  // The axes can change places.
  await page.getByLabel('Along', {exact: true}).selectOption('weight');
  await page.waitForFunction(
      () => document.querySelector('.stage svg .x.name')?.textContent ===
          'weight');
});
