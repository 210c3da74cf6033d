import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { isCharterError } from 'agentcharter';
import { sealRun, unsealRun } from 'agentcharter/adapters/openai-agents';
import { CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';

const key = new Uint8Array(32).fill(7);
const kept = {
  taskId: 'task-1',
  state: '{"$schemaVersion":"1.22"}',
  draft: { payload: { said: 'done' } },
};

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (isCharterError(error, 'input_unreadable')) return error.details.reason;
    if (isCharterError(error, 'definition_invalid'))
      return error.details.issues.map((issue) => issue.message).join();
    throw error;
  }
  return 'read';
};

const signed = (header: { readonly alg: string; readonly typ?: string }, text = JSON.stringify(kept)) =>
  new CompactSign(Buffer.from(text)).setProtectedHeader(header).sign(new Uint8Array(64).fill(7));

describe('The kept state of an agent', () => {
  it.each([key, createSecretKey(key)])('is readable with the key', async (secret) => {
    expect(await unsealRun(await sealRun(kept, secret), secret, 'task-1')).toEqual(kept);
  });

  it('is refused under another key and for another task', async () => {
    const text = await sealRun(kept, key);
    expect(await refusal(unsealRun(text, new Uint8Array(32).fill(8), 'task-1'))).toBe('its seal is invalid');
    expect(await refusal(unsealRun(text, key, 'task-2'))).toBe('it is of another task');
  });

  it('is refused without a sealRun, and with an invalid one', async () => {
    const secret = new Uint8Array(64).fill(7);
    const [, payload = ''] = (await sealRun(kept, key)).split('.');
    const none = `${Buffer.from('{"alg":"none","typ":"kept-run+jws"}').toString('base64url')}.${payload}.`;
    const others = [
      kept.state,
      '',
      none,
      await signed({ alg: 'HS512', typ: 'kept-run+jws' }),
      await signed({ alg: 'HS256' }),
    ];
    for (const text of others)
      expect(await refusal(unsealRun(text, secret, 'task-1'))).toBe('its seal is invalid');
    expect(
      await refusal(unsealRun(await signed({ alg: 'HS256', typ: 'kept-run+jws' }), secret, 'task-1')),
    ).toBe('read');
  });

  it('is refused after a change of any character', async () => {
    const text = await sealRun(kept, key);
    const letter = fc.constantFrom(
      ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), letter, async (at, other) => {
        fc.pre(text[at] !== other);
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        // the last letter of base64url has bits that are no part of what it says
        const isSame = Buffer.from(changed, 'base64url').equals(Buffer.from(text, 'base64url'));
        fc.pre(!isSame && at !== text.length - 1);
        expect(await refusal(unsealRun(changed, key, 'task-1'))).toBe('its seal is invalid');
      }),
    );
  });

  it.each<[got: string, key: unknown]>([
    ['31 bytes', new Uint8Array(31)],
    ['0 bytes', new Uint8Array(0)],
    ['16 bytes', createSecretKey(new Uint8Array(16))],
    ['a public key', generateKeyPairSync('ed25519').publicKey],
    ['a string', 'x'.repeat(64)],
    ['an object', new ArrayBuffer(32)],
    ['none', undefined],
  ])('is not sealed with a weak key: got %s', async (got, weak) => {
    const message = `got ${got}: expected a Uint8Array or KeyObject of 32 bytes or more`;
    expect(await refusal(sealRun(kept, weak as Uint8Array))).toBe(message);
    expect(await refusal(unsealRun('', weak as Uint8Array, 'task-1'))).toBe(message);
  });
});
