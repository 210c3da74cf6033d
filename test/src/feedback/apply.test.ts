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

  it('of a text alone has that text', () => {
    expect(applyFeedback(plan, saying('instruction', 'shorter')).text).toBe('shorter');
    expect(applyFeedback(plan, { type: 'approve', target }).text).toBeNull();
  });

  it('replaces the whole, or the part that it targets', () => {
    expect(applyFeedback(plan, edit({ value: null })).value).toBeNull();
    expect(applyFeedback(plan, edit({ value: 'Porto' }, '/steps/1/place')).value).toEqual({
      ...plan,
      steps: [plan.steps[0], { place: 'Porto' }],
    });
  });

  it('edits the texts below the part that it targets', () => {
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

  it('takes an array for a JSON Patch and an object for a merge patch, both from the part that it targets', () => {
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

  it('is applied to a copy, which nobody changes any more', () => {
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
  ])('%j on %j is about what stands there', (annotation, part, expected) => {
    expect(remarks(annotation, part)).toEqual([expected]);
  });

  it('is about what was shown, whatever the edit beside it makes of it', () => {
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
  ])('%j on nothing is refused', (annotation, path) => {
    expect(refusal(() => remarks(annotation)).path).toBe(path);
  });
});

describe('Feedback that does not apply', () => {
  it.each([[undefined], ['Porto'], [{ text: 'Porto' }], [['Porto']], [{ annotations: [] }]])(
    'because it changes nothing: %j',
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
  ])('because it says in two ways what changes: %j', (content, said) => {
    expect(refused(content).reason).toBe(`it has ${said}: expected one of value, edits, diff`);
  });

  it.each([{ value: 1 }, { edits: [] }, { diff: {} }, { diff: [] }])(
    'because its target part is not there: %j',
    (content) => {
      expect(refused(content, '/steps/2/place')).toEqual({
        path: '/target/part',
        reason: 'nothing stands at "/steps/2/place"; "/steps" is an array of 2',
      });
    },
  );

  it('because it ranks what is no array', () => {
    const given = { type: 'rank', target: { messageId: target, part: '/title' }, content: [] };
    expect(refusal(() => applyFeedback(plan, given))).toEqual({
      path: '/target',
      reason: 'a ranking orders an array, and this is a string',
    });
  });

  it('because the result would hold too much', () => {
    const text = 'x'.repeat(600_000);
    const given = edit({ edits: [{ offset: 0, length: 0, text }] });
    const large = refusal(() => applyFeedback(text, given));
    expect(large.path).toBe('/content');
    expect(large.reason).toContain('too much text');
  });

  it('says how far its pointer leads, in names that are bounded, and never in values', () => {
    const shown = {
      open: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}`.repeat(500), 'secret'])),
    };
    const { reason } = refusal(() => applyFeedback(shown, edit({ value: 1 }, '/open/nowhere/at/all')));
    expect(reason).toMatch(/^nothing stands at "\/open\/nowhere\/at\/all"; "\/open" is an object with "000/);
    expect(reason).toContain('and 20 more');
    expect(reason).not.toContain('secret');
    expect(reason.length).toBeLessThan(1_300);
  });

  it('and feedback that is none is told as such', () => {
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
