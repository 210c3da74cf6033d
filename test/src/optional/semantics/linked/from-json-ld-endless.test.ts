import { fromJsonLd, toJsonLd } from 'agentcharter/semantics';
import { expect, it } from 'vitest';
import { messageOf } from './messages.ts';

it('Malformed input that would take minutes is stopped, and the next document is read', async () => {
  const own = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`t${at}`, 'urn:t']));
  const nodes = Array.from({ length: 20_000 }, (_, at) => ({
    '@context': { [`z${at}`]: 'urn:z' },
    'urn:q': at,
  }));
  await expect(fromJsonLd({ '@context': own, '@graph': nodes })).rejects.toThrow(
    expect.objectContaining({
      name: 'CharterError',
      code: 'input_unreadable',
      message: expect.stringMatching(/takes too long, or too much memory, to expand/),
    }),
  );
  const message = messageOf({ name: 'Ada', scores: [1, 2] });
  expect(await fromJsonLd(toJsonLd(message))).toEqual(message);
});
