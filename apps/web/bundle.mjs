// bundle.mjs DIRECTORY OUT.cc: the page as C++ constants. DIRECTORY has the
// node_modules that npm installed.
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const [directory, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const {build} = createRequire(join(directory, 'package.json'))('esbuild');
const modules = join(directory, 'node_modules');

const bundled = await build({
  entryPoints:
      {app: join(here, 'src/main.ts'), style: join(here, 'src/style.css')},
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  nodePaths: [modules],
  outdir: directory,
  write: false,
  metafile: true,
});

// Whoever gets a copy of a package gets its licence too.
function licences() {
  const names = new Set();
  for (const input of Object.keys(bundled.metafile.inputs)) {
    const found = /node_modules\/((@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[1]);
  }
  return [...names]
      .sort()
      .map((name) => {
        const file = join(modules, name, 'LICENSE');
        if (!existsSync(file)) throw new Error(`${name} has no LICENSE`);
        return `${name}\n${readFileSync(file, 'utf8').trim()}`;
      })
      .join('\n\n');
}

const text = (extension) =>
    bundled.outputFiles.find(({path}) => path.endsWith(extension)).text;
const script = `/*\n${licences()}\n*/\n${text('.js')}`;
const style = text('.css');
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
