import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOfStream, streamOf } from '../../../src/streaming/index.ts';
import { runs } from '../canonical/generated.ts';
import {
  answer,
  contents,
  discarded,
  final,
  refusal,
  says,
  streamed,
  streaming,
} from '../streaming/scenario.ts';
import { fails, passes, type Given } from './scene.ts';
import { call, draft, further, later, never, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import type { StreamChunk } from '../../../src/ports/model.ts';

/** A task class with a verifier before delivery. */
const verified = (given: Partial<Given['taskClass']> = {}, facts = fails): Given => ({
  verifiers: { facts },
  taskClass: { beforeDeliver: { verifiers: ['facts'] }, ...given },
});

describe('a streamed draft', () => {
  it('is sent in order as unverified chunks, and is final once it is delivered [UAICP 4.2]', async () => {
    const scenario = streaming([plan([call('search')]), says], {
      tools: [readTool('search')],
      verifiers: { facts: passes },
      taskClass: { beforeDeliver: { verifiers: ['facts'] } },
    });
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.metadata('content')).toEqual([...contents, undefined]);
    expect(scenario.metadata('unverified')).toEqual([true, true, true, false]);
    expect(scenario.chunks.map(({ state }) => state)).toEqual(['execute', 'execute', 'execute', 'deliver']);
    const stream = streamOf(scenario.chunks[0]!);
    expect(scenario.chunks.map((chunk) => chunk.streaming)).toEqual([
      { chunk_id: `${stream}/0`, stream_index: 0, is_final: false },
      { chunk_id: `${stream}/1`, stream_index: 1, is_final: false },
      { chunk_id: `${stream}/2`, stream_index: 2, is_final: false },
      { chunk_id: `${stream}/3`, stream_index: 3, is_final: true },
    ]);
    expect(scenario.read()).toEqual([{ state: 'final', stream, chunks: 3, text: answer, verified: answer }]);
  });

  it('leaves its count and its hash in the draft’s record, and no chunk', async () => {
    const scenario = streaming([plan(), says]);
    const taskId = await scenario.submit();
    const records = await scenario.orchestrator.ledger(taskId);
    const hash = 'sha256:4a19edf428afd83f9e1ffea4b084416c6aee604670aa0d97fd95a462104da536'; // python3, hashlib
    expect(records.flatMap(({ brought: { stream } }) => stream ?? [])).toEqual([
      { id: streamOf(scenario.chunks[0]!), chunks: 3, hash },
    ]);
    expect(records.find(({ brought }) => brought.stream)?.fact?.type).toBe('draft.proposed');
    expect(scenario.metadata('hash').at(-1)).toBe(hash);
    expect(await scenario.facts(taskId)).toEqual(['request.accepted', 'plan.proposed', 'draft.proposed']);
    const documents = await scenario.orchestrator.documents(taskId);
    expect(JSON.stringify(documents)).not.toContain('agentcharter:content');
  });

  it('is final after its record and documents, and before the settled event', async () => {
    const order: string[] = [];
    const scenario = streaming([plan(), says]);
    const { orchestrator } = scenario;
    orchestrator.on('record', ({ fact }) => order.push(fact?.type ?? 'begun'));
    orchestrator.on('document', ({ document }) => 'state' in document && order.push(String(document.state)));
    orchestrator.on('chunk', ({ envelope }) => order.push(`chunk ${envelope.streaming?.stream_index}`));
    orchestrator.on('settled', () => order.push('settled'));
    await scenario.submit();
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
    const scenario = streaming([plan(), says]);
    scenario.orchestrator.on('chunk', () => scenario.store.delay(() => taken.promise));
    const taskId = await scenario.submit();
    expect(scenario.ends()).toEqual([]);
    taken.resolve(null);
    await scenario.ended(taskId);
    expect(scenario.ends()).toEqual([final]);
  });

  it('may be the JSON of the whole answer', async () => {
    const output = draft({ answer });
    const [one, two] = [JSON.stringify(output).slice(0, 40), JSON.stringify(output).slice(40)];
    const scenario = streaming([plan(), streamed([one, two], output)]);
    await scenario.ended(await scenario.submit());
    expect(scenario.ends()).toEqual([final]);
  });

  it('is discarded when it differs from the draft that the verifiers see [UAICP 5.2]', async () => {
    const scenario = streaming([plan(), streamed(['All rooms are free!'], draft({ answer }))]);
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.ends()).toEqual([discarded('verify', 'pending')]);
    expect(scenario.read()).toMatchObject([{ state: 'discarded', verified: null }]);
    const [stream] = (await scenario.orchestrator.ledger(taskId)).flatMap(
      ({ brought }) => brought.stream ?? [],
    );
    expect(stream).toMatchObject({ chunks: 1, hash: hashOfStream(['All rooms are free!']) });
  });

  it('is optional: without chunks, the record has no stream', async () => {
    const scenario = streaming([plan(), draft()]);
    const taskId = await scenario.submit();
    expect(scenario.chunks).toEqual([]);
    expect((await scenario.orchestrator.ledger(taskId)).some(({ brought }) => brought.stream)).toBe(false);
  });
});

describe('a stream whose draft is not delivered is discarded once', () => {
  it('when verification fails', async () => {
    const scenario = streaming([plan(), says], verified({ limits: { repairs: 0 } }));
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'uncertain' });
    expect(scenario.ends()).toEqual([discarded('fail_safe', 'uncertain')]);
    expect(scenario.metadata('reasonCodes').at(-1)).toEqual(['VERIFICATION_FAILED']);
    expect(scenario.read()).toMatchObject([{ state: 'discarded', text: '', verified: null }]);
  });

  it.each(['plan', 'execute'] as const)('when a repair drafts again, from %s', async (repairTo) => {
    let asked = 0;
    const facts: typeof passes = (subject, signal) => ((asked += 1) === 1 ? fails : passes)(subject, signal);
    const lines = repairTo === 'plan' ? [plan(), says, plan(), says] : [plan(), says, says];
    const scenario = streaming(lines, verified({ repairTo }, facts));
    await scenario.ended(await scenario.submit());
    expect(scenario.ends()).toEqual([discarded(repairTo, 'pending'), final]);
    expect(scenario.read()).toMatchObject([
      { state: 'discarded', chunks: 3 },
      { state: 'final', verified: answer },
    ]);
    expect(scenario.metadata('attempt')).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it('in the step that gives it up, and not when the next turn begins', async () => {
    const away = () => Promise.reject(new Error('away'));
    const told = streaming([plan(), says, away], {
      ...verified(),
      taskClass: { ...verified().taskClass, repairTo: 'execute' },
    });
    expect(await told.ended(await told.submit())).toMatchObject({ reasons: [{ code: 'MODEL_ERROR' }] });
    expect(told.ends()).toEqual([discarded('execute', 'pending')]);
  });

  it('when further calls replace the draft', async () => {
    const more = streamed(['Let me see.'], further(call('search')));
    const scenario = streaming([plan(), more, says], { tools: [readTool('search')] });
    await scenario.ended(await scenario.submit());
    expect(scenario.ends()).toEqual([discarded('execute', 'pending'), final]);
  });

  it('when the further calls write', async () => {
    const refusals: unknown[] = [];
    const scenario = streaming(
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
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.ends()).toEqual([discarded('execute', 'pending')]);
    expect(refusals).toMatchObject([{ expected: null, reason: expect.stringMatching(/write/) as string }]);
  });

  it('when the output is rejected, and a correction is not streamed', async () => {
    const scenario = streaming([
      plan(),
      streamed(contents, 'no draft'),
      (_, { stream }) => {
        expect(refusal(stream, { index: 0, content: 'x' }).reason).toBe('a correction is not streamed');
        return { choice: 'fixed', output: draft({ answer }), explanation: 'mended' };
      },
    ]);
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.ends()).toEqual([discarded('execute', 'pending')]);
  });

  it('when the model fails part way', async () => {
    const scenario = streaming([
      plan(),
      (_, { stream }) => {
        stream({ index: 0, content: 'Three' });
        throw new Error('overloaded');
      },
    ]);
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'failure' });
    expect(scenario.ends()).toEqual([discarded('fail_safe', 'failure')]);
    expect(scenario.metadata('reasonCodes').at(-1)).toEqual(['MODEL_ERROR']);
  });

  it('when a person edits the draft', async () => {
    const unsure = streamed(contents, draft({ answer }, { confidence: 0.2 }));
    const scenario = streaming([plan(), unsure]);
    const taskId = await scenario.submit();
    expect(scenario.ends()).toEqual([]); // no decision has been made yet
    const { payload, explanation, confidence, canProceed } = draft({ answer: 'Two rooms.' });
    await scenario.answer('edit', { value: { payload, explanation, confidence, canProceed } });
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.ends()).toEqual([discarded('verify', 'pending')]);
  });

  it('but is final when a person approves it', async () => {
    const scenario = streaming([plan(), streamed(contents, draft({ answer }, { confidence: 0.2 }))]);
    const taskId = await scenario.submit();
    await scenario.answer('approve');
    await scenario.ended(taskId);
    expect(scenario.ends()).toEqual([final]);
  });

  it('when a person rejects it', async () => {
    const scenario = streaming(
      [plan(), streamed(contents, draft({ answer }, { confidence: 0.2 }))],
      verified({ limits: { revisions: 0 } }),
    );
    const taskId = await scenario.submit();
    await scenario.answer('reject');
    await scenario.ended(taskId);
    expect(scenario.ends()).toEqual([discarded('fail_safe', 'failure')]);
  });

  it('when the task is cancelled, and a late chunk is rejected', async () => {
    let held: StreamChunk | undefined;
    const scenario = streaming([
      plan(),
      (_, { signal, stream }) => {
        held = stream;
        stream({ index: 0, content: 'Three' });
        return never(signal);
      },
    ]);
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    await settle();
    expect(scenario.ends()).toEqual([discarded('fail_safe', 'failure')]);
    expect(refusal(held!, { index: 1, content: ' rooms' })).toEqual({
      taskId,
      index: 1,
      expected: null,
      reason: 'nobody waits for it any more',
    });
    expect(scenario.chunks).toHaveLength(2);
  });

  it('when the model times out', async () => {
    const scenario = streaming([
      plan(),
      (_, { signal, stream }) => {
        stream({ index: 0, content: 'Three' });
        return never(signal);
      },
    ]);
    const taskId = await scenario.submit();
    await scenario.clock.advance(120_000);
    await scenario.ended(taskId);
    expect(scenario.ends()).toEqual([discarded('fail_safe', 'failure')]);
  });
});

describe('random streams', () => {
  /** A chunk with its offset from the right index. */
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
        const scenario = streaming(
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
        const taskId = await scenario.submit();
        if ((await scenario.orchestrator.inbox()).length > 0)
          await scenario.orchestrator.cancel(taskId, { by: 'dana' });
        const { outcome, message } = await scenario.ended(taskId);
        const streams = scenario.read();
        for (const { state, verified } of streams) {
          seen[state] += 1;
          expect(state).not.toBe('open');
          if (state === 'final') expect([outcome, verified]).toEqual(['success', message.payload['answer']]);
        }
        expect(streams.filter(({ state }) => state === 'final').length).toBeLessThanOrEqual(1);
        expect(streams.slice(0, -1).every(({ state }) => state === 'discarded')).toBe(true);
        await scenario.orchestrator.close();
        scenario.leave();
      }),
      runs(150),
    );
    expect(Math.min(seen.final, seen.discarded)).toBeGreaterThan(20);
  });
});
