import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import manifest from './rare/package.json' with { type: 'json' };

const { ON_NODE } = process.env;

/** `npm run test:node` names a version and puts it first in the path: if it is missing there, another would answer. */
describe.runIf(ON_NODE !== undefined)(`Node.js ${ON_NODE}`, () => {
  const pinned = `v${new Map(Object.entries(manifest.optionalDependencies)).get(`node-${ON_NODE}`)?.split('@')[1]}`;

  it('is the pinned version', () => {
    expect(pinned.startsWith(`v${ON_NODE}.`)).toBe(true);
  });

  it('runs these tests', () => {
    expect(process.version).toBe(pinned);
  });

  it.each(['node', 'npm'])('runs what they call: %s', (name) => {
    // As a command: "npm exec -- node" would take the node beside npm's global packages, if there is one.
    const args = name === 'npm' ? ['exec', '--call', 'node --version'] : ['--version'];
    expect(execFileSync(name, args, { encoding: 'utf8' }).trim()).toBe(pinned);
  });
});
