import { chromium, type Browser } from 'playwright-core';
import { whereIs } from './needs.ts';
import { patience } from './waits.ts';

/** A Chromium of its own, which whoever opens it closes. It asks nothing of the network but what its pages ask. */
export const openBrowser = (): Promise<Browser> => {
  const executablePath = whereIs('chromium');
  return chromium.launch({
    timeout: patience,
    ...(executablePath !== null && { executablePath }),
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
};
