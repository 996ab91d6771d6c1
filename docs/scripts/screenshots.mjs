// Makes docs/images/page-*.png: the web page of a server over releases of the
// simulated survey and of the tables of tests/web.
//
//   cmake --preset test && cmake --build build --target cloak_program
//   tests/web/fetch build/tests/web
//   CLOAK_PROGRAM=build/cloak \
//     CLOAK_NODE_MODULES=build/tests/web/node_modules \
//     node docs/scripts/screenshots.mjs
import {mkdtempSync, renameSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

process.env.CLOAK_NODE_MODULES = resolve(process.env.CLOAK_NODE_MODULES);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {launch} = await import(join(root, 'tests/web/browser.mjs'));
const {cloak, makeReleases, serve} =
    await import(join(root, 'tests/web/releases.mjs'));

// The curve that the survey was made from (examples/survey/make_survey.cc).
const kAges = [0.5, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 45, 80];
const kHeights =
    [67, 75, 87, 102, 116, 128, 138, 150, 161, 167, 169.5, 170, 170, 165];
function truth(age) {
  const next = Math.max(1, kAges.findIndex((known) => known >= age));
  const share = (age - kAges[next - 1]) / (kAges[next] - kAges[next - 1]);
  return kHeights[next - 1] + share * (kHeights[next] - kHeights[next - 1]);
}

// Of nine releases of the survey, the one whose error is in the middle: a
// picture should neither flatter nor scare.
function releaseHeights(file) {
  const survey = join(root, 'examples/survey/simulated_heights.csv');
  const scored = [];
  for (let k = 0; k < 9; ++k) {
    const tried = `${file}.${k}`;
    cloak(
        'release', survey, '--inputs', 'age', '--output', 'height', '--bounds',
        '60:200', '--protect', 'outputs', '--epsilon', '1', '--delta', '1e-3',
        '-o', tried);
    const [header, ...rows] = cloak('predict', tried, survey, '--latent')
                                  .trim()
                                  .split('\n')
                                  .map((line) => line.split(','));
    const age = header.indexOf('age');
    const mean = header.indexOf('mean');
    const error = rows.reduce(
        (sum, row) => sum + (Number(row[mean]) - truth(Number(row[age]))) ** 2,
        0);
    scored.push({error, tried});
  }
  scored.sort((a, b) => a.error - b.error);
  renameSync(scored[4].tried, file);
  for (const {tried} of scored) rmSync(tried, {force: true});
}

const directory = mkdtempSync(join(tmpdir(), 'cloak-pictures-'));
makeReleases(directory);
releaseHeights(join(directory, 'heights.cloak'));
const server = await serve(directory);
const browser = await launch();

// Picture, release, and how to look at it.
const kPictures = [
  ['curve', 'heights', {height: 800}],
  ['map', 'growth_3', {height: 840, colorScheme: 'dark'}],
  ['histogram', 'people_1', {height: 760}],
  ['privacy', 'heights', {height: 900, section: '.columns > section'}],
  ['phone', 'loans_1', {width: 390, height: 844, colorScheme: 'dark'}],
];
for (const [picture, release, options] of kPictures) {
  const {width = 1100, height, colorScheme = 'light', section} = options;
  const page = await browser.newPage({colorScheme, viewport: {width, height}});
  await page.goto(`${server.url}#${release}`);
  await page.waitForSelector('.stage[aria-busy="false"] svg');
  const path = join(root, `docs/images/page-${picture}.png`);
  if (section)
    await page.locator(section).screenshot({path});
  else
    await page.screenshot({path});
  await page.close();
}
await browser.close();
await server.stop();
rmSync(directory, {recursive: true, force: true});
