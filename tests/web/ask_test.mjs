// Questions about one point and about tables, and tokens.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {gzipSync} from 'node:zlib';

import {newContext} from './browser.mjs';
import {serve} from './releases.mjs';
import {browser, directory, drawn, eventually, open, release, seriousFindings} from './setup.mjs';

const csv = (name, text) =>
    ({name, mimeType: 'text/csv', buffer: Buffer.from(text)});
const tableCard = (page) => page.locator('.card', {hasText: 'About a table'});

test('reads numbers as people write them', async (t) => {
  const page = await open(t, release('growth_1'));
  const field = page.getByLabel('age', {exact: true});
  const askFor = async (text) => {
    await field.fill(text);
    await page.getByRole('button', {name: 'Ask'}).click();
  };
  for (const [text, number] of [
           ['1.5', 1.5],
           ['1,5', 1.5],
           ['0,125', 0.125],
           ['1234,567', 1234.567],
           ['1.5e3', 1500],
           ['1E-2', 0.01],
           [' 12 ', 12],
           ['1 000', 1000],
           ['1\u202f000\u202f000', 1000000],
           ['1,000,000', 1000000],
           ['1,000.5', 1000.5],
           ['−3', -3],
           ['+3', 3],
  ]) {
    const request = page.waitForRequest('**/predict');
    await askFor(text);
    assert.deepEqual((await request).postDataJSON(), {rows: [[number]]}, text);
  }
  await page.waitForLoadState('networkidle');
  for (const [text, why] of [
           ['1,000', /1,000 can be read as 1000 and as 1\.000/],
           ['ten', /Age must be a number, such as/],
           ['', /Age must be a number/],
           ['1 2', /Age must be a number/],
           ['0x10', /Age must be a number/],
           ['Infinity', /Age must be a number/],
           ['1e999', /Age is too large/],
  ]) {
    await askFor(text);
    const alert = page.locator('form').getByRole('alert');
    await eventually(async () => assert.match(await alert.innerText(), why));
    assert.equal(await field.getAttribute('aria-invalid'), 'true', text);
  }
});

test('answers the last question, not the slowest', async (t) => {
  const page = await open(t, release('growth_1'));
  const held = [];
  await page.route('**/predict', (route) => {
    const {rows} = route.request().postDataJSON();
    if (rows[0][0] === 1)
      held.push(route);
    else
      route.continue();
  });
  const answer = page.locator('form .answer p');
  for (const age of ['1', '19']) {
    await page.getByLabel('age', {exact: true}).fill(age);
    await page.getByRole('button', {name: 'Ask'}).click();
  }
  await answer.waitFor();
  const said = await answer.innerText();
  await held[0].continue();
  await page.waitForTimeout(300);
  assert.equal(await answer.innerText(), said);
});

test('answers the last table, not the slowest', async (t) => {
  const page = await open(t, release('growth_1'));
  const held = [];
  await page.route('**/predict', (route) => {
    if (held.length)
      route.continue();
    else
      held.push(route);
  });
  const picker = page.getByLabel('Drop a CSV file here');
  await picker.setInputFiles(csv('first.csv', 'age\n1\n'));
  while (!held.length) await page.waitForTimeout(20);
  await picker.setInputFiles(csv('second.csv', 'age\n1\n2\n'));
  await page.getByText('2 rows answered').waitFor();
  await held[0].continue();
  await page.waitForTimeout(300);
  assert.match(await tableCard(page).innerText(), /2 rows answered/);
});

test('knows places that differ in their fifth digit', async (t) => {
  const page = await open(t, release('journeys_2'));
  await drawn(page);
  for (const kind of ['x', 'y']) {
    const ticks = await page.locator('.stage svg')
                      .first()
                      .locator(`.axis text.${kind}:not(.name)`)
                      .allTextContents();
    assert.ok(ticks.length > 1 && new Set(ticks).size === ticks.length, ticks);
  }
  assert.match(await page.locator('form').innerText(), /−74 to −73\.95/);
  await page.getByRole('button', {name: 'Ask'}).click();
  await page.locator('form .answer p').first().waitFor();
  const said = await page.locator('form .answer').innerText();
  assert.doesNotMatch(said, /outside/);
  const [, lower, upper] = /between (\d+\.?\d*) and (\d+\.?\d*)/.exec(said);
  assert.ok(Number(lower) < Number(upper), said);
  await page.getByLabel('and along').selectOption('');
  await page.waitForSelector('.stage[aria-busy="false"] .mean');
  const slider = page.getByRole('slider', {name: 'year'});
  await slider.fill('2013.7');
  assert.equal(await slider.getAttribute('aria-valuetext'), '2013.7');
});

test('says what is wrong with a table, and what to do', async (t) => {
  const context = await newContext(browser);
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(release('growth_2'));
  const alert = tableCard(page).getByRole('alert');
  const refused = async (file) => {
    await page.getByLabel('Drop a CSV file here').setInputFiles(file);
    await page.waitForFunction(
        (name) => !document.body.innerText.includes(`Asking about ${name}`),
        file.name);
    return alert.innerText();
  };
  const wrong = await refused(csv('wrong.csv', 'age,height\n3,4\n'));
  assert.match(wrong, /That did not work\. No column 'weight' in 'wrong\.csv'/);
  assert.match(wrong, /Mend the file, and choose it again\./);
  assert.match(
      await refused(csv('empty.csv', '')),
      /'empty\.csv' is empty.*Mend the file/s);
  assert.match(
      await refused(csv('words.csv', 'age,weight\n3,heavy\n')),
      /'words\.csv', row 1 .*but is 'heavy'/);
  assert.match(
      await refused(
          csv('huge.csv',
              `age,weight\n${'12.345678,34.567891\n'.repeat(300_000)}`)),
      /'huge\.csv' is larger than \d+ bytes.*smaller files/s);
  assert.match(
      await refused(csv('rows.csv', `age,weight\n${'1,3\n'.repeat(150_000)}`)),
      /more than 100000 rows.*smaller files/s);
  // It goes on.
  await page.getByLabel('Drop a CSV file here')
      .setInputFiles(csv('right.csv', 'age,weight\n3,17\n'));
  await page.getByText('1 row answered').waitFor();
});

test('counts rows and shows cells as they are', async (t) => {
  const page = await open(t, release('growth_1'));
  const picker = page.getByLabel('Drop a CSV file here');
  await picker.setInputFiles(
      csv('notes.CSV',
          'age,day,note\n3,20260615,"two\nlines, ""quoted"""\n4,20260616,\n'));
  await page.getByText('2 rows answered').waitFor();
  const cells = await tableCard(page).locator('td').allTextContents();
  assert.deepEqual(
      cells.slice(0, 3), ['3', '20260615', 'two\nlines, "quoted"']);
  const saved = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', {name: 'Download the table'}).click(),
    ]);
    return download.suggestedFilename();
  };
  assert.equal(await saved(), 'notes-answered.csv');
  await picker.setInputFiles({
    name: 'my points.csv.gz',
    mimeType: 'application/gzip',
    buffer: gzipSync('age\n3\n'),
  });
  await page.getByText('1 row answered').waitFor();
  assert.equal(await saved(), 'my points-answered.csv');
});

test(
    'is not replaced by a table that is dropped beside its place',
    async (t) => {
      const page = await open(t, release('growth_1'));
      await drawn(page);
      const kept = await page.evaluate(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['age\n2\n'], 'dropped.csv'));
        return ['dragover', 'drop'].map((type) => {
          const event = new DragEvent(
              type, {dataTransfer: transfer, bubbles: true, cancelable: true});
          document.querySelector('h1').dispatchEvent(event);
          return event.defaultPrevented;
        });
      });
      assert.deepEqual(kept, [true, true]);
    });

test('asks for a token kindly, and keeps it for the tab alone', async (t) => {
  const kToken = 'the-token-of-this-test';
  const tokens = join(directory, 'other-tokens.txt');
  writeFileSync(tokens, `${kToken}\n`);
  const guarded = await serve(directory, '--token-file', tokens);
  t.after(() => guarded.stop());
  const context = await newContext(browser, {bypassCSP: true});
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(guarded.url);
  const field = page.getByLabel('Token');
  await field.waitFor();
  const text = await page.locator('main').innerText();
  assert.doesNotMatch(text, /does not know/);
  assert.match(text, /whoever runs it can give you one/);
  assert.deepEqual(await seriousFindings(page), []);
  // A header cannot hold every letter.
  for (const wrong of ['not the right one', 'ключ-от-сервера-一二三']) {
    await field.fill(wrong);
    await page.keyboard.press('Enter');
    await page.getByText('It does not know that token').waitFor();
    // It was there before the second one was refused; an empty field was not.
    await eventually(async () => assert.equal(await field.inputValue(), ''));
    assert.ok(await field.evaluate((f) => f === document.activeElement));
  }
  assert.deepEqual(await seriousFindings(page), []);
  await field.fill(kToken);
  await page.keyboard.press('Enter');
  await drawn(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await page.reload();
  await drawn(page);
  assert.equal(
      await page.evaluate(() => document.cookie + localStorage.length), '0');
  const other = await context.newPage();
  await other.goto(guarded.url);
  await other.getByLabel('Token').waitFor();
  // Taken back while the page is open.
  await page.evaluate(() => {
    for (const name of Object.keys(sessionStorage)) {
      sessionStorage.setItem(name, 'no-longer-a-good-one');
    }
  });
  await page.getByRole('button', {name: 'Ask'}).click();
  await page.locator('form').getByRole('alert').waitFor();
  assert.match(
      await page.locator('form').getByRole('alert').innerText(),
      /does not know the token.*Load the page again/s);
  await page.getByLabel('Release').selectOption('loans_1');
  await page.getByText('It does not know that token').waitFor();
});
