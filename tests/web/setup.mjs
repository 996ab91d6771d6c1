// A server over releases of every kind and a browser, for all tests of the page
// together, and what they share.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before} from 'node:test';

import {launch, newContext, require} from './browser.mjs';
import {makeReleases, serve} from './releases.mjs';

const axe = require.resolve('axe-core/axe.min.js');
export let directory;
export let browser;
export let server;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cloak-web-'));
  makeReleases(directory);
  server = await serve(directory);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(directory, {recursive: true, force: true});
});

// A page that fails the test when it complains or asks anybody else.
export async function open(t, address, options = {}) {
  const context = await newContext(
      browser, {viewport: {width: 1200, height: 900}, ...options});
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !/^(data|blob):/.test(url) &&
        url !== address) {
      complaints.push(`asked ${url}`);
    }
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(address);
  await page.waitForSelector('h1');
  return page;
}

export const release = (name) => `${server.url}#${name}`;

export async function drawn(page) {
  await page.waitForSelector('.stage[aria-busy="false"] svg');
}

// Waits until what is asserted holds, as long as a busy machine may need.
export async function eventually(check) {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > end) {
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function ask(name, what, body) {
  const response = await fetch(`${server.url}api/v1/releases/${name}/${what}`, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response.json();
}

export async function describe(name) {
  return (await fetch(`${server.url}api/v1/releases/${name}`)).json();
}

// What the page draws first, on a grid of so many points by the number of
// inputs.
export async function plotOf(name, points) {
  const {task, inputs} = await describe(name);
  return ask(name, 'plot', task === 'histogram' ? {} : {
    inputs: inputs.slice(0, 2).map((input) => input.name),
    points: points[inputs.length - 1],
  });
}

// The table under a plot, as numbers.
export async function tableOf(page) {
  return page.$$eval(
      '.stage table tbody tr',
      (rows) => rows.map(
          (row) => [...row.cells].map(
              (cell) => Number(cell.textContent.replace('−', '-')))));
}

export function close(actual, expected, message) {
  const tolerance = 1e-3 * Math.max(1e-3, Math.abs(expected));
  assert.ok(
      Math.abs(actual - expected) <= tolerance,
      `${message}: ${actual} instead of ${expected}`);
}

export async function seriousFindings(page) {
  await page.addScriptTag({path: axe})
      .catch(() => page.evaluate(readFileSync(axe, 'utf8')));
  const {violations} = await page.evaluate(() => globalThis.axe.run());
  return violations
      .filter(({impact}) => ['serious', 'critical'].includes(impact))
      .map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(' ')}`);
}
