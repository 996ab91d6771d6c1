// Names that a stranger chose for their effect on the page.
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {newContext} from './browser.mjs';
import {cloak, serve} from './releases.mjs';
import {browser, directory, eventually, open, release} from './setup.mjs';

test(
    'a name of 20,000 letters does not stretch the page, nor does one turn ' +
        'the direction of writing',
    async () => {
      const folder = join(directory, 'names');
      mkdirSync(folder);
      const long = 'n'.repeat(20000);
      const turned = 'height \u202eegami';
      const lines = [`${long},${turned}`];
      for (let i = 0; i < 60; ++i) lines.push(`${i},${100 + i % 7}`);
      writeFileSync(join(folder, 'names.csv'), `${lines.join('\n')}\n`);
      cloak(
          'release', join(folder, 'names.csv'), '--inputs', long, '--output',
          turned, '--bounds', '90:120', '--epsilon', '1', '--delta', '1e-4',
          '--protect', 'outputs', '-o', join(folder, 'names.cloak'));
      const server = await serve(folder);
      const context =
          await newContext(browser, {viewport: {width: 1200, height: 900}});
      try {
        const page = await context.newPage();
        await page.goto(server.url);
        await page.waitForSelector('.stage[aria-busy="false"] svg');
        const width =
            await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 1200, `the page is ${width} pixels wide`);
        const heading = await page.locator('h1').boundingBox();
        assert.ok(
            heading.height < 900, `the heading is ${heading.height} high`);
        const text = await page.evaluate(() => document.body.innerText);
        assert.ok(!text.includes('\u202e'));
        assert.ok(text.includes('height \ufffdegami'));
        assert.ok(!(await page.title()).includes('\u202e'));
      } finally {
        await context.close();
        await server.stop();
      }
    });

test('says how many rows of a table lie outside the ranges', async (t) => {
  const page = await open(t, release('growth_1'));
  await page.locator('input[type=file]').setInputFiles({
    name: 'ages.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('age\n5\n900\n-900\n'),
  });
  await eventually(async () => {
    const said = await page.locator('.answer').last().innerText();
    assert.match(said, /2 of 3 rows lie outside the ranges of the inputs/);
  });
});
