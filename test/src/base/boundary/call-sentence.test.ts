import { describe, expect, it } from 'vitest';
import { argumentsLine, callSentence } from '../../../../src/base/boundary/call-sentence.ts';

const sentenceOf = (given: unknown): string => callSentence({ tool: 'refund', arguments: given });

describe('the sentence of a call', () => {
  it.each([
    ['texts and numbers', { order: 'o-7', amount: 180 }, 'Call refund with order "o-7", amount 180.'],
    ['truth and nothing', { isGift: true, note: null }, 'Call refund with isGift true, note null.'],
    ['no arguments', {}, 'Call refund.'],
    ['a value that is no object', 7, 'Call refund with 7.'],
    ['a nested value', { of: { order: 'o-7' } }, 'Call refund with of {"order":"o-7"}.'],
  ])('names the tool and %s', (_, given, sentence) => {
    expect(sentenceOf(given)).toBe(sentence);
  });

  it('is the sentence of the tool, if it has one', () => {
    const summary = 'Refund 180 EUR for order o-7.';
    expect(callSentence({ tool: 'refund', arguments: { amount: 180 }, summary })).toBe(summary);
  });

  it('shortens long values, nested or not', () => {
    const line = argumentsLine({
      note: 'x'.repeat(500),
      lines: Array.from({ length: 99 }, (_, at) => ({ at })),
    });
    expect(line).toBe(
      `note "${'x'.repeat(58)}…, lines [{"at":0},{"at":1},{"at":2},{"at":3},{"at":4},{"at":5},{"at…`,
    );
  });

  it('counts the arguments that it leaves out', () => {
    const line = argumentsLine(
      Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`member${at}`, at])),
    );
    expect(line).toMatch(/^member0 0, member1 1, .* and \d+ more$/);
    expect(line.length).toBeLessThan(200);
  });

  it('shows every character, on one line', () => {
    const line = callSentence({ tool: 're\u202efund', arguments: { 'or\nder': 'o\u202e\n7' } });
    expect(line).toBe(String.raw`Call re\u202efund with or\u000ader "o\u202e\n7".`);
  });

  it('cuts no character in half', () => {
    expect(argumentsLine({ of: `x${'😀'.repeat(60)}` })).toBe(`of "x${'😀'.repeat(28)}…`);
  });
});
