// Debian's Chromium, driven by Playwright.
import {createRequire} from 'node:module';
import {join} from 'node:path';

export const require =
    createRequire(join(process.env.CLOAK_NODE_MODULES, '..', 'package.json'));

export function launch() {
  return require('playwright-core').chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

// Waits as long as a busy machine may need.
export async function newContext(browser, options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000);
  return context;
}
