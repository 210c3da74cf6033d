import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { aesCodec } from 'agentcharter/stores';
import { both, first, keyOf, keys, second } from './places.ts';

const plain = new Uint8Array(Buffer.from('a name that nobody else has'));

const base64 = (key: Uint8Array): string => Buffer.from(key).toString('base64');

describe('aesCodec', () => {
  it('gives back what it encoded, of any length', () => {
    for (const length of [0, 1, 15, 16, 70_000]) {
      const bytes = new Uint8Array(randomBytes(length));
      expect(new Uint8Array(first.decode(first.encode(bytes)))).toEqual(bytes);
    }
  });

  it('encodes the same bytes to others each time', () => {
    const times = Array.from({ length: 100 }, () => Buffer.from(first.encode(plain)).toString('hex'));
    expect(new Set(times).size).toBe(100);
    expect(times.join('')).not.toContain(Buffer.from(plain).toString('hex'));
  });

  it('is AES-256-GCM with the name of its key in front, which is authenticated', () => {
    const encoded = Buffer.from(second.encode(plain));
    const [header, nonce] = [encoded.subarray(0, 3), encoded.subarray(3, 15)];
    expect(header.toString('latin1')).toBe('\u0002k2');
    const cipher = createCipheriv('aes-256-gcm', keys.k2, nonce).setAAD(header);
    const text = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    expect(encoded.subarray(15)).toEqual(text);
    const twin = aesCodec({ keys: { k1: keys.k2 }, current: 'k1' });
    encoded.set(Buffer.from('k1'), 1);
    expect(() => twin.decode(encoded)).toThrow('key "k1" is not the one');
  });

  it('reads what each of its keys encoded, and encodes with the current one', () => {
    for (const codec of [first, second, both])
      expect(Buffer.from(both.decode(codec.encode(plain)))).toEqual(Buffer.from(plain));
    expect(Buffer.from(second.decode(both.encode(plain)))).toEqual(Buffer.from(plain));
  });

  it('names the key that is missing, and what to do', () => {
    expect(() => second.decode(first.encode(plain))).toThrow(
      expect.objectContaining({
        code: 'store_unusable',
        message: 'aes codec: key "k1" is missing, it has k2; add that key to `keys`',
      }),
    );
  });

  it('takes keys as bytes or as base64, with and without padding', () => {
    const text = base64(keys.k1);
    const urlSafe = Buffer.from(keys.k1).toString('base64url');
    for (const k1 of [text, text.replace('=', ''), urlSafe]) {
      const codec = aesCodec({ keys: { k1 }, current: 'k1' });
      expect(Buffer.from(codec.decode(first.encode(plain)))).toEqual(Buffer.from(plain));
    }
  });

  it('keeps a key as it was, whatever becomes of the array', () => {
    const key = keyOf(1);
    const codec = aesCodec({ keys: { k1: key }, current: 'k1' });
    key.fill(0);
    expect(Buffer.from(first.decode(codec.encode(plain)))).toEqual(Buffer.from(plain));
  });

  it('refuses every changed byte, and every cut', () => {
    const encoded = first.encode(plain);
    for (const at of encoded.keys()) {
      const changed = Uint8Array.from(encoded, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(() => both.decode(changed)).toThrow(/changed|missing/);
      expect(() => both.decode(encoded.subarray(0, at))).toThrow(/changed/);
    }
  });

  const secret = base64(keyOf(5));
  test.each<readonly [path: string, options: unknown]>([
    ['', undefined],
    ['', []],
    ['/key', { key: {}, current: 'k1' }],
    ['/keys', { current: 'k1' }],
    ['/current', { keys: {}, current: 'k1' }],
    ['/current', { keys: { k1: secret } }],
    ['/current', { keys: { k1: secret }, current: 'toString' }],
    ['/keys/k1', { keys: { k1: secret.slice(4) }, current: 'k1' }],
    ['/keys/k1', { keys: { k1: `${secret}A` }, current: 'k1' }],
    ['/keys/k1', { keys: { k1: keyOf(5).subarray(1) }, current: 'k1' }],
    ['/keys/k1', { keys: { k1: 7 }, current: 'k1' }],
    ['/keys', { keys: { [secret]: secret }, current: secret }],
    ['/keys', { keys: { [secret.replace('=', '')]: keyOf(1) }, current: secret.replace('=', '') }],
    ['/keys', { keys: { 'k:1': secret }, current: 'k:1' }],
  ])('refuses options at %s', (path, options) => {
    let error: unknown;
    try {
      aesCodec(options as Parameters<typeof aesCodec>[0]); // from JavaScript
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: 'definition_invalid' });
    expect(error).toMatchObject({
      details: { issues: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
    expect(JSON.stringify(error) + String(error)).not.toContain(secret.slice(4, 20));
  });
});
