import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** Why there is no browser, for `skip(noBrowser)`; `null` where there is one. */
export const noBrowser =
  executablePath === undefined ? 'Chromium is not installed: apt-get install chromium' : null;

/** A Chromium of its own, which whoever opens it closes. It asks nothing of the network but what its pages ask. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
