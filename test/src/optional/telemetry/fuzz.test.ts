import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCharterError, type TaskClassDefinition } from '../../../../src/index.ts';
import { trusting } from '../../core/shell/approvals.ts';
import { scene, type Scene } from '../../core/shell/scene.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { decisionOf, fate, modelOf, verifierOf, world, type Fate } from '../../core/shell/world.ts';
import { runs } from '../../base/canonical/generated.ts';
import { exporting } from './exported.ts';

const classes: readonly Partial<TaskClassDefinition>[] = [
  { beforeDeliver: { verifiers: ['mails'] }, authorities: ['human', 'approval'] },
  {
    repairTo: 'execute',
    limits: { repairs: 2 },
    beforeWrite: { evidence: [{ type: 'tool_result' }], verifiers: ['mails'] },
    maxAge: 60_000,
  },
  {
    limits: { corrections: 1, repairs: 3, pauses: 3 },
    followup: () => ({ explanation: 'More?', payload: {}, byDefault: { more: false } }),
  },
];

const answer = async ({ orchestrator }: Scene, { among }: Fate): Promise<void> => {
  const [entry] = await orchestrator.inbox();
  if (entry === undefined) return;
  const type = among(['approve', 'approve', 'reject', 'instruction'] as const);
  const feedback = {
    type,
    target: entry.message.messageId,
    ...(type === 'instruction' && { content: 'again' }),
  };
  const approval = entry.question.kind === 'approval' && among([true, false]) ? 'kim' : undefined;
  await orchestrator.respond(feedback, { by: 'dana', ...(approval && { approval }) }).catch(() => {});
};

it('Telemetry spans match the ledger for random behavior: same phases, a gate before each write, all ended', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...classes),
      fc.array(fc.nat(359), { minLength: 20, maxLength: 120, size: 'max' }),
      async (taskClass, numbers) => {
        const choices = fate(numbers);
        const { finish, tools } = world(choices);
        const exported = exporting();
        const one = scene({
          model: modelOf(choices),
          tools,
          verifiers: { mails: verifierOf(choices) },
          policy: () => decisionOf(choices),
          taskClass,
          options: { approvals: trusting, telemetry: exported.telemetry },
        });
        const { orchestrator, clock } = one;
        const taskId = await one.submit();
        while (!choices.isTired()) {
          if (choices.among([true, true, false])) await answer(one, choices);
          else await clock.advance(choices.among([1_000, 61_000, 3_600_000]));
          if (choices.among([false, false, true])) finish();
          await settle();
        }
        for (let weeks = 0; weeks < 20; weeks += 1) await clock.advance(8 * 86_400_000);
        finish();
        await settle();
        expect(one.stateOf(taskId)).toMatch(/^(?:completed\.settled|failed|cancelled)$/);
        // a result that JSON cannot hold is told
        const errors = one.takeErrors().filter((error) => !isCharterError(error, 'value_not_json'));
        expect(errors).toEqual([]);
        expect(exported.open()).toBe(0);

        const records = await orchestrator.ledger(taskId);
        const spans = exported.spans();
        expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(
          new Set(records.map(({ trace_id }) => trace_id)),
        );
        const phases = (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
          name === 'MessageEnvelope' && !('agentcharter:call' in (document.metadata ?? {}))
            ? [document.state]
            : [],
        );
        expect(spans.flatMap(({ attributes }) => attributes['agentcharter.phase'] ?? [])).toEqual(phases);
        const facts = records.flatMap(({ kind, fact }) => (kind === 'fact' && fact !== null ? [fact] : []));
        const writes = new Set(
          spans.flatMap(({ name, attributes }) =>
            name.startsWith('policy ') ? [attributes['gen_ai.tool.call.id']] : [],
          ),
        );
        const opened = spans.filter(
          ({ name, attributes }) => name === 'gate write' && attributes['agentcharter.verdict'] === 'open',
        );
        const begun = facts.filter((fact) => fact.type === 'call.started' && writes.has(fact.call));
        expect(begun.length).toBeLessThanOrEqual(opened.length);
        const delivered = exported
          .named('gate deliver')
          .filter(({ attributes }) => attributes['agentcharter.verdict'] === 'open');
        expect(delivered).toHaveLength(phases.filter((phase) => phase === 'deliver').length);
        for (const { name, attributes, status } of spans) {
          const verdict = attributes['agentcharter.verdict'];
          const violations = [attributes['agentcharter.violations'] ?? []].flat();
          if (verdict !== undefined) expect(violations.length > 0, name).toBe(verdict !== 'open');
          const what = `${name} ${String(verdict ?? attributes['agentcharter.outcome'])} ${status.code}`;
          seen.set(what, (seen.get(what) ?? 0) + 1);
        }
        await orchestrator.close();
        one.leave();
      },
    ),
    runs(60),
  );
  expect(seen.size).toBeGreaterThan(20); // kinds of spans and ends that were really met
});
