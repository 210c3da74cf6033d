import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  nothingRedacted,
  redactedText,
  strictRedaction,
  type RedactedKind,
} from '../../../../src/core/shell/redact.ts';
import { refusalOf } from '../../base/canonical/generated.ts';
import { refused } from '../../base/canonical/refused.ts';

const kinds: readonly RedactedKind[] = ['request', 'result', 'feedback', 'explanation'];

describe('a redaction function', () => {
  it('receives each document and its kind', () => {
    const asked: unknown[] = [];
    const redact = strictRedaction((document, kind) => {
      asked.push([document, kind]);
      return kind;
    });
    expect(kinds.map((kind) => redact({ about: kind }, kind))).toEqual(kinds);
    expect(asked).toEqual(kinds.map((kind) => [{ about: kind }, kind]));
  });

  it('may remove a part or replace it', () => {
    const redact = strictRedaction((document) => ({ ...(document as object), card: '****', cvc: null }));
    expect(redact({ name: 'Kim', card: '4111', cvc: '123' }, 'request')).toEqual({
      name: 'Kim',
      card: '****',
      cvc: null,
    });
  });

  it('has its answer copied and frozen', () => {
    const answer = { deep: { card: '****' } };
    const read = strictRedaction(() => answer)(null, 'result');
    answer.deep.card = '4111';
    expect(read).toEqual({ deep: { card: '****' } });
    expect(Object.isFrozen(read)).toBe(true);
    expect(Object.isFrozen((read as typeof answer).deep)).toBe(true);
  });

  it.each(refused)('may return only plain JSON: %s is rejected', (_, value, path) => {
    for (const kind of kinds) {
      const { details } = refusalOf(() => strictRedaction(() => value)({}, kind));
      expect(details).toMatchObject({ document: kind, path });
    }
  });

  it.each<[string, unknown]>([
    ['a promise', Promise.resolve({})],
    ['an integer that not every reader holds exactly', { n: 2 ** 53 }],
  ])('is rejected when it returns %s', (_, value) => {
    expect(refusalOf(() => strictRedaction(() => value)({}, 'result')).details.document).toBe('result');
  });

  it('that throws stops the operation and leaks nothing', () => {
    const redact = strictRedaction(() => {
      throw new Error('card 4111 1111');
    });
    const error: unknown = (() => {
      try {
        return redact({}, 'feedback');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code: 'input_unreadable' });
    expect(inspect(error, { depth: 9 })).not.toContain('4111');
  });

  it('is optional: without one, nothing is removed', () => {
    const document = { card: '4111' };
    for (const kind of kinds) expect(nothingRedacted(document, kind)).toBe(document);
  });
});

describe('text under a redaction function', () => {
  const withheld = 'Withheld: it could not be redacted.';

  it('is passed as an explanation and kept as returned', () => {
    const asked: unknown[] = [];
    const kept = redactedText((text, kind) => {
      asked.push([text, kind]);
      return 'card ****';
    }, 'card 4111');
    expect([kept, asked]).toEqual(['card ****', [['card 4111', 'explanation']]]);
    expect(redactedText(nothingRedacted, 'card 4111')).toBe('card 4111');
    expect(redactedText(() => '', 'card 4111')).toBe('');
  });

  it.each([null, undefined, 4111, true, ['card'], { text: 'card' }])(
    'is withheld when the function returns %j',
    (answer) => {
      expect(redactedText(() => answer, 'card 4111')).toBe(withheld);
      expect(
        redactedText(
          strictRedaction(() => answer),
          'card 4111',
        ),
      ).toBe(withheld);
    },
  );

  it('is withheld when the function throws or returns unreadable data', () => {
    expect(
      redactedText(() => {
        throw new Error('card 4111');
      }, 'card 4111'),
    ).toBe(withheld);
    expect(
      redactedText(
        strictRedaction(() => 'lone \ud800'),
        'card 4111',
      ),
    ).toBe(withheld);
  });
});
