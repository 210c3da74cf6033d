import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCharterError, type TaskClassDefinition } from '../../../../src/index.ts';
import { unreadFeedback } from '../../../../src/base/feedback/feedback.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { trusting } from './approvals.ts';
import { checkDocuments, checkRecords, checkLedger, scene, type Scene } from './scene.ts';
import { draft, plan, call } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import { decisionOf, fate, modelOf, verifierOf, world, type Effect, type Fate } from './world.ts';
import { share } from '../../../share.ts';

const runs = {
  numRuns: Number(process.env['FC_RUNS'] ?? (process.env['ALL'] === undefined ? share(60, 20) : 150)),
};

/** Checks that a caller gets a typed refusal, or an error of the broken store. */
const expectRefused = (error: unknown, code: RegExp): void => {
  if (isCharterError(error, 'store_failed')) expect(error.cause).toMatchObject({ message: 'disk full' });
  else expect(error).toMatchObject({ code: expect.stringMatching(code) });
};

const people = async (scenario: Scene, { among }: Fate): Promise<void> => {
  const { orchestrator } = scenario;
  const inbox = await orchestrator.inbox();
  const [entry] = inbox.length > 0 ? [inbox[among([0, 1, 2]) % inbox.length]!] : [];
  if (entry === undefined) return;
  const type = among(['approve', 'edit', 'reject', 'instruction', 'rank', 'comment']);
  const value = among<unknown>([plan([call('low')]), draft(), 'done', 'absent', { amount: 3 }, null]);
  const content = type === 'rank' ? [value] : type === 'instruction' ? 'again' : { value };
  const feedback = { type, target: entry.message.messageId, ...(type !== 'approve' && { content }) };
  const approval = among([undefined, undefined, 'token']);
  const respond = () =>
    orchestrator.respond(unreadFeedback(feedback), {
      by: 'dana',
      ...(approval !== undefined && { approval }),
    });
  const answers = await Promise.allSettled(among([1, 2]) === 1 ? [respond()] : [respond(), respond()]);
  for (const answer of answers) if (answer.status === 'rejected') expectRefused(answer.reason, /^feedback_/);
  if (type !== 'comment')
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
};

const refusable = async (work: Promise<unknown>): Promise<void> => {
  const [result] = await Promise.allSettled([work]);
  if (result?.status === 'rejected') expectRefused(result.reason, /^(?:fact_|message_|document_)/);
};

const outsiders = async (scenario: Scene, taskIds: readonly string[], { among }: Fate): Promise<void> => {
  const { orchestrator } = scenario;
  const taskId = among([taskIds[0]!, ...taskIds]);
  const by = { by: 'kim' };
  const waits = (await orchestrator.ledger(taskId)).flatMap(({ fact }) =>
    fact?.type === 'dependency.awaited' ? [fact.dependency] : [],
  );
  switch (among(['resolve', 'resolve', 'receive', 'cancel', 'lie'])) {
    case 'resolve':
      return refusable(orchestrator.resolve(taskId, waits.at(-1) ?? '__proto__', { at: 1 }, by));
    case 'receive':
      return refusable(
        orchestrator.receive(
          {
            messageId: '00000000-0000-4000-8000-00000000abcd',
            threadId: (await orchestrator.list()).find((task) => task.taskId === taskId)?.threadId,
            timestamp: '2026-11-21T05:00:00Z',
            state: among(['completed', 'needsHumanDecision', 'failed', 'waiting']),
            payload: {},
            explanation: '',
            agentId: 'scout',
          },
          { agent_id: 'scout', owner_id: 'acme' },
        ),
      );
    case 'cancel':
      return refusable(orchestrator.cancel(taskId, by));
    case 'lie':
      return refusable(orchestrator.tell(taskId, { type: among(['xstate.stop', 'call.succeeded']) }, by));
  }
};

const count = (of: Map<string, number>, digest: string): void =>
  void of.set(digest, (of.get(digest) ?? 0) + 1);

/** Checks that each write came after its own clearance and its own intent, and that each effect happened once. */
const checkEffects = (
  records: readonly LedgerRecord[],
  effects: readonly Effect[],
  invoked: readonly Effect[],
): void => {
  const facts = records.flatMap(({ kind, fact, brought }) =>
    kind === 'fact' && fact !== null ? [{ fact, brought }] : [],
  );
  const writes = new Set(
    facts.flatMap(({ brought }) =>
      (brought.calls ?? []).flatMap(({ tool, digest }) => (['read', 'look'].includes(tool) ? [] : [digest])),
    ),
  );
  const cleared = new Set<string>();
  const authorized = new Set<string>();
  const reviewed = new Set<string>();
  const intents = new Map<string, number>();
  const absent = new Map<string, number>();
  const undone = new Map<string, number>();
  const digests = new Map<string, string>();
  for (const { fact, brought } of facts) {
    for (const { id, digest } of brought.calls ?? []) digests.set(id, digest);
    if (fact.type === 'policy.decided' && fact.verdict !== 'deny') cleared.add(fact.digest);
    if (fact.type === 'policy.decided')
      reviewed[fact.verdict === 'needs_review' ? 'add' : 'delete'](fact.digest); // the last verdict counts
    if (fact.type === 'approval.granted') authorized.add(fact.digest);
    if (
      fact.type === 'human.responded' &&
      fact.feedback === 'approve' &&
      fact.question.startsWith('approval:')
    )
      authorized.add(fact.question.slice('approval:'.length));
    if (fact.type === 'human.responded' && fact.effect === 'absent')
      count(absent, digests.get(fact.question.slice('doubt:'.length)) ?? '');
    if (fact.type === 'rollback.started') count(undone, fact.digest);
    if (fact.type !== 'call.started') continue;
    count(intents, fact.digest);
    if (!writes.has(fact.digest)) continue;
    expect(cleared).toContain(fact.digest);
    const { tool } = facts
      .flatMap(({ brought: { calls } }) => calls ?? [])
      .find(({ digest }) => digest === fact.digest)!;
    if (tool === 'high' || reviewed.has(fact.digest)) expect(authorized).toContain(fact.digest);
  }
  for (const times of undone.values()) expect(times).toBe(1);
  const keys = (of: readonly Effect[]): readonly string[] =>
    of.map(({ key }) => key).filter((key) => digests.size > 0 && [...digests.values()].includes(key));
  for (const key of new Set(keys(invoked))) {
    expect(keys(invoked).filter((one) => one === key).length).toBeLessThanOrEqual(intents.get(key) ?? 0);
    if (writes.has(key))
      expect(keys(effects).filter((one) => one === key).length).toBeLessThanOrEqual(
        1 + (absent.get(key) ?? 0),
      );
  }
};

/** What a host reads beside the ledger: that the store failed, and what no result on record can hold. */
const reported: readonly unknown[] = ['store_failed', 'value_not_json'];

const classes: readonly Partial<TaskClassDefinition>[] = [
  {},
  { repairTo: 'execute', limits: { repairs: 2 }, authorities: ['human', 'approval'] },
  {
    beforeWrite: { evidence: [{ type: 'tool_result' }], verifiers: ['mails'] },
    beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: ['mails', 'sums'] },
    maxAge: 60_000,
  },
  {
    defaults: { information: { location: 'Lisbon' }, tool: { pick: 1 }, approval: 'refuse' },
    limits: { corrections: 1, repairs: 3, pauses: 3, modelCalls: 8, calls: 6 },
    followup: () => ({ explanation: 'More?', payload: {}, byDefault: { more: false } }),
  },
];

describe('random behavior of model, tools, verifiers, policy, people, clock and store', () => {
  it('leaves each task settled or waiting, records every step once, and performs nothing without clearance', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...classes),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat(359), { minLength: 40, maxLength: 240, size: 'max' }),
        async (taskClass, concurrency, numbers) => {
          const choices = fate(numbers);
          const { effects, finish, tools } = world(choices);
          const one = scene({
            model: modelOf(choices),
            tools,
            verifiers: { mails: verifierOf(choices), sums: verifierOf(choices) },
            policy: () => decisionOf(choices),
            taskClass,
            options: { concurrency, approvals: trusting },
          });
          const { orchestrator, clock, store } = one;
          const taskIds = [await one.submit(), await one.submit()];
          while (!choices.isTired()) {
            switch (choices.among(['people', 'people', 'time', 'outsiders', 'late', 'store', 'submit'])) {
              case 'people':
                await people(one, choices);
                break;
              case 'time':
                await clock.advance(choices.among([1_000, 30_000, 61_000, 3_600_000, 700_000_000]));
                break;
              case 'outsiders':
                await outsiders(one, taskIds, choices);
                break;
              case 'late':
                finish();
                break;
              case 'store': {
                let left = choices.among([1, 2, 5]);
                store.refuse(({ record }) =>
                  record.fact !== null && left-- > 0 ? new Error('disk full') : undefined,
                );
                break;
              }
              case 'submit':
                if (taskIds.length < 4) taskIds.push(await one.submit());
            }
            await settle();
          }
          store.refuse(undefined);
          await clock.advance(120_000);
          for (const task of await orchestrator.list()) {
            if (!task.isSettled) expect(clock.sleeping(), task.state).toBeGreaterThan(0);
            seen.set(task.state, (seen.get(task.state) ?? 0) + 1);
          }
          for (let weeks = 0; weeks < 60; weeks += 1) await clock.advance(8 * 86_400_000);
          finish();
          await settle();
          expect((await orchestrator.list()).filter(({ isSettled }) => !isSettled)).toEqual([]);
          expect(one.settledTasks.toSorted()).toEqual(taskIds.toSorted());
          expect(clock.sleeping()).toBe(0);
          for (const taskId of taskIds) {
            const records = await orchestrator.ledger(taskId);
            const documents = await orchestrator.documents(taskId);
            checkDocuments(documents);
            checkRecords(records);
            await checkLedger(records, documents);
            checkEffects(records, effects, one.invocations);
            for (const { kind, fact } of records) {
              const what = `${kind} ${fact?.type}`;
              seen.set(what, (seen.get(what) ?? 0) + 1);
            }
          }
          for (const error of one.takeErrors())
            expect(reported).toContain(isCharterError(error) ? error.code : error);
          await orchestrator.close();
          one.leave();
        },
      ),
      runs,
    );
    expect([...seen.keys()].length).toBeGreaterThan(25); // kinds of facts and ends that occurred
  });
});
