// Releases of every kind, made by the program from tables made up here, and
// the server over them.
import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

export const program = process.env.CLOAK_PROGRAM;

// The same numbers in every run (Lehmer's generator).
function uniform(seed) {
  let state = seed;
  return () => (state = state * 48271 % 2147483647) / 2147483647;
}

function table(seed, names, count, row) {
  const next = uniform(seed);
  const lines = [names.join(',')];
  for (let i = 0; i < count; ++i) lines.push(row(next).join(','));
  return `${lines.join('\n')}\n`;
}

const wave = (next) => next() + next() + next() - 1.5;

// More of them than have room side by side.
export const kTowns = [
  'Amsterdam',
  'Barcelona',
  'Bratislava',
  'Bucharest',
  'Copenhagen',
  'Edinburgh',
  'Frankfurt am Main',
  'Hamburg',
  'Helsinki',
  'Istanbul',
  'Krakow',
  'Lisbon',
  'Ljubljana',
  'London',
  'Luxembourg',
  'Madrid',
  'Marseille',
  'Milan',
  'Munich',
  'Naples',
  'Oslo',
  'Palma',
  'Paris',
  'Porto',
  'Prague',
  'Riga',
  'Rome',
  'Sofia',
  'Stockholm',
  'Tallinn',
  'Turin',
  'Valencia',
  'Vienna',
  'Vilnius',
  'Warsaw',
  'Zagreb',
  'Zurich',
  'elsewhere'
];
const kTrades = ['cook', 'driver', 'farmer', 'nurse', 'teacher', 'other'];
const among = (names, next) => names[Math.floor(names.length * next())];

const kTables = {
  growth: table(
      1, ['age', 'weight', 'sleep', 'height'], 400,
      (next) => {
        const age = 20 * next();
        const weight = 8 + 3 * age + 8 * wave(next);
        const sleep = 6 + 6 * next();
        const height = 70 + 90 * (1 - Math.exp(-age / 7)) +
            0.3 * (weight - 8 - 3 * age) + sleep + 4 * wave(next);
        return [age, weight, sleep, height].map((v) => v.toFixed(2));
      }),
  loans: table(
      2, ['debt', 'years', 'repaid'], 500,
      (next) => {
        const debt = 100 * next();
        const years = 30 * next();
        const odds = 3 - 0.08 * debt + 0.12 * years;
        return [
          debt.toFixed(1), years.toFixed(1),
          next() < 1 / (1 + Math.exp(-odds)) ? 'yes' : 'no'
        ];
      }),
  people: table(
      3, ['age', 'hours', 'sex'], 2000,
      (next) =>
          [(17 + 60 * next() * next() + 10 * next()).toFixed(1),
           Math.max(1, Math.min(80, 40 + 14 * wave(next))).toFixed(1),
           next() < 0.55 ? 'female' : 'male',
]),
  towns: table(
      4, ['town', 'trade'], 3000,
      (next) => [among(kTowns, next), among(kTrades, next)]),
  // Numbers that differ in their fifth digit, and persons with several rows.
  journeys: table(
      5, ['longitude', 'year', 'person', 'cost'], 120,
      (next) => {
        const longitude = -74 + 0.05 * next();
        const year = 2010 + 10 * next();
        const cost = 20000500 + 8000 * (longitude + 74) + 40 * (year - 2015) +
            100 * wave(next);
        return [
          longitude.toFixed(5), year.toFixed(2), Math.floor(40 * next()),
          cost.toFixed(1)
        ];
      }),
};

const kBudget = ['--epsilon', '2', '--delta', '1e-4'];
const kOutputs = ['--protect', 'outputs'];
const kHeight = ['--output', 'height', '--bounds', '50:200'];
const kCost =
    ['--output', 'cost', '--bounds', '20000000:20001000', ...kOutputs];
const kRepaid = [
  '--task', 'classification', '--output', 'repaid', '--classes', 'no,yes',
  ...kOutputs, '--kernel'
];
// What to release of each table, under the name of its file. Kernels are given
// where learning them would take seconds.
export const kReleases = {
  journeys_1: [
    'journeys', '--inputs', 'year', ...kCost, '--unit', 'person', '--kernel',
    'bias(250000) + eq(90000, lengthscale=5)', '--noise-variance', '2500'
  ],
  journeys_2: [
    'journeys', '--inputs', 'longitude,year', ...kCost, '--kernel',
    'bias(250000) + eq(90000, lengthscale=[0.03, 5])', '--noise-variance',
    '2500'
  ],
  growth_1: [
    'growth', '--inputs', 'age', ...kHeight, ...kOutputs, '--kernel',
    'bias(1000) + eq(900, lengthscale=6)', '--noise-variance', '25'
  ],
  growth_2: [
    'growth', '--inputs', 'age,weight', ...kHeight, ...kOutputs, '--kernel',
    'bias(1000) + eq(900, lengthscale=[6, 20])', '--noise-variance', '25'
  ],
  growth_3: [
    'growth', '--inputs', 'age,weight,sleep', ...kHeight, ...kOutputs,
    '--kernel', 'bias(1000) + eq(900, lengthscale=[6, 20, 10])',
    '--noise-variance', '25'
  ],
  growth_rows: [
    'growth', '--inputs', 'age,weight,sleep', ...kHeight, '--protect', 'rows',
    '--input-ranges', 'age=0:20,weight=0:80,sleep=6:12', '--kernel',
    'bias(1000) + eq(900, lengthscale=[6, 20, 10])', '--noise-variance', '25'
  ],
  loans_1: [
    'loans', '--inputs', 'debt', ...kRepaid, 'bias(4) + eq(9, lengthscale=40)'
  ],
  loans_2: [
    'loans', '--inputs', 'debt,years', ...kRepaid,
    'bias(4) + eq(9, lengthscale=[40, 15])'
  ],
  machine_1: [
    'loans', '--task', 'svm', '--inputs', 'debt', '--output', 'repaid',
    '--classes', 'no,yes', '--protect', 'rows', '--input-ranges', 'debt=0:100'
  ],
  machine_2: [
    'loans', '--task', 'svm', '--inputs', 'debt,years', '--output', 'repaid',
    '--classes', 'no,yes', '--protect', 'rows', '--input-ranges',
    'debt=0:100,years=0:30'
  ],
  people_1: [
    'people', '--task', 'histogram', '--inputs', 'age', '--bins', '16',
    '--protect', 'rows', '--input-ranges', 'age=15:95'
  ],
  people_2: [
    'people', '--task', 'histogram', '--inputs', 'age,sex', '--bins', 'age=8',
    '--categories', 'sex=female|male', '--protect', 'rows', '--input-ranges',
    'age=15:95'
  ],
  people_3: [
    'people', '--task', 'histogram', '--inputs', 'age,hours,sex', '--bins',
    'age=8,hours=6', '--categories', 'sex=female|male', '--protect', 'rows',
    '--input-ranges', 'age=15:95,hours=0:80'
  ],
  towns_1: [
    'towns', '--task', 'histogram', '--inputs', 'town', '--categories',
    `town=${kTowns.join('|')}`, '--protect', 'rows'
  ],
  towns_2: [
    'towns', '--task', 'histogram', '--inputs', 'town,trade', '--categories',
    `town=${kTowns.join('|')},trade=${kTrades.join('|')}`, '--protect', 'rows'
  ],
  spread_1: [
    'people', '--task', 'density', '--inputs', 'age', '--protect', 'rows',
    '--input-ranges', 'age=15:95'
  ],
  spread_2: [
    'people', '--task', 'density', '--method', 'functional', '--inputs',
    'age,hours', '--protect', 'rows', '--input-ranges', 'age=15:95,hours=0:80'
  ],
};

export function makeReleases(directory) {
  mkdirSync(directory, {recursive: true});
  for (const [name, text] of Object.entries(kTables)) {
    writeFileSync(join(directory, `${name}.csv`), text);
  }
  for (const [name, [source, ...options]] of Object.entries(kReleases)) {
    cloak(
        'release', join(directory, `${source}.csv`), ...options, ...kBudget,
        '-o', join(directory, `${name}.cloak`));
  }
}

export function cloak(...args) {
  return execFileSync(program, args, {encoding: 'utf8', stdio: 'pipe'});
}

// Serves a directory on a free port until it is stopped.
export async function serve(directory, ...options) {
  const child = spawn(
      program, ['serve', directory, '--port', '0', '--quiet', ...options],
      {stdio: ['ignore', 'ignore', 'pipe']});
  let said = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes) => {
      said += bytes;
      const found = /https?:\/\/\S+\//.exec(said);
      if (found) resolve(found[0]);
    });
    child.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  return {
    url,
    stop: () => new Promise((resolve) => {
      child.on('exit', resolve);
      child.kill('SIGTERM');
    })
  };
}
