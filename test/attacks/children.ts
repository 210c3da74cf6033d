import { expect } from 'vitest';
import { defineTool, type Tool } from '../../src/index.ts';
import { levels, taskTool, type Level, type Says } from '../src/core/shell/levels.ts';
import { fails } from '../src/core/shell/scene.ts';
import { AnyInput, draft, later, plan, writeTool } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { failedSafe, unmoved, type Attack } from './attack.ts';

const low = { tier: 'write_low_risk' } as const;
const source = 'UAICP 4.3';

/** A write that nobody can undo. */
const mail: Tool = defineTool({
  name: 'mail',
  description: 'sends mail',
  ...low,
  input: AnyInput,
  call: async () => ({ sent: true }),
});

/** A parent whose draft never passes, and which delegates to the levels below. */
const failing = (below: Readonly<Record<string, Level>>, tools: readonly Tool[]) => {
  const first = Object.keys(below).slice(0, 1);
  const work = { tools: first, beforeDeliver: { verifiers: ['strict'] } };
  return levels({ work, ...below }, tools, {}, { verifiers: { strict: fails } });
};

const delivered: readonly Attack[] = [
  {
    number: 50,
    attempt: 'a write kept by delegating it to a child that delivers before its parent fails',
    expected: 'VERIFICATION_FAILED',
    source,
    run: async () => {
      const one = failing({ leaf: { tools: ['note'] } }, [taskTool('leaf', low), writeTool('note')]);
      const stop = await failedSafe(one, await one.submit());
      expect(one.invocations.map(({ tool }) => tool)).toEqual(['note']);
      expect(one.undone).toEqual(['note']);
      return stop;
    },
  },
  {
    number: 50,
    attempt: 'a write kept by delegating it twice',
    expected: 'VERIFICATION_FAILED',
    source,
    run: async () => {
      const one = failing({ mid: { tools: ['leaf'] }, leaf: { tools: ['note'] } }, [
        taskTool('mid', low),
        taskTool('leaf', low),
        writeTool('note'),
      ]);
      const stop = await failedSafe(one, await one.submit());
      expect(one.undone).toEqual(['note']);
      return stop;
    },
  },
  {
    number: 50,
    attempt: 'a write that cannot be undone, hidden behind the name of a child',
    expected: 'ROLLBACK_REQUIRED',
    source: 'UAICP 5.3',
    run: async () => {
      const one = failing({ leaf: { tools: ['mail'] } }, [taskTool('leaf', low), mail]);
      const taskId = await one.submit();
      const { reasons, message, outcome } = await one.ended(taskId);
      expect(outcome).toBe('uncertain');
      expect(message.explanation).toContain('mail');
      return reasons.at(-1)?.code;
    },
  },
];

const asking: Says = ({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft());

const cancelled: readonly Attack[] = [
  {
    number: 50,
    attempt: 'an answer to a child whose parent was cancelled, to have it go on alone',
    expected: 'feedback_refused',
    source,
    run: async () => {
      const one = levels({ work: { tools: ['leaf'] }, leaf: {} }, [taskTool('leaf')], { leaf: asking });
      const taskId = await one.submit();
      const question = await one.question();
      await one.orchestrator.cancel(taskId, { by: 'dana' });
      expect(await one.ended(taskId)).toMatchObject({ state: 'cancelled' });
      return unmoved(one, () => one.answer('approve', undefined, { to: question }));
    },
  },
  {
    number: 50,
    attempt: 'a child that writes on after its parent was cancelled',
    expected: 'CANCELLED',
    source,
    run: async () => {
      const gate = later();
      const one = levels({ work: { tools: ['leaf'] }, leaf: { tools: ['note', 'send'] } }, [
        taskTool('leaf', low),
        writeTool('note', { call: () => gate.promise }),
        writeTool('send'),
      ]);
      const taskId = await one.submit();
      await one.orchestrator.cancel(taskId, { by: 'dana' });
      gate.resolve({ written: true });
      await settle();
      expect(await one.ended(taskId)).toMatchObject({ state: 'cancelled' });
      expect(one.invocations.map(({ tool }) => tool)).toEqual(['note']);
      expect(one.undone).toEqual(['note']);
      return (await one.of('leaf'))?.reasons[0]?.code;
    },
  },
];

/** A child that nothing needs any more. */
export const children: readonly Attack[] = [...delivered, ...cancelled];
