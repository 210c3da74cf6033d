import { describe, expect, it } from 'vitest';
import type {
  TaskPage,
  TaskView,
  ThreadPage,
  QuestionView,
  InboxPage,
} from '../../../../../src/apps/console/wire.ts';
import { missingInWords } from '../../../../../src/apps/console/api/missing.ts';
import { asked } from '../../../core/shell/situations.ts';
import { fails, scene } from '../../../core/shell/scene.ts';
import { given, highRiskRefunds, reasons, refunds, sentence } from '../../../core/shell/refunds.ts';
import { call, draft, later, plan, readTool, writeTool } from '../../../core/shell/scripted.ts';
import { served } from '../served.ts';

const wordsOf = (reasons: TaskView['reasons']) => reasons?.map(({ meaning }) => meaning);

describe('What is missing before delivery', () => {
  it('is the person’s answer and the agent’s, while a write waits for approval', async () => {
    const { orchestrator, submit, question, answer } = refunds();
    const taskId = await submit();
    const { message } = await question();
    const { get } = await served(orchestrator);
    const view = (await get(`api/tasks/${taskId}`)) as TaskView;
    expect(wordsOf(view.reasons)).toEqual([`A person’s answer: ${sentence}`, 'The agent’s answer.']);
    const { reasons: others } = (await get(`api/inbox/${message.messageId}`)) as QuestionView;
    expect(wordsOf(others)).toEqual(['The agent’s answer.']);
    await answer('reject');
  });

  it('is the result of a call that runs, and the evidence that no call gave', async () => {
    const held = later();
    const { orchestrator, submit, ended } = scene({
      model: [plan([call('refund', given)]), draft()],
      tools: [writeTool('refund', { call: () => held.promise }), readTool('read')],
      verifiers: { strict: fails },
      taskClass: {
        beforeDeliver: {
          evidence: [{ type: 'source_citation', tool: 'read' }],
          verifiers: ['strict'],
        },
        limits: { repairs: 0 },
      },
    });
    const taskId = await submit();
    const { get } = await served(orchestrator);
    const view = (await get(`api/tasks/${taskId}`)) as TaskView;
    expect(wordsOf(view.reasons)).toEqual([
      'The agent’s answer.',
      'Evidence: source_citation from read.',
      'The result of: Call refund with amount 180, order "o-7".',
    ]);
    held.resolve({});
    await ended(taskId);
  });

  it('says once that a person is asked about a plan', async () => {
    const { orchestrator, open } = await asked('plan');
    const { get } = await served(orchestrator);
    const view = (await get(`api/tasks/${open.taskId}`)) as TaskView;
    expect(wordsOf(view.reasons)).toEqual([
      `A person’s answer: ${open.message.explanation}`,
      'The agent’s answer.',
      'The result of: Call read.',
    ]);
  });

  it('names the call of a failed task in its sentence', async () => {
    const { orchestrator, submit, ended } = refunds({}, { policy: 'deny' });
    const taskId = await submit();
    await ended(taskId);
    const { get } = await served(orchestrator);
    const view = (await get(`api/tasks/${taskId}`)) as TaskView;
    expect(view.reasons).toEqual([
      {
        code: 'POLICY_BLOCKED',
        about: 'refund',
        meaning: 'The policy does not allow the action.',
        subject: sentence,
      },
    ]);
    const page = (await get('api/tasks')) as TaskPage;
    expect(page.tasks[0]?.why).toEqual(['The policy does not allow the action.']);
  });

  it('is said once, also where several reasons say it', () => {
    const twice = [
      { code: 'AUDIT_INCOMPLETE', about: 'bank' },
      { code: 'EFFECT_IN_DOUBT', about: 'bank' },
    ] as const;
    const nothing = {
      context: { questions: {}, calls: {}, draft: null },
      calls: new Map(),
      asked: new Map(),
    };
    expect(missingInWords(twice, nothing)).toEqual([{ ...twice[0], meaning: 'The result of: bank' }]);
  });

  it('is a pass of a check, once there is a draft', async () => {
    const { orchestrator, submit, question, answer } = scene({
      model: [plan(), draft({ done: true }, { confidence: 0.1 })],
      verifiers: { strict: fails },
      taskClass: { beforeDeliver: { verifiers: ['strict'] }, limits: { repairs: 0 } },
    });
    const taskId = await submit();
    await question();
    const { get } = await served(orchestrator);
    const view = (await get(`api/tasks/${taskId}`)) as TaskView;
    expect(wordsOf(view.reasons)).toContain('A pass of the check strict.');
    await answer('reject');
  });
});

describe('The inbox', () => {
  it('leads with the sentence and with why a person is asked', async () => {
    const { orchestrator, submit, answer } = refunds();
    await submit();
    const { get } = await served(orchestrator);
    const { questions } = (await get('api/inbox')) as InboxPage;
    expect(questions).toMatchObject([{ headline: sentence, why: reasons[0] }]);
    await answer('reject');
  });
});

/** The calls that a thread shows: the state of the message above, tool, arguments, end, and why. */
const callsIn = async (made: ReturnType<typeof refunds>) => {
  const { get } = await served(made.orchestrator);
  const [task] = await made.orchestrator.list();
  const { rows } = (await get(`api/threads/${task?.threadId ?? ''}`)) as ThreadPage;
  return rows.flatMap(({ message: { state }, calls }) =>
    calls.map(({ tool, arguments: line, end, why }) => [state, tool, line, end, why]),
  );
};

describe('A thread', () => {
  const line = 'amount 180, order "o-7"';

  it.each([
    ['refused by policy', 'submitted', 'deny', null],
    ['done', 'submitted', 'allow', null],
    ['rejected', 'needsHumanDecision', 'needs_review', 'reject'],
  ] as const)(
    'shows a call that is %s below the message before it',
    async (end, state, verdict, feedback) => {
      const made = refunds({}, { policy: () => ({ verdict, reasons }) });
      const taskId = await made.submit();
      if (feedback !== null) await made.answer(feedback);
      await made.ended(taskId);
      const why = { 'refused by policy': reasons[0], done: '', rejected: 'by dana' }[end];
      expect(await callsIn(made)).toEqual([[state, 'refund', line, end, why]]);
    },
  );

  it('shows the error of a call that failed, and a write that was undone', async () => {
    const made = scene({
      model: [plan([call('refund', given), call('note')]), draft()],
      tools: [writeTool('refund'), writeTool('note', { call: (_, { notDone }) => notDone('no paper') })],
      taskClass: { limits: { repairs: 0 } },
    });
    await made.ended(await made.submit());
    expect(await callsIn(made)).toEqual([
      ['submitted', 'refund', line, 'undone', ''],
      ['submitted', 'note', '', 'failed', 'no paper'],
    ]);
  });

  it('shows a call of unknown outcome, and what a person says of it', async () => {
    const lost = { call: () => Promise.reject(new Error('the answer was lost')) };
    const made = refunds(lost, { policy: 'allow' });
    await made.submit();
    expect((await callsIn(made)).map(([, , , end]) => end)).toEqual(['unknown']);
    await made.answer('reject');
    expect(await callsIn(made)).toEqual([['submitted', 'refund', line, 'not made', 'as dana says']]);
  });

  it('shows no call that waits for a person', async () => {
    const made = highRiskRefunds();
    await made.submit();
    expect(await callsIn(made)).toEqual([]);
    await made.answer('reject');
  });
});
