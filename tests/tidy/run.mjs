// run.mjs BUILD…: clang-tidy on every file of the repository that was compiled
// in these build trees (one that is in several, as in the first of them).
//
// Most of the time goes into Eigen and GoogleTest, in every file anew. So what
// passed is remembered, under a hash of all that its outcome depends on: the
// command, the checks, the version of clang-tidy and the contents of the file
// and of every header it includes. A clone elsewhere has the same hashes.
import {execFile, execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import * as fs from 'node:fs';
import {availableParallelism, homedir} from 'node:os';
import * as path from 'node:path';

const kTidy = 'clang-tidy-14';
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
    const hash = createHash('sha256').update(fs.readFileSync(file));
    hashes.set(file, hash.digest('hex'));
  }
  return hashes.get(file);
}

// Of each object file, what it was compiled from.
function dependencies(build) {
  const all = new Map();
  let current = [];
  const text = execFileSync(
      'ninja', ['-C', build, '-t', 'deps'],
      {encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 2]});
  for (const line of text.split('\n')) {
    const object = /^(\S+): #deps/.exec(line);
    if (object) {
      all.set(object[1], current = []);
    } else if (line.startsWith('    ')) {
      current.push(path.resolve(build, line.trim()));
    }
  }
  return all;
}

function tasksOf(build) {
  const included = dependencies(build);
  const commands =
      JSON.parse(fs.readFileSync(path.join(build, 'compile_commands.json')));
  return commands.map(({file, command}) => {
    const checks = /_(test|benchmark)\.cc$/.test(file) ?
        [...kOptions, kTestChecks] :
        kOptions;
    // A file without dependencies has not been compiled: nothing to remember.
    const headers = included.get(/ -o (\S+)/.exec(command)[1]);
    const key = headers &&
        createHash('sha256')
            .update(command.replaceAll(root, '.'))
            .update(checks.join(' '))
            .update(headers.map(hashOf).sort().join(' '))
            .update(kAlways)
            .digest('hex');
    return {file, key, arguments: [...checks, '-p', build, file]};
  });
}

const kAlways = hashOf('.clang-tidy') +
    execFileSync(kTidy, ['--version'], {encoding: 'utf8'});

async function passes(task) {
  if (task.key && fs.existsSync(path.join(kCache, task.key))) return true;
  return new Promise(resolve => {
    execFile(kTidy, task.arguments, {maxBuffer: 2 ** 28}, (error, stdout) => {
      if (error) {
        console.log(`${task.file}:\n${stdout}`);
      } else if (task.key) {
        fs.writeFileSync(path.join(kCache, task.key), '');
      }
      ++checked;
      resolve(!error);
    });
  });
}

let checked = 0;
fs.mkdirSync(kCache, {recursive: true});
const tasks = new Map();
for (const build of process.argv.slice(2)) {
  for (const task of tasksOf(build)) {
    if (!tasks.has(task.file) && !task.file.includes('/compile_fail/') &&
        task.file.startsWith(root) && !task.file.startsWith(`${root}/build`)) {
      tasks.set(task.file, task);
    }
  }
}
const queue = [...tasks.values()];
let failed = 0;
await Promise.all(Array.from({length: availableParallelism()}, async () => {
  for (let task = queue.pop(); task; task = queue.pop()) {
    if (!await passes(task)) ++failed;
  }
}));
console.log(
    `${tasks.size} files: ${checked} checked, ${failed} with findings, ` +
    `the others as when they passed before`);
process.exit(failed === 0 && tasks.size > 0 ? 0 : 1);
