import { expect } from 'vitest';
import { z } from 'zod';
import type { EvidenceClauseDefinition } from '../../src/base/define/evidence.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, writeTool } from '../src/core/shell/scripted.ts';
import { failedSafe, type Attack, type Stop } from './attack.ts';

const number = 49;
const source = 'UAICP 5.1';

type Clause = Partial<EvidenceClauseDefinition> & Pick<EvidenceClauseDefinition, 'type'>;

interface Given {
  readonly beforeDeliver?: readonly Clause[];
  readonly beforeWrite?: readonly Clause[];
  /** Writes after the one that is in doubt. */
  readonly then?: readonly string[];
  readonly evidenceType?: 'custom' | 'api_response';
}

/** A write whose answer is lost: nothing but a person can say whether it happened. */
const lost = ({ beforeDeliver = [], beforeWrite = [], then = [], evidenceType }: Given) =>
  scene({
    model: [plan(['pay', ...then].map((name) => call(name))), draft()],
    tools: [
      writeTool('pay', {
        call: () => Promise.reject(new Error('connection reset')),
        ...(evidenceType !== undefined && { evidenceType: evidenceType as never }),
      }),
      ...then.map((name) => writeTool(name)),
    ],
    taskClass: {
      beforeDeliver: { evidence: beforeDeliver },
      beforeWrite: { evidence: beforeWrite },
      limits: { repairs: 0 },
    },
  });

const answers: Readonly<Record<string, (one: ReturnType<typeof lost>) => Promise<void>>> = {
  approves: (one) => one.answer('approve'),
  'says done': (one) => one.answer('edit', { value: 'done' }),
};

const counted: Clause = { type: 'custom', tool: 'pay', byPerson: true };

/** Every piece of evidence of a task is the word of a person, and no result of a tool. */
const expectWord = async ({ orchestrator }: ReturnType<typeof lost>, taskId: string): Promise<void> => {
  const evidence = (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
    name === 'EvidenceObject' ? [document] : [],
  );
  expect(evidence).toMatchObject([{ evidence_type: 'custom', actor: 'dana', source: 'pay' }]);
};

/** Nothing is delivered on a person's word alone, and what it says happened is not undone for want of a result. */
const word = (attempt: string, given: Given, said: keyof typeof answers = 'says done'): Attack => ({
  number,
  attempt,
  expected: 'EVIDENCE_MISSING',
  source,
  run: async () => {
    const control = lost({ beforeDeliver: [counted] });
    const kept = await control.submit();
    await answers[said]?.(control);
    expect(await control.ended(kept)).toMatchObject({ outcome: 'success' });
    const one = lost(given);
    const taskId = await one.submit();
    expect((await one.question()).question.kind).toBe('doubt');
    await answers[said]?.(one);
    const stop = await failedSafe(one, taskId);
    expect(one.undone).toEqual([]);
    expect(one.invocations).toHaveLength(1);
    await expectWord(one, taskId);
    return stop;
  },
});

const refuted = (
  attempt: string,
  expected: Stop,
  answer: (one: ReturnType<typeof lost>) => Promise<void>,
): Attack => ({
  number,
  attempt,
  expected,
  source,
  run: async () => {
    const one = lost({ beforeDeliver: [counted] });
    const taskId = await one.submit();
    await answer(one);
    const stop = await failedSafe(one, taskId);
    expect((await one.orchestrator.documents(taskId)).map(({ name }) => name)).not.toContain(
      'EvidenceObject',
    );
    return stop;
  },
});

/** A person says of an effect in doubt that it happened. */
export const words: readonly Attack[] = [
  ...Object.keys(answers).map((said) =>
    word(
      `a person who ${said}, for the result of the tool`,
      { beforeDeliver: [{ type: 'tool_result', tool: 'pay' }] },
      said,
    ),
  ),
  word('a person’s word for the result of a tool, where the class lets words count', {
    beforeDeliver: [{ type: 'tool_result', tool: 'pay', byPerson: true }],
  }),
  word('a person’s word where the class asks for evidence of its type, and not for a word', {
    beforeDeliver: [{ type: 'custom', tool: 'pay' }],
  }),
  word('a person’s word for the evidence of a tool whose results are of the same type', {
    beforeDeliver: [{ type: 'custom', tool: 'pay' }],
    evidenceType: 'custom',
  }),
  word('a person’s word about one tool for the evidence of another', {
    beforeDeliver: [
      { ...counted, tool: 'pay' },
      { type: 'custom', byPerson: true, where: z.object({ sum: z.number() }) },
    ],
  }),
  word('a person’s word for one of two kinds of evidence, neither of which counts it', {
    beforeDeliver: [{ anyOf: [{ type: 'tool_result' }, { type: 'custom' }] } as never],
  }),
  refuted(
    'a person who says that the effect must not happen, for evidence that it did',
    'HUMAN_REJECTED',
    (one) => one.answer('reject'),
  ),
];
