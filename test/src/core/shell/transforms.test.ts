import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { StandardSchema } from '../../../../src/base/ports/schema.ts';
import { digestOfOutput, outputDocument } from '../../../../src/core/kernel/outputs.ts';
import { emptyProjection } from '../../../../src/core/kernel/projection/projection.ts';
import { changedBeside, restated } from '../../../../src/core/shell/answers/proposal.ts';
import { draftFault } from '../../../../src/core/kernel/evidence-integrity.ts';
import type { Context } from '../../../../machines/index.ts';
import { passes, scene } from './scene.ts';
import { draft, identity, plan } from './scripted.ts';

const raw = { note: ' for tea ', euros: 5, hidden: 'stripped' };
const read = { note: 'for tea', cents: 500 };

/** A schema that trims, strips and multiplies, and counts its runs. */
const counting = () => {
  const runs: unknown[] = [];
  const schema = z.object({ note: z.string().trim(), euros: z.number() }).transform(({ note, euros }) => {
    runs.push(euros);
    return { note, cents: euros * 100 };
  });
  return { output: schema as unknown as StandardSchema<Record<string, unknown>>, runs };
};

describe('an output that its schema transforms', () => {
  it('is verified, digested and delivered as parsed, once, and kept as proposed', async () => {
    const { output, runs } = counting();
    const judged: unknown[] = [];
    const one = scene({
      model: [plan(), draft(raw)],
      verifiers: { sees: (subject, signal) => (judged.push(subject.value), passes(subject, signal)) },
      taskClass: { output, beforeDeliver: { verifiers: ['sees'] } },
    });
    const taskId = await one.submit();
    const { message } = await one.ended(taskId);
    expect(message.payload).toEqual(read);
    expect(message).not.toHaveProperty('raw');
    expect(judged).toEqual([read]);
    const record = (await one.orchestrator.ledger(taskId)).find(
      ({ fact }) => fact?.type === 'draft.proposed',
    );
    expect(record?.brought.output).toMatchObject({ payload: read, raw });
    expect(record?.fact).toMatchObject({ digest: record?.documents.output });
    expect((await one.orchestrator.task(taskId)).draft).toEqual(read);
    expect(runs).toEqual([5]);
  });

  it('is stored once when the schema changes nothing', async () => {
    const one = scene({
      model: [plan(), draft({ a: 1 })],
      taskClass: { output: z.object({ a: z.number() }) },
    });
    const taskId = await one.submit();
    await one.ended(taskId);
    const record = (await one.orchestrator.ledger(taskId)).find(
      ({ fact }) => fact?.type === 'draft.proposed',
    );
    expect(record?.brought.output).not.toHaveProperty('raw');
  });

  it('is parsed again when a person edits a member, and unedited members keep their values', async () => {
    const runs: unknown[] = [];
    const double = z
      .object({ note: z.string(), n: z.number() })
      .transform(({ note, n }) => (runs.push(n), { note, n: n * 2 }));
    const one = scene({
      model: [plan(), draft({ note: 'a', n: 2 }, { confidence: 0.1 })],
      taskClass: { output: double },
    });
    const taskId = await one.submit();
    const { question, message } = await one.question();
    expect([question.kind, message.payload]).toMatchObject(['draft', { note: 'a', n: 4 }]);
    await one.orchestrator.respond(
      {
        type: 'edit',
        target: { messageId: message.messageId, part: '/payload/note' },
        content: { value: 'b' },
      },
      { by: 'dana' },
    );
    expect((await one.ended(taskId)).message.payload).toEqual({ note: 'b', n: 4 });
    expect(runs).toEqual([2, 2]);
  });
});

describe('an edited output', () => {
  it.each([
    ['nothing', { a: '1', b: 2, c: 3 }, { a: 1, b: 2 }, { a: 1, b: 2 }, { a: '1', b: 2, c: 3 }],
    ['one member', { a: '1', b: '2' }, { a: 1, b: 2 }, { a: 1, b: 9 }, { a: '1', b: 9 }],
    [
      'a member of a member',
      { a: { x: '1', y: '2' } },
      { a: { x: 1, y: 2 } },
      { a: { x: 1, y: 9 } },
      { a: { x: '1', y: 9 } },
    ],
    ['beside one that the schema adds', { a: '1' }, { a: 1, b: 0 }, { a: 2, b: 0 }, { a: 2 }],
    ['a list', { a: ['1', '2'] }, { a: [1, 2] }, { a: [1, 9] }, { a: [1, 9] }],
    ['by taking a member out', { a: '1', b: '2' }, { a: 1, b: 2 }, { a: 1 }, { a: '1' }],
  ])('with %s keeps the proposed input of unedited members', (_, proposed, shown, given, expected) =>
    expect(restated(proposed, shown, given)).toEqual(expected),
  );

  it.each([
    ['nothing', { a: 1 }, { a: 1 }, { a: 1 }, null],
    ['an unedited member', { a: 1, b: 2 }, { a: 1, b: 9 }, { a: 5, b: 9 }, '/a'],
    ['an edited member', { a: 1, b: 2 }, { a: 1, b: 9 }, { a: 1, b: 10 }, null],
    ['an entry of a list', { a: [1, 2] }, { a: [1, 9] }, { a: [2, 9] }, '/a/0'],
  ])('reports that the schema reads %s differently', (_, shown, given, now, expected) =>
    expect(changedBeside(shown, given, now)).toBe(expected),
  );
});

describe('a draft that does not match its digest', () => {
  const output = outputDocument({ canProceed: true, confidence: 1, explanation: '', payload: { total: 5 } });
  const changed = { ...output, payload: { total: 999_999 } };
  const request = { taskClass: 'work', threadId: '', payload: {}, explanation: '', identity };
  const documents = { ...emptyProjection(request, ''), draft: output };
  const context = { draft: { digest: digestOfOutput(output) } } as unknown as Context;
  const none = { draft: null } as unknown as Context;
  const cancelled = { type: 'task.cancelled' } as const;
  const proposed = {
    type: 'draft.proposed',
    digest: digestOfOutput(output),
    canProceed: true,
    confidence: 1,
  } as const;

  it('stops the run, whether it is stored or proposed', () => {
    expect(draftFault(context, { ...documents, draft: changed }, cancelled)).toMatchObject({
      fact: { type: 'output.changed' },
    });
    expect(draftFault(context, { ...documents, draft: null }, cancelled)).toMatchObject({
      fact: { type: 'output.changed' },
    });
    expect(draftFault(none, documents, proposed, { output: changed })).toMatchObject({
      fact: { type: 'output.changed' },
    });
    expect(draftFault(none, documents, proposed)).toMatchObject({
      fact: { type: 'output.changed', digest: proposed.digest },
    });
  });

  it('is distinguished from one that matches', () => {
    expect(draftFault(context, documents, cancelled)).toBeNull();
    expect(draftFault(none, documents, proposed, { output })).toBeNull();
    expect(draftFault(none, documents, cancelled)).toBeNull();
  });
});
