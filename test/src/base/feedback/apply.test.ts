import { applyFeedback } from 'agentcharter/feedback';
import { describe, expect, it } from 'vitest';
import { edit, plan, refusal, saying, target } from './cases.ts';

const remarks = (annotation: object, part = '') =>
  applyFeedback(plan, saying('comment', { annotations: [annotation] }, part)).annotations;

const refused = (content: unknown, part?: string) => refusal(() => applyFeedback(plan, edit(content, part)));

describe('Feedback on a value', () => {
  it.each(['approve', 'reject', 'comment', 'instruction'])('of type %s changes nothing', (type) => {
    const given = saying(type, { value: 1, edits: [{ offset: 0, length: 1, text: '' }], text: 'hm' });
    expect(applyFeedback(plan, given)).toEqual({ value: plan, annotations: [], text: 'hm' });
  });

  it('with text alone returns that text', () => {
    expect(applyFeedback(plan, saying('instruction', 'shorter')).text).toBe('shorter');
    expect(applyFeedback(plan, { type: 'approve', target, content: undefined }).text).toBeNull();
  });

  it('replaces the whole value or the targeted part', () => {
    expect(applyFeedback(plan, edit({ value: null })).value).toBeNull();
    expect(applyFeedback(plan, edit({ value: 'Porto' }, '/steps/1/place')).value).toEqual({
      ...plan,
      steps: [plan.steps[0], { place: 'Porto' }],
    });
  });

  it('edits the texts below the targeted part', () => {
    const edits = [
      { part: '/1/place', offset: 0, length: 6, text: 'Porto' },
      { part: '/0/place', offset: 5, length: 0, text: '!' },
      { part: '/0/place', offset: 0, length: 1, text: 'p' },
    ];
    expect(applyFeedback(plan, edit({ edits }, '/steps')).value).toEqual({
      ...plan,
      steps: [{ place: 'paris!' }, { place: 'Porto' }],
    });
  });

  it('applies an array as JSON Patch and an object as merge patch, from the targeted part', () => {
    const diff = [{ op: 'remove', path: '/0' }];
    expect(applyFeedback(plan, edit({ diff }, '/steps')).value).toMatchObject({
      steps: [{ place: 'Lisbon' }],
    });
    expect(applyFeedback(plan, edit({ diff: { place: null, by: 'train' } }, '/steps/0')).value).toMatchObject(
      {
        steps: [{ by: 'train' }, { place: 'Lisbon' }],
      },
    );
  });

  it('reorders the array that a ranking targets', () => {
    const given = { type: 'rank', target: { messageId: target, part: '/steps' }, content: [plan.steps[1]] };
    expect(applyFeedback(plan, given).value).toEqual({ ...plan, steps: plan.steps.toReversed() });
  });

  it('returns a frozen copy', () => {
    const shown = structuredClone(plan);
    const { value } = applyFeedback(shown, edit({ diff: { a: { b: 1 } } }));
    expect(shown).toEqual(plan);
    expect(Object.isFrozen((value as { a: unknown }).a)).toBe(true);
  });
});

describe('An annotation', () => {
  it.each([
    [{ text: 'all?' }, '', { part: '', on: plan, text: 'all?' }],
    [{ part: '/0', text: 'why?' }, '/steps', { part: '/steps/0', on: { place: 'Paris' }, text: 'why?' }],
    [{ offset: 1, length: 2, text: '?' }, '/steps/0/place', { part: '/steps/0/place', on: 'ar', text: '?' }],
    [{ part: '/title', offset: 3, text: '?' }, '', { part: '/title', on: 'p', text: '?' }],
    [{ part: '/title', length: 3, text: '?' }, '', { part: '/title', on: 'Tri', text: '?' }],
    [{ part: '/title', offset: 4, text: '?' }, '', { part: '/title', on: '', text: '?' }],
  ])('%j on %j includes the value at its place', (annotation, part, expected) => {
    expect(remarks(annotation, part)).toEqual([expected]);
  });

  it('refers to the value as shown, before the edit beside it', () => {
    const given = edit({ value: [], annotations: [{ part: '/title', text: 'no' }] });
    expect(applyFeedback(plan, given)).toEqual({
      value: [],
      annotations: [{ part: '/title', on: 'Trip', text: 'no' }],
      text: null,
    });
  });

  it.each([
    [{ part: '/title/0', text: '' }, '/content/annotations/0/part'],
    [{ part: '/title', offset: 5, text: '' }, '/content/annotations/0'],
    [{ part: '/title', offset: 4, length: 1, text: '' }, '/content/annotations/0'],
    [{ part: '/steps', offset: 0, text: '' }, '/content/annotations/0'],
  ])('%j at an unknown place is rejected', (annotation, path) => {
    expect(refusal(() => remarks(annotation)).path).toBe(path);
  });
});

describe('Feedback that cannot be applied is rejected', () => {
  it.each([[undefined], ['Porto'], [{ text: 'Porto' }], [['Porto']], [{ annotations: [] }]])(
    'when it changes nothing: %j',
    (content) => {
      expect(refused(content)).toEqual({
        path: '/content',
        reason: 'it has no change: expected one of value, edits, diff',
      });
    },
  );

  it.each([
    [{ value: null, diff: {} }, 'value and diff'],
    [{ edits: [], diff: [] }, 'edits and diff'],
    [{ value: 0, edits: [], diff: [] }, 'value and edits and diff'],
  ])('when it gives two kinds of change: %j', (content, said) => {
    expect(refused(content).reason).toBe(`it has ${said}: expected one of value, edits, diff`);
  });

  it.each([{ value: 1 }, { edits: [] }, { diff: {} }, { diff: [] }])(
    'when its target part does not exist: %j',
    (content) => {
      expect(refused(content, '/steps/2/place')).toEqual({
        path: '/target/part',
        reason: 'there is nothing at "/steps/2/place"; "/steps" is an array of 2',
      });
    },
  );

  it('when it ranks a value that is no array', () => {
    const given = { type: 'rank', target: { messageId: target, part: '/title' }, content: [] };
    expect(refusal(() => applyFeedback(plan, given))).toEqual({
      path: '/target',
      reason: 'a ranking orders an array, and this is a string',
    });
  });

  it('when the result is too large', () => {
    const text = 'x'.repeat(600_000);
    const given = edit({ edits: [{ offset: 0, length: 0, text }] });
    const large = refusal(() => applyFeedback(text, given));
    expect(large.path).toBe('/content');
    expect(large.reason).toContain('too much text');
  });

  it('with the resolvable part of its pointer, in bounded names and without values', () => {
    const shown = {
      open: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}`.repeat(500), 'secret'])),
    };
    const { reason } = refusal(() => applyFeedback(shown, edit({ value: 1 }, '/open/nowhere/at/all')));
    expect(reason).toMatch(
      /^there is nothing at "\/open\/nowhere\/at\/all"; "\/open" is an object with "000/,
    );
    expect(reason).toContain('and 20 more');
    expect(reason).not.toContain('secret');
    expect(reason.length).toBeLessThan(1_300);
  });

  it('with document_invalid or input_unreadable when it is malformed', () => {
    expect(() => applyFeedback(plan, { type: 'edit' })).toThrow(
      expect.objectContaining({ code: 'document_invalid' }),
    );
    expect(() => applyFeedback(plan, edit(JSON.parse('{"value": {"__proto__": 1}}')))).toThrow(
      expect.objectContaining({ code: 'input_unreadable' }),
    );
    expect(() => applyFeedback(new Map(), edit({ value: 1 }))).toThrow(
      expect.objectContaining({ code: 'input_unreadable' }),
    );
  });
});
