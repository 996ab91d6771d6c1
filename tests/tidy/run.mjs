// run.mjs BUILD: compiles every header, and every file of the program and the
// library, alone, so that one that does not include what it needs is found (a
// header that its own source includes first is compiled with that); and has
// clang-tidy check all files of the repository, in the batches that BUILD
// was configured to compile them in (one file after another takes much longer:
// most of the time goes into Eigen and GoogleTest, in every file anew).
//
// What passed is remembered, under a hash of all that its outcome depends on:
// the command, the checks, the versions of the compiler and of the packages
// that have the headers, and the contents of the file and of everything of ours
// that it includes. A clone elsewhere has the same hashes.
import {execFile, execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import * as fs from 'node:fs';
import {availableParallelism, homedir} from 'node:os';
import * as path from 'node:path';

const kTidy = 'clang-tidy-14';
const kCompiler = 'clang++-14';
// Without the vector instructions of Eigen there is less to walk through.
const kOptions = ['--quiet', '--extra-arg=-DEIGEN_DONT_VECTORIZE'];
// The checks that find most in tests for their time.
const kTestChecks = '--checks=-*,bugprone-use-after-move,' +
    'cppcoreguidelines-init-variables,readability-identifier-naming,' +
    'modernize-use-override';
const kCache = path.join(
    process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'cloak-tidy');

const root = process.cwd();
const hashes = new Map();

function hashOf(file) {
  if (!hashes.has(file)) {
    const text = fs.readFileSync(file, 'utf8').replaceAll(root, '.');
    const hash = createHash('sha256').update(text);
    hashes.set(file, hash.digest('hex'));
  }
  return hashes.get(file);
}

// Returns a file and the headers of ours that it includes, directly or not, as
// paths.
function closure(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, header] of fs.readFileSync(file, 'utf8')
           .matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"]+)"/gm)) {
    const resolved = [
      path.join(root, 'src', header), path.join(root, header), header
    ].find((place) => fs.existsSync(place));
    if (resolved) closure(resolved, found);
  }
  return found;
}

function keyOf(file, words) {
  return createHash('sha256')
      .update(words.join(' ').replaceAll(root, '.'))
      .update([...closure(file)].map(hashOf).sort().join(' '))
      .update(kAlways)
      .digest('hex');
}

function tidyTasks(build) {
  const commands =
      JSON.parse(fs.readFileSync(path.join(build, 'compile_commands.json')));
  return commands.filter(({file}) => !file.includes('web_assets'))
      .map(({file, command}) => {
        const checks = /_(test|benchmark)\.(cc|dir)/.test(file) ?
            [...kOptions, kTestChecks] :
            kOptions;
        return {
          file,
          key: keyOf(file, [command, ...checks]),
          command: [kTidy, ...checks, '-p', build, file],
        };
      });
}

function isOfProgram(file) {
  return /^(src|apps)\/.*(?<!_test)\.cc$/.test(file);
}

// Whether the source of this name is compiled alone, and includes this header
// before anything else.
function isFirstInItsSource(header) {
  const source = header.replace(/\.h$/, '.cc');
  if (source === header || !isOfProgram(source) || !fs.existsSync(source)) {
    return false;
  }
  const [, first] =
      /^#include +["<]([^">]+)[">]/m.exec(fs.readFileSync(source, 'utf8')) ??
      [];
  return header === first || header === `src/${first}`;
}

function aloneTasks(build) {
  const commands =
      fs.readFileSync(path.join(build, 'compile_commands.json'), 'utf8');
  const places = new Set(commands.match(/-(I|isystem )\/[^ "]+/g));
  // Names of files and the like, which some targets are told.
  const told = new Set([...commands.matchAll(/-D(CLOAK_\w+)=/g)].map(
      ([, name]) => `-D${name}=""`));
  const options =
      [...places].flatMap((place) => place.split(' ')).concat(...told);
  const folders = ['src', 'apps', 'tests', 'experiments', 'benchmarks'];
  return execFileSync(
             'find', [...folders, '-name', '*.h', '-o', '-name', '*.cc'],
             {encoding: 'utf8'})
      .trim()
      .split('\n')
      .filter((file) => isOfProgram(file) || /\.h$/.test(file))
      .filter((file) => !isFirstInItsSource(file))
      .map((name) => {
        const file = path.join(root, name);
        const command = [
          kCompiler, '-std=c++20', '-fsyntax-only', '-DEIGEN_USE_BLAS',
          '-DEIGEN_DONT_VECTORIZE', ...options, '-x', 'c++', file
        ];
        return {file, key: keyOf(file, command), command};
      });
}

// Whatever is not ours but could change the outcome.
const kAlways = [
  hashOf('.clang-tidy'),
  execFileSync(kTidy, ['--version'], {encoding: 'utf8'}),
  execFileSync(
      'dpkg-query', ['--show', 'g++', 'lib*-dev', 'nlohmann-json3-dev'],
      {encoding: 'utf8'}),
].join('\n');

async function passes({file, key, command: [program, ...words]}) {
  if (fs.existsSync(path.join(kCache, key))) return true;
  return new Promise(resolve => {
    execFile(program, words, {maxBuffer: 2 ** 28}, (error, stdout, stderr) => {
      if (error) {
        console.log(`${file}:\n${stdout}${program === kTidy ? '' : stderr}`);
      } else {
        fs.writeFileSync(path.join(kCache, key), '');
      }
      ++checked;
      resolve(!error);
    });
  });
}

let checked = 0;
fs.mkdirSync(kCache, {recursive: true});
const [build] = process.argv.slice(2);
const tasks = [...aloneTasks(build), ...tidyTasks(build)];
const queue = [...tasks];
let failed = 0;
await Promise.all(Array.from({length: availableParallelism()}, async () => {
  for (let task = queue.pop(); task; task = queue.pop()) {
    if (!await passes(task)) ++failed;
  }
}));
console.log(
    `${tasks.length} files: ${checked} checked, ${failed} with findings, ` +
    `the others as when they passed before`);
process.exit(failed === 0 && tasks.length > 0 ? 0 : 1);
