import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import own from '../../../src/packing/gateway/package.json' with { type: 'json' };
import library from '../../../package.json' with { type: 'json' };
import { builtPackage } from '../../built.ts';
import { stand } from '../apps/gateway/stand.ts';

it('agentcharter-gateway needs this version of the library, and its peers in the versions that it accepts', () => {
  const { agentcharter, ...peers } = own.dependencies;
  expect([own.version, agentcharter]).toEqual([library.version, library.version]);
  expect(library.peerDependencies).toMatchObject(peers);
  expect(own.engines).toEqual(library.engines);
});

it('agentcharter-gateway runs the gateway', async () => {
  const folder = await stand();
  const place = join(folder, 'modules/agentcharter-gateway');
  await mkdir(join(folder, 'modules/node_modules'), { recursive: true });
  await cp(fileURLToPath(new URL('../../../src/packing/gateway', import.meta.url)), place, {
    recursive: true,
  });
  await symlink((await builtPackage()).folder, join(folder, 'modules/node_modules/agentcharter'));
  const args = [join(place, 'bin.js'), 'charter.yaml', '--check'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toContain('shop_refund');
});
