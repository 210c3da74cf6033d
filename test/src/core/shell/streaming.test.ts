import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOfStream, streamOf } from '../../../../src/optional/streaming/index.ts';
import { runs } from '../../base/canonical/generated.ts';
import {
  answer,
  contents,
  discarded,
  final,
  refusal,
  says,
  streamed,
  streaming,
} from '../../optional/streaming/scenario.ts';
import { fails, passes, type Given } from './scene.ts';
import { call, draft, further, later, never, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import type { StreamChunk } from '../../../../src/base/ports/model.ts';

/** A task class that a verifier of facts stands before. */
const verified = (given: Partial<Given['taskClass']> = {}, facts = fails): Given => ({
  verifiers: { facts },
  taskClass: { beforeDeliver: { verifiers: ['facts'] }, ...given },
});

const away = () => Promise.reject(new Error('away'));

describe('a streamed draft', () => {
  it('is sent in order as unverified chunks, and is final once it is delivered [UAICP 4.2]', async () => {
    const told = streaming([plan([call('search')]), says], {
      tools: [readTool('search')],
      verifiers: { facts: passes },
      taskClass: { beforeDeliver: { verifiers: ['facts'] } },
    });
    const taskId = await told.submit();
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.metadata('content')).toEqual([...contents, undefined]);
    expect(told.metadata('unverified')).toEqual([true, true, true, false]);
    expect(told.chunks.map(({ state }) => state)).toEqual(['execute', 'execute', 'execute', 'deliver']);
    const stream = streamOf(told.chunks[0]!);
    expect(told.chunks.map((chunk) => chunk.streaming)).toEqual([
      { chunk_id: `${stream}/0`, stream_index: 0, is_final: false },
      { chunk_id: `${stream}/1`, stream_index: 1, is_final: false },
      { chunk_id: `${stream}/2`, stream_index: 2, is_final: false },
      { chunk_id: `${stream}/3`, stream_index: 3, is_final: true },
    ]);
    expect(told.read()).toEqual([{ state: 'final', stream, chunks: 3, text: answer, verified: answer }]);
  });

  it('leaves its count and its hash in the draft’s record, and no chunk', async () => {
    const told = streaming([plan(), says]);
    const taskId = await told.submit();
    const records = await told.orchestrator.ledger(taskId);
    const hash = 'sha256:4a19edf428afd83f9e1ffea4b084416c6aee604670aa0d97fd95a462104da536'; // python3, hashlib
    expect(records.flatMap(({ brought: { stream } }) => stream ?? [])).toEqual([
      { id: streamOf(told.chunks[0]!), chunks: 3, hash },
    ]);
    expect(records.find(({ brought }) => brought.stream)?.fact?.type).toBe('draft.proposed');
    expect(told.metadata('hash').at(-1)).toBe(hash);
    expect(await told.facts(taskId)).toEqual(['request.accepted', 'plan.proposed', 'draft.proposed']);
    const documents = await told.orchestrator.documents(taskId);
    expect(JSON.stringify(documents)).not.toContain('agentcharter:content');
  });

  it('is final after its record and documents, and before the settled event', async () => {
    const order: string[] = [];
    const told = streaming([plan(), says]);
    const { orchestrator } = told;
    orchestrator.on('record', ({ fact }) => order.push(fact?.type ?? 'begun'));
    orchestrator.on('document', ({ document }) => 'state' in document && order.push(String(document.state)));
    orchestrator.on('chunk', ({ envelope }) => order.push(`chunk ${envelope.streaming?.stream_index}`));
    orchestrator.on('settled', () => order.push('settled'));
    await told.submit();
    expect(order.slice(order.indexOf('chunk 0'))).toEqual([
      'chunk 0',
      'chunk 1',
      'chunk 2',
      'draft.proposed',
      'verify',
      'deliver',
      'completed',
      'chunk 3',
      'settled',
    ]);
  });

  it('is not final before its record is stored', async () => {
    const taken = later();
    const told = streaming([plan(), says]);
    told.orchestrator.on('chunk', () => told.store.delay(() => taken.promise));
    const taskId = await told.submit();
    expect(told.ends()).toEqual([]);
    taken.resolve(null);
    await told.ended(taskId);
    expect(told.ends()).toEqual([final]);
  });

  it('may be the JSON of the whole answer', async () => {
    const output = draft({ answer });
    const [one, two] = [JSON.stringify(output).slice(0, 40), JSON.stringify(output).slice(40)];
    const told = streaming([plan(), streamed([one, two], output)]);
    await told.ended(await told.submit());
    expect(told.ends()).toEqual([final]);
  });

  it('is discarded when it differs from the draft that the verifiers see [UAICP 5.2]', async () => {
    const told = streaming([plan(), streamed(['All rooms are free!'], draft({ answer }))]);
    const taskId = await told.submit();
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.ends()).toEqual([discarded('verify', 'pending')]);
    expect(told.read()).toMatchObject([{ state: 'discarded', verified: null }]);
    const [stream] = (await told.orchestrator.ledger(taskId)).flatMap(({ brought }) => brought.stream ?? []);
    expect(stream).toMatchObject({ chunks: 1, hash: hashOfStream(['All rooms are free!']) });
  });

  it('is optional: without chunks, the record has no stream', async () => {
    const told = streaming([plan(), draft()]);
    const taskId = await told.submit();
    expect(told.chunks).toEqual([]);
    expect((await told.orchestrator.ledger(taskId)).some(({ brought }) => brought.stream)).toBe(false);
  });
});

describe('a stream whose draft is not delivered is discarded once', () => {
  it('when verification fails', async () => {
    const told = streaming([plan(), says], verified({ limits: { repairs: 0 } }));
    expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'uncertain' });
    expect(told.ends()).toEqual([discarded('fail_safe', 'uncertain')]);
    expect(told.metadata('reasonCodes').at(-1)).toEqual(['VERIFICATION_FAILED']);
    expect(told.read()).toMatchObject([{ state: 'discarded', text: '', verified: null }]);
  });

  it.each(['plan', 'execute'] as const)('when a repair drafts again, from %s', async (repairTo) => {
    let asked = 0;
    const facts: typeof passes = (subject, signal) => ((asked += 1) === 1 ? fails : passes)(subject, signal);
    const lines = repairTo === 'plan' ? [plan(), says, plan(), says] : [plan(), says, says];
    const told = streaming(lines, verified({ repairTo }, facts));
    await told.ended(await told.submit());
    expect(told.ends()).toEqual([discarded(repairTo, 'pending'), final]);
    expect(told.read()).toMatchObject([
      { state: 'discarded', chunks: 3 },
      { state: 'final', verified: answer },
    ]);
    expect(told.metadata('attempt')).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it('in the step that abandons the draft, before the next turn begins', async () => {
    const told = streaming([plan(), says, away], {
      ...verified(),
      taskClass: { ...verified().taskClass, repairTo: 'execute' },
    });
    expect(await told.ended(await told.submit())).toMatchObject({ reasons: [{ code: 'MODEL_ERROR' }] });
    expect(told.ends()).toEqual([discarded('execute', 'pending')]);
  });

  it('when further calls replace the draft', async () => {
    const more = streamed(['Let me see.'], further(call('search')));
    const told = streaming([plan(), more, says], { tools: [readTool('search')] });
    await told.ended(await told.submit());
    expect(told.ends()).toEqual([discarded('execute', 'pending'), final]);
  });

  it('when the further calls write', async () => {
    const refusals: unknown[] = [];
    const told = streaming(
      [
        plan(),
        streamed(['Let me see.'], further(call('pay'))),
        (_, { stream }) => {
          refusals.push(refusal(stream, { index: 0, content: 'x' }));
          return draft();
        },
      ],
      { tools: [writeTool('pay')] },
    );
    expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'success' });
    expect(told.ends()).toEqual([discarded('execute', 'pending')]);
    expect(refusals).toMatchObject([{ expected: null, reason: expect.stringMatching(/write/) as string }]);
  });

  it('when the output is rejected, and a correction is not streamed', async () => {
    const told = streaming([
      plan(),
      streamed(contents, 'no draft'),
      (_, { stream }) => {
        expect(refusal(stream, { index: 0, content: 'x' }).reason).toBe('a correction is not streamed');
        return { choice: 'fixed', output: draft({ answer }), explanation: 'mended' };
      },
    ]);
    expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'success' });
    expect(told.ends()).toEqual([discarded('execute', 'pending')]);
  });

  it('when the model fails part way', async () => {
    const told = streaming([
      plan(),
      (_, { stream }) => {
        stream({ index: 0, content: 'Three' });
        throw new Error('overloaded');
      },
    ]);
    expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'failure' });
    expect(told.ends()).toEqual([discarded('fail_safe', 'failure')]);
    expect(told.metadata('reasonCodes').at(-1)).toEqual(['MODEL_ERROR']);
  });

  it('when a person edits the draft', async () => {
    const unsure = streamed(contents, draft({ answer }, { confidence: 0.2 }));
    const told = streaming([plan(), unsure]);
    const taskId = await told.submit();
    expect(told.ends()).toEqual([]); // nobody has decided yet
    const { payload, explanation, confidence, canProceed } = draft({ answer: 'Two rooms.' });
    await told.answer('edit', { value: { payload, explanation, confidence, canProceed } });
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.ends()).toEqual([discarded('verify', 'pending')]);
  });

  it('but is final when a person approves it', async () => {
    const told = streaming([plan(), streamed(contents, draft({ answer }, { confidence: 0.2 }))]);
    const taskId = await told.submit();
    await told.answer('approve');
    await told.ended(taskId);
    expect(told.ends()).toEqual([final]);
  });

  it('when a person rejects it', async () => {
    const told = streaming(
      [plan(), streamed(contents, draft({ answer }, { confidence: 0.2 }))],
      verified({ limits: { revisions: 0 } }),
    );
    const taskId = await told.submit();
    await told.answer('reject');
    await told.ended(taskId);
    expect(told.ends()).toEqual([discarded('fail_safe', 'failure')]);
  });

  it('when the task is cancelled, and a late chunk is rejected', async () => {
    let held: StreamChunk | undefined;
    const told = streaming([
      plan(),
      (_, { signal, stream }) => {
        held = stream;
        stream({ index: 0, content: 'Three' });
        return never(signal);
      },
    ]);
    const taskId = await told.submit();
    await told.orchestrator.cancel(taskId, { by: 'dana' });
    await settle();
    expect(told.ends()).toEqual([discarded('fail_safe', 'failure')]);
    expect(refusal(held!, { index: 1, content: ' rooms' })).toEqual({
      taskId,
      index: 1,
      expected: null,
      reason: 'it is no longer needed',
    });
    expect(told.chunks).toHaveLength(2);
  });

  it('when the model times out', async () => {
    const told = streaming([
      plan(),
      (_, { signal, stream }) => {
        stream({ index: 0, content: 'Three' });
        return never(signal);
      },
    ]);
    const taskId = await told.submit();
    await told.clock.advance(120_000);
    await told.ended(taskId);
    expect(told.ends()).toEqual([discarded('fail_safe', 'failure')]);
  });
});

describe('random streams', () => {
  /** A chunk that comes `off` its place. */
  const one = fc.record({
    off: fc.constantFrom(0, 0, 0, 0, 1, -1, -2),
    content: fc.constantFrom('a', 'b', 'c', '', '\ud800'),
  });
  const script = fc.record({
    chunks: fc.array(one, { maxLength: 12 }),
    verdicts: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    isHonest: fc.constantFrom(true, true, true, false),
    confidence: fc.constantFrom(0.9, 0.9, 0.9, 0.2),
  });

  it('end once each, and only the delivered one is verified', async () => {
    const seen = { final: 0, discarded: 0, open: 0 };
    await fc.assert(
      fc.asyncProperty(script, async ({ chunks, verdicts, isHonest, confidence }) => {
        let verified = 0;
        const facts: typeof passes = (subject, signal) =>
          (verdicts[(verified += 1) - 1] === true ? passes : fails)(subject, signal);
        const told = streaming(
          [
            ({ asks }, { stream }) => {
              if (asks === 'plan') return plan();
              let text = '';
              let next = 0;
              for (const { off, content } of chunks) {
                try {
                  stream({ index: next + off, content });
                  text += content;
                  next += 1;
                } catch (error) {
                  expect(error).toMatchObject({ code: 'chunk_refused' });
                }
              }
              return draft({ answer: isHonest ? text : 'something else' }, { confidence });
            },
          ],
          { verifiers: { facts }, taskClass: { beforeDeliver: { verifiers: ['facts'] } } },
        );
        const taskId = await told.submit();
        if ((await told.orchestrator.inbox()).length > 0)
          await told.orchestrator.cancel(taskId, { by: 'dana' });
        const { outcome, message } = await told.ended(taskId);
        const streams = told.read();
        for (const { state, verified } of streams) {
          seen[state] += 1;
          expect(state).not.toBe('open');
          if (state === 'final') expect([outcome, verified]).toEqual(['success', message.payload['answer']]);
        }
        expect(streams.filter(({ state }) => state === 'final').length).toBeLessThanOrEqual(1);
        expect(streams.slice(0, -1).every(({ state }) => state === 'discarded')).toBe(true);
        await told.orchestrator.close();
        told.leave();
      }),
      runs(150),
    );
    expect(Math.min(seen.final, seen.discarded)).toBeGreaterThan(20);
  });
});
