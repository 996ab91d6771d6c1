// bundle.mjs ESBUILD DIRECTORY OUT.cc: the page as C++ constants. ESBUILD is
// the program of Debian's package esbuild, and what it bundles are Debian's
// packages node-d3-*. DIRECTORY is for files in between.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const [esbuild, directory, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const modules = '/usr/share/nodejs';
const metafile = join(directory, 'bundle.json');

execFileSync(
    esbuild,
    [
      `app=${join(here, 'src/main.ts')}`,
      `style=${join(here, 'src/style.css')}`,
      '--bundle',
      '--minify',
      '--format=esm',
      '--target=es2022',
      '--charset=utf8',
      '--legal-comments=none',
      '--log-level=warning',
      // Modules, of which only what is used is taken, before older formats.
      '--main-fields=module,main',
      `--outdir=${directory}`,
      `--metafile=${metafile}`,
    ],
    {stdio: 'inherit', env: {...process.env, NODE_PATH: modules}});

// Whoever gets a copy of a package gets its licence too. A module that Debian
// ships inside the package of another has its licence there.
const kShippedWith = {
  internmap: 'd3-array'
};

function licences() {
  const names = new Set();
  const {inputs} = JSON.parse(readFileSync(metafile, 'utf8'));
  for (const input of Object.keys(inputs)) {
    const found = /usr\/share\/nodejs\/((@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(kShippedWith[found[1]] ?? found[1]);
  }
  if (names.size === 0) throw new Error('the page was bundled without d3');
  return [...names]
      .sort()
      .map((name) => {
        const file = `/usr/share/doc/node-${name}/copyright`;
        if (!existsSync(file)) throw new Error(`${file} is missing`);
        return `${name}\n${readFileSync(file, 'utf8').trim()}`;
      })
      .join('\n\n');
}

const script =
    `/*\n${licences()}\n*/\n${readFileSync(join(directory, 'app.js'), 'utf8')}`;
const style = readFileSync(join(directory, 'style.css'), 'utf8');
const index = readFileSync(join(here, 'index.html'), 'utf8');

// Both also stand inside an HTML file, which must not see their end early.
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) {
  throw new Error('the bundle has text that ends a script or style element');
}

const hash = (content) =>
    `sha256-${createHash('sha256').update(content).digest('base64')}`;
const constant = (name, content) => {
  const end = 'CLOAKWEB';
  if (content.includes(`)${end}"`)) throw new Error(`${name} ends too early`);
  return `const std::string_view ${name} = R"${end}(${content})${end}";\n`;
};

writeFileSync(out, `#include "apps/web/web_assets.h"

namespace cloak {

${constant('kIndexHtml', index)}
${constant('kAppScript', script)}
${constant('kAppStyle', style)}
${constant('kAppScriptHash', hash(script))}
${constant('kAppStyleHash', hash(style))}
}  // namespace cloak
`);
