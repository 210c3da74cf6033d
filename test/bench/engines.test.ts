import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createEngine, missingPeers, own, peers, type EngineName } from './engines/registry.ts';
import { approvalOf, newRequest } from './work.ts';

const missing = missingPeers(fileURLToPath(new URL('peers', import.meta.url)));
if (missing !== null) console.log(`The engines of peers are not tested. ${missing}`);

const names = [...Object.keys(own), ...(missing === null ? Object.keys(peers) : [])] as EngineName[];

describe.each(names)('%s', (name) => {
  it('delivers a write that pauses and is approved', async () => {
    const { gated } = await createEngine(name);
    const request = newRequest('write_high_risk');
    expect(await gated(request, approvalOf(request))).toBe('deliver');
  });

  it('delivers no write that is rejected', async () => {
    const { gated } = await createEngine(name);
    const request = newRequest('write_high_risk');
    expect(await gated(request, approvalOf(request, false))).not.toBe('deliver');
  });

  it('delivers a read at once', async () => {
    const { straight } = await createEngine(name);
    expect(await straight(newRequest('read_only'))).toBe('deliver');
  });
});
