import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  nothingRedacted,
  redactedText,
  strictRedaction,
  type RedactedKind,
} from '../../../src/orchestrator/redact.ts';
import { refusalOf } from '../canonical/generated.ts';
import { refused } from '../canonical/refused.ts';

const kinds: readonly RedactedKind[] = ['request', 'result', 'feedback', 'explanation'];

describe('a redaction', () => {
  it('is asked about each document, and of what kind it is', () => {
    const asked: unknown[] = [];
    const redact = strictRedaction((document, kind) => {
      asked.push([document, kind]);
      return kind;
    });
    expect(kinds.map((kind) => redact({ about: kind }, kind))).toEqual(kinds);
    expect(asked).toEqual(kinds.map((kind) => [{ about: kind }, kind]));
  });

  it('may take out a part, or put another in its place', () => {
    const redact = strictRedaction((document) => ({ ...(document as object), card: '****', cvc: null }));
    expect(redact({ name: 'Kim', card: '4111', cvc: '123' }, 'request')).toEqual({
      name: 'Kim',
      card: '****',
      cvc: null,
    });
  });

  it('is read once: whoever made its answer cannot change it any more', () => {
    const answer = { deep: { card: '****' } };
    const read = strictRedaction(() => answer)(null, 'result');
    answer.deep.card = '4111';
    expect(read).toEqual({ deep: { card: '****' } });
    expect(Object.isFrozen(read)).toBe(true);
    expect(Object.isFrozen((read as typeof answer).deep)).toBe(true);
  });

  it.each(refused)('is read as strictly as what came in: %s is refused', (_, value, path) => {
    for (const kind of kinds) {
      const { details } = refusalOf(() => strictRedaction(() => value)({}, kind));
      expect(details).toMatchObject({ document: kind, path });
    }
  });

  it.each<[string, unknown]>([
    ['a promise', Promise.resolve({})],
    ['an integer that not every reader holds exactly', { n: 2 ** 53 }],
  ])('that answers with %s is refused', (_, value) => {
    expect(refusalOf(() => strictRedaction(() => value)({}, 'result')).details.document).toBe('result');
  });

  it('that throws has taken out nothing, and nothing goes on', () => {
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

  it('where none is given, takes out nothing', () => {
    const document = { card: '4111' };
    for (const kind of kinds) expect(nothingRedacted(document, kind)).toBe(document);
  });
});

describe('words of which a redaction takes out what nobody should keep', () => {
  const withheld = 'Withheld: it could not be redacted.';

  it('are asked about as an explanation, and kept as they come back', () => {
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
    'are withheld where it answers with %j: no text of its own is made of that',
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

  it('are withheld where it throws, or answers with what is not read', () => {
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
