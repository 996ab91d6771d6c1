// What is chosen is what is shown, in whatever order answers come, and it
// stays.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {cloak} from './releases.mjs';
import {ask, close, directory, drawn, open, release, tableOf} from './setup.mjs';

// Holds back requests that fit until they are let go.
async function holdBack(page, address, fits) {
  const held = [];
  await page.route(address, (route) => {
    if (fits(route.request()))
      held.push(route);
    else
      route.continue();
  });
  return {
    held,
    async one() {
      while (!held.length) await page.waitForTimeout(20);
    },
    async letGo() {
      for (const route of held.splice(0)) await route.continue();
      await page.unroute(address);
      await page.waitForTimeout(300);
    },
  };
}

const heading = (page) => page.locator('h1').innerText();
const rampTexts = (page) => page.locator('.ramp').evaluateAll(
    (ramps) => ramps.map(
        (ramp) => [...ramp.querySelectorAll('text')].map(
            (t) => t.textContent)));

test('shows the release that was picked last, not the slowest', async (t) => {
  const page = await open(t, release('growth_1'));
  await drawn(page);
  const slow = await holdBack(page, '**/releases/growth_2', () => true);
  await page.getByLabel('Release').selectOption('growth_2');
  await slow.one();
  await page.getByLabel('Release').selectOption('people_1');
  await page.getByRole('heading', {name: 'Rows by age'}).waitFor();
  await slow.letGo();
  assert.equal(await heading(page), 'Rows by age');
  assert.equal(await page.locator('#shown').textContent(), 'Rows by age');
  assert.match(await page.title(), /^Rows by age/);
});

test('says that there is no such release', async (t) => {
  const page = await open(t, release('gone'));
  const alert = await page.getByRole('alert').innerText();
  assert.match(alert, /There is no release 'gone' here/);
  await page.getByLabel('Release').selectOption('growth_1');
  await drawn(page);
});

test('asks for one plot at a time and draws the last', async (t) => {
  const page = await open(t, release('growth_3'));
  await drawn(page);
  let at_once = 0;
  let most = 0;
  let asked = 0;
  // However slow the keys are, no plot comes before the last of them.
  let letGo;
  const moved = new Promise((resolve) => letGo = resolve);
  await page.route('**/plot', async (route) => {
    ++asked;
    most = Math.max(most, ++at_once);
    await moved;
    await new Promise((resolve) => setTimeout(resolve, 150));
    --at_once;
    await route.continue();
  });
  const slider = page.getByRole('slider', {name: 'sleep'});
  await slider.focus();
  for (let k = 0; k < 20; ++k) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  letGo();
  await drawn(page);
  assert.equal(most, 1);
  assert.ok(asked >= 1 && asked < 15, `${asked} plots for 21 moves`);
  const plot = await ask('growth_3', 'plot', {
    inputs: ['age', 'weight'],
    at: {sleep: Number(await slider.inputValue())},
  });
  close((await tableOf(page))[0][2], plot.function.mean[0], 'the last one');
});

test('draws other axes without waiting for the plot before', async (t) => {
  const page = await open(t, release('growth_3'));
  await drawn(page);
  const slow = await holdBack(
      page, '**/plot', (request) => request.postDataJSON().inputs.length === 2);
  await page.getByRole('slider', {name: 'sleep'}).fill('7');
  await slow.one();
  await page.getByLabel('and along').selectOption('');
  await page.waitForSelector('.stage[aria-busy="false"] .mean');
  await slow.letGo();
  assert.equal(await page.locator('.stage path.mean').count(), 1);
  assert.equal(await page.locator('.stage image').count(), 0);
});

test(
    'keeps choices while sliders move and other releases are seen',
    async (t) => {
      const page = await open(t, release('growth_3'));
      await drawn(page);
      await page.getByLabel('privacy noise alone').check();
      await page.getByText('The same as a table').click();
      await page.getByRole('slider', {name: 'sleep'}).fill('7');
      await drawn(page);
      const kept = async () => {
        assert.ok(await page.getByLabel('privacy noise alone').isChecked());
        assert.ok(await page.locator('.stage details').evaluate((d) => d.open));
      };
      await kept();
      await page.getByLabel('Along', {exact: true}).selectOption('weight');
      await drawn(page);
      // Changing places keeps the slider where it was.
      assert.equal(
          await page.getByRole('slider', {name: 'sleep'}).inputValue(), '7');
      await page.getByLabel('Release').selectOption('people_3');
      await page.waitForSelector('.stage[data-drawn="histogram"] svg');
      await page.locator('.stage .controls select').selectOption('male');
      await page.getByLabel('Release').selectOption('growth_3');
      await page.waitForSelector('.stage[data-drawn="map"] svg');
      await kept();
      assert.equal(
          await page.getByLabel('Along', {exact: true}).inputValue(), 'weight');
      assert.equal(await page.getByLabel('and along').inputValue(), 'age');
      assert.equal(
          await page.getByRole('slider', {name: 'sleep'}).inputValue(), '7');
      await page.getByLabel('Release').selectOption('people_3');
      await page.waitForSelector('.stage[data-drawn="histogram"] svg');
      assert.equal(
          await page.locator('.stage .controls select').inputValue(), 'male');
    });

test('lets any input be the second axis', async (t) => {
  const page = await open(t, release('growth_2'));
  await drawn(page);
  await page.getByLabel('and along').selectOption('');
  await page.waitForSelector('.stage[aria-busy="false"] .mean');
  await page.getByLabel('and along').selectOption('age');
  await page.waitForSelector('.stage[aria-busy="false"] image');
  assert.equal(await page.getByLabel('and along').inputValue(), 'age');
  assert.equal(
      await page.getByLabel('Along', {exact: true}).inputValue(), 'weight');
});

test('keeps the focus where it is', async (t) => {
  const page = await open(t, release('growth_3'));
  await drawn(page);
  const focused = (locator) =>
      locator.evaluate((element) => element === document.activeElement);
  const slider = page.getByRole('slider', {name: 'sleep'});
  await slider.focus();
  await page.keyboard.press('Home');
  await drawn(page);
  assert.ok(await focused(slider), 'slider');
  const radio = page.getByLabel('privacy noise alone');
  await page.getByLabel('all of it').focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await radio.isChecked());
  assert.ok(await focused(radio), 'which uncertainty');
  // Also when a plot comes late.
  const slow = await holdBack(page, '**/plot', () => true);
  await slider.fill('9');
  await slow.one();
  await radio.focus();
  await slow.letGo();
  await drawn(page);
  assert.ok(await focused(radio), 'after a late plot');
  const along = page.getByLabel('Along', {exact: true});
  await along.focus();
  await along.selectOption('sleep');
  await drawn(page);
  assert.ok(await focused(page.getByLabel('Along', {exact: true})), 'axis');
  const picker = page.getByLabel('Release');
  await picker.focus();
  await picker.selectOption('growth_1');
  await page.getByRole('heading', {name: 'height by age', exact: true})
      .waitFor();
  assert.ok(await focused(page.getByLabel('Release')), 'picker');
});

test('draws every slice on one scale', async (t) => {
  const file = join(directory, 'growth_3.html');
  cloak('show', join(directory, 'growth_3.cloak'), '--html', file);
  for (const address of [release('growth_3'), pathToFileURL(file).href]) {
    const page = await open(t, address);
    await drawn(page);
    const slider = page.getByRole('slider', {name: 'sleep'});
    const ends = await slider.evaluate(({min, max}) => [min, max]);
    const maps = [];
    const curves = [];
    const yTexts = () => page.$$eval(
        '.stage .axis text.y', (all) => all.map((t) => t.textContent));
    for (const end of ends) {
      await slider.fill(end);
      await drawn(page);
      maps.push(await rampTexts(page));
    }
    assert.deepEqual(maps[0], maps[1]);
    await page.getByLabel('and along').selectOption('');
    await page.waitForSelector('.stage[aria-busy="false"] .mean');
    for (const end of ends) {
      await page.getByRole('slider', {name: 'sleep'}).fill(end);
      await drawn(page);
      curves.push(await yTexts());
    }
    assert.deepEqual(curves[0], curves[1]);
  }
});

test('says what colours mean, in sight', async (t) => {
  for (const [name, units] of Object.entries({
         journeys_2: ['cost', 'deviation'],
         growth_2: ['height', 'deviation'],
         loans_2: ['probability', 'deviation'],
         machine_2: ['margin', 'deviation'],
         people_2: ['rows', 'deviation'],
         spread_2: ['density', 'width'],
       })) {
    for (const width of [360, 1200]) {
      const page =
          await open(t, release(name), {viewport: {width, height: 800}});
      await drawn(page);
      const texts = await rampTexts(page);
      assert.deepEqual(texts.map((all) => all.at(-1)), units, name);
      for (const all of texts) {
        const numbers = all.slice(0, -1);
        assert.ok(numbers.length >= 2, `${name}: ${numbers}`);
        assert.equal(new Set(numbers).size, numbers.length, `${numbers}`);
      }
      const outside = await page.$$eval(
          '.stage svg',
          (all) => all.flatMap(
              (root) => [...root.querySelectorAll('text')]
                            .filter((text) => {
                              const [box, room] = [text, root].map(
                                  (e) => e.getBoundingClientRect());
                              return box.left < room.left - 1 ||
                                  box.right > room.right + 1;
                            })
                            .map((text) => text.textContent)));
      assert.deepEqual(outside, [], `${name} at ${width}`);
    }
  }
});

test('draws at another width without asking again', async (t) => {
  const page = await open(t, release('growth_1'));
  await drawn(page);
  let asked = 0;
  page.on('request', () => ++asked);
  await page.setViewportSize({width: 500, height: 700});
  await page.getByLabel('Read it at age').fill('3');
  await page.waitForFunction(
      () => document.querySelector('.stage svg').clientWidth < 500);
  assert.equal(asked, 0);
});
