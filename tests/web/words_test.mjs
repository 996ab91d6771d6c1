// What is promised, in the words of each promise.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {describe, open, release} from './setup.mjs';

const kWords = {
  growth_1: {
    lead: /400 rows with private values of 'height'/,
    secret: /which of two equally likely values 'height' has in one row/,
    kept: /the output of each row; inputs are public/,
  },
  loans_1: {
    lead: /500 rows with private values of 'repaid'/,
    secret: /which of two equally likely values 'repaid' has in one row/,
    kept: /the output of each row; inputs are public/,
  },
  journeys_1: {
    lead: /120 rows of \d+ different 'person', with private values of 'cost'/,
    secret:
        /which of two equally likely sets of values of 'cost' one 'person' has/,
    kept: /all outputs of one 'person' together \(\d+ of them\)/,
  },
  growth_rows: {
    lead: /400 private rows/,
    secret: /which of two equally likely rows one person has/,
    kept: /each whole row, inputs too/,
  },
  people_1: {
    lead: /2000 private rows/,
    secret: /which of two equally likely rows one person has/,
    kept: /each whole row, inputs too/,
  },
};

test('says what each kind of promise promises', async (t) => {
  for (const [name, {lead, secret, kept}] of Object.entries(kWords)) {
    const page = await open(t, release(name));
    assert.match(await page.locator('.lead').innerText(), lead);
    const promise =
        await page.locator('section', {hasText: 'How private it is'})
            .innerText();
    assert.match(promise, secret);
    assert.match(await page.locator('.key').innerText(), kept);
    const {privacy, privacy_in_words: words} = await describe(name);
    for (const paragraph of words.split('\n')) {
      assert.ok(promise.includes(paragraph), name);
    }
    if (privacy.protect === 'rows') {
      assert.doesNotMatch(promise, /inputs \([^)]*\) and .* public/);
    }
  }
});

test('never says that a probability is 0 or 100 %', async (t) => {
  const page = await open(t, release('loans_1'));
  for (const [probability, said] of [
           [0.99999, 'more than 99.9 %'],
           [0.00001, 'less than 0.1 %'],
           [0.25, '25 %'],
  ]) {
    await page.route('**/predict', (route) => route.fulfill({
      json: {
        probability: [probability],
        class: ['yes'],
        mean: [0],
        sd: [1],
        privacy_sd: [1],
      },
    }));
    await page.getByRole('button', {name: 'Ask'}).click();
    await page.getByText(`Probability of yes: ${said}.`).waitFor();
    await page.unroute('**/predict');
  }
});
